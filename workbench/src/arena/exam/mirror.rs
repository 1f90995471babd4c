//! Mirrors positions and texts of scenes: by files, where a is h, and by colours, where White is Black and the
//! first rank is the eighth.

use super::accept::Accept;
use super::scene::Scene;
use trebuchet::types::GameResult;

/// What is exchanged in the text of a scene when the colours are, besides squares.
const WORDS: [(&str, &str); 8] = [
    ("White", "Black"),
    ("white", "black"),
    ("WHITE", "BLACK"),
    ("1-0", "0-1"),
    ("first rank", "eighth rank"),
    ("second rank", "seventh rank"),
    ("third rank", "sixth rank"),
    ("fourth rank", "fifth rank"),
];

/// What is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mirror {
    /// The files a to h become h to a.
    Files,
    /// White becomes Black, and the ranks 1 to 8 become 8 to 1.
    Colors,
}

impl Mirror {
    /// The position; `None` if it is no FEN, or if the files are to be exchanged where a side may castle,
    /// because the mirrored king could not.
    pub fn fen(self, fen: &str) -> Option<String> {
        let mut fields = fen.split(' ');
        let (placement, side, castling, en_passant) =
            (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        // The men in hand stand in brackets, or as a ninth rank.
        let ninth_rank = || placement.match_indices('/').nth(7).map(|(at, _)| at);
        let (board, hand) = placement
            .find('[')
            .or_else(ninth_rank)
            .map_or((placement, ""), |at| placement.split_at(at));
        let ranks = board.split('/');
        let (ranks, hand, side, castling): (Vec<String>, _, _, _) = match self {
            Mirror::Files if castling != "-" => return None,
            Mirror::Files => {
                (ranks.map(reversed_rank).collect(), hand.into(), side, castling.into())
            }
            Mirror::Colors => {
                let side = if side == "w" { "b" } else { "w" };
                (ranks.rev().map(other_case).collect(), other_case(hand), side, rights(castling))
            }
        };
        let head = format!("{}{hand} {side} {castling} {}", ranks.join("/"), self.text(en_passant));
        let rest =
            fields.map(|field| if self == Mirror::Colors { counts(field) } else { field.into() });
        Some([head].into_iter().chain(rest).collect::<Vec<_>>().join(" "))
    }

    /// A text in which all squares are mirrored: `Qh5` is `Qa5`, or `Qh4`. With the colours, their names,
    /// ranks in words and results are exchanged, too.
    pub fn text(self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for at in 1..bytes.len() {
            let is_square =
                matches!(bytes[at - 1], b'a'..=b'h') && matches!(bytes[at], b'1'..=b'8');
            match self {
                Mirror::Files if is_square => bytes[at - 1] = b'a' + b'h' - bytes[at - 1],
                Mirror::Colors if is_square => bytes[at] = b'1' + b'8' - bytes[at],
                _ => {}
            }
        }
        let text = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
        match self {
            Mirror::Files => text,
            Mirror::Colors => WORDS.iter().fold(text, |text, (one, other)| {
                let parts: Vec<String> =
                    text.split(one).map(|part| part.replace(other, one)).collect();
                parts.join(other)
            }),
        }
    }

    /// What is accepted.
    pub fn accept(self, accept: &Accept) -> Accept {
        match accept {
            Accept::Move(text) => Accept::Move(self.text(text)),
            Accept::Claim(GameResult::Win(color)) if self == Mirror::Colors => {
                Accept::Claim(GameResult::Win(!*color))
            }
            other => other.clone(),
        }
    }

    /// All that a scene says, and all that it accepts. Its position and its moves stay.
    pub fn words(self, scene: &mut Scene) {
        scene.title = self.text(&scene.title);
        scene.why = self.text(&scene.why);
        scene.accept.iter_mut().for_each(|accept| *accept = self.accept(accept));
    }
}

/// A rank of a FEN from right to left. The mark of a promoted man stays behind it.
fn reversed_rank(rank: &str) -> String {
    let mut signs: Vec<String> = Vec::new();
    for sign in rank.chars() {
        match signs.last_mut() {
            Some(man) if sign == '~' => man.push(sign),
            _ => signs.push(sign.to_string()),
        }
    }
    signs.into_iter().rev().collect()
}

/// The men of one side as those of the other.
fn other_case(men: &str) -> String {
    let other = |man: char| {
        if man.is_ascii_uppercase() { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() }
    };
    men.chars().map(other).collect()
}

/// The castling rights of the other side; those of White come first.
fn rights(castling: &str) -> String {
    let (white, black): (String, String) =
        other_case(castling).chars().partition(char::is_ascii_uppercase);
    white + &black
}

/// The checks of both sides in three-check, `2+3` or `+1+0`, as those of the others. Other fields stay.
fn counts(field: &str) -> String {
    let (sign, both) = field.strip_prefix('+').map_or(("", field), |both| ("+", both));
    both.split_once('+')
        .map_or_else(|| field.to_owned(), |(white, black)| format!("{sign}{black}+{white}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::types::Color;
    use trebuchet::variants::VariantId;

    #[test]
    fn files_are_mirrored() {
        let text = |text| Mirror::Files.text(text);
        assert_eq!(text("e7d8b: Qh4 mates on a1"), "d7e8b: Qa4 mates on h1");
        let fen = "4R1k1/5pQ~p/8/8/8/8/8/6K1[nP] b - g3 0 1";
        let mirror = "1k1R4/pQ~p5/8/8/8/8/8/1K6[nP] b - b3 0 1";
        assert_eq!(Mirror::Files.fen(fen).as_deref(), Some(mirror));
        assert_eq!(Mirror::Files.fen(mirror).as_deref(), Some(fen));
        assert_eq!(Mirror::Files.fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    }

    #[test]
    fn colours_are_mirrored() {
        for (one, other) in [
            ("Qh5 mates White on the first rank", "Qh4 mates Black on the eighth rank"),
            ("e7d8b, P@e5", "e2d1b, P@e4"),
            ("may say `1-0`, and no white man", "may say `0-1`, and no black man"),
            ("wins by the third check", "wins by the third check"),
        ] {
            assert_eq!(Mirror::Colors.text(one), other);
            assert_eq!(Mirror::Colors.text(other), one);
        }
        for (variant, one, other) in [
            (
                VariantId::Standard,
                "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQq d6 0 3",
                "rnbqkbnr/pppp1ppp/8/8/3Pp3/5N2/PPP1PPPP/RNBQKB1R b Qkq d3 0 3",
            ),
            (
                VariantId::ThreeCheck,
                "4k3/8/8/8/8/8/8/R3K3 w Q - 1+3 0 1",
                "r3k3/8/8/8/8/8/8/4K3 b q - 3+1 0 1",
            ),
            (
                VariantId::Crazyhouse,
                "4R1k1/5pQ~p/8/8/8/8/8/6K1[Pn] b - - 0 1",
                "6k1/8/8/8/8/8/5Pq~P/4r1K1[pN] w - - 0 1",
            ),
        ] {
            assert_eq!(Mirror::Colors.fen(one).as_deref(), Some(other));
            assert_eq!(Mirror::Colors.fen(other).as_deref(), Some(one));
            let count = |fen: &str| {
                let mut board = new_game(variant);
                board.set_board(fen).unwrap();
                board.legal_moves().len()
            };
            assert_eq!(count(one), count(other), "{one}");
        }
        let ninth_rank = "4R1k1/8/8/8/8/8/8/6K1/Pn b - - 0 1";
        let mirror = "6k1/8/8/8/8/8/8/4r1K1/pN w - - 0 1";
        assert_eq!(Mirror::Colors.fen(ninth_rank).as_deref(), Some(mirror));
        assert_eq!(counts("+2+0"), "+0+2");
    }

    #[test]
    fn what_is_accepted_is_mirrored() {
        for (one, other) in [("e7e8q", "e2e1q"), ("1-0", "0-1"), ("1/2-1/2", "1/2-1/2")] {
            let accept = Accept::try_from(one.to_owned()).unwrap();
            assert_eq!(Mirror::Colors.accept(&accept).to_string(), other);
        }
        let claim = Accept::Claim(GameResult::Win(Color::White));
        assert_eq!(Mirror::Files.accept(&claim), claim);
    }
}
