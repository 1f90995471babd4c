//! How a game ended, as a PGN file tells it.

use crate::arena::judging::comments;
use crate::arena::judging::ending::{EndingKind, ToldResult};
use trebuchet::notation::pgn::PgnGame;
use trebuchet::types::{Color, GameResult};

/// How a game ended, as the file tells it.
pub struct ToldEnding {
    pub result: GameResult,
    pub kind: EndingKind,
    /// The side that has lost the game or, in a draw, has forfeited it.
    pub loser: Option<Color>,
    /// The reason in the words of the file; empty if it gives none.
    pub words: String,
}

impl ToldEnding {
    /// Reads the result, the tags and the last comment.
    ///
    /// `trebuchet match` says in a tag who has forfeited a game, and how. Then the comment counts for
    /// nothing: it may quote the bot. In other files the words of the comment are the only source.
    pub fn of(game: &PgnGame) -> ToldEnding {
        let result = match game.result {
            GameResult::Unfinished => {
                game.tag("Result").and_then(GameResult::from_token).unwrap_or_default()
            }
            result => result,
        };
        let comment = final_comment(game);
        let termination = game.tag("Termination").unwrap_or_default().to_lowercase();
        let forfeit = forfeit_tag(game, &comment);
        let kind = match forfeit {
            Some((_, kind)) => kind,
            None if termination == "time forfeit" => EndingKind::Time,
            None => comments::kind(&comment),
        };
        let loser = match (forfeit, result) {
            (Some((loser, _)), _) => Some(loser),
            (None, GameResult::Win(winner)) => Some(!winner),
            (None, _) => None,
        };
        let words = if comment.is_empty() { termination } else { comment };
        ToldEnding { result, kind, loser, words }
    }

    /// The result with its reason.
    pub fn result(&self) -> ToldResult<'_> {
        ToldResult { result: self.result, kind: self.kind, comment: &self.words }
    }
}

/// The words of `trebuchet match` for forfeits, in the tag `Forfeit` and in its older form `Fault`.
const FORFEITS: [(&[&str], EndingKind); 5] = [
    (&["time-loss", "time losses"], EndingKind::Time),
    (&["illegal-move", "illegal moves"], EndingKind::IllegalMove),
    (&["false-claim", "false claims"], EndingKind::FalseClaim),
    (&["crash", "crashes"], EndingKind::Crash),
    (&["stall", "stalls"], EndingKind::Time),
];

/// Who has forfeited the game, and how: the tag `Forfeit`, such as `White: time-loss`.
fn forfeit_tag(game: &PgnGame, comment: &str) -> Option<(Color, EndingKind)> {
    let tag = game.tag("Forfeit").or_else(|| game.tag("Fault"))?;
    let (color, name) = tag.split_once(": ")?;
    let color = Color::ALL.into_iter().find(|side| side.to_string() == color)?;
    let &(_, kind) = FORFEITS.iter().find(|(names, _)| names.contains(&name))?;
    // A false claim and a false protest have the same tag. The comment begins with our words.
    let is_protest = kind == EndingKind::FalseClaim
        && comments::own_forfeit(comment) == Some((color, EndingKind::FalseProtest));
    Some((color, if is_protest { EndingKind::FalseProtest } else { kind }))
}

/// The reason of the result: the comment at the end. xboard and others put it there, behind scores and
/// times.
fn final_comment(game: &PgnGame) -> String {
    let comment = match game.moves.last() {
        Some(last) => last.comment.as_deref(),
        None => game.comment.as_deref(),
    };
    let comment = comment.unwrap_or_default();
    // A score or a time before the reason, as in `+0.31/12 0.4` or `[%clk 0:01:02]`.
    let is_number = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit() || "+-.[".contains(c)) || word.ends_with(']')
    };
    comment.split_whitespace().skip_while(is_number).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::notation::pgn;

    fn told(tags: &str, comment: &str) -> (EndingKind, Option<Color>) {
        let text = format!("{tags}\n\n1. e4 e5 {{{comment}}} 0-1\n");
        let ending = ToldEnding::of(&pgn::read(&text).next().unwrap());
        (ending.kind, ending.loser)
    }

    #[test]
    fn the_tag_of_a_match_decides_before_the_comment() {
        let white = Some(Color::White);
        let last_words = "0.450s, White's engine has ended: panicked at 'illegal move'";
        for tag in ["[Fault \"White: crashes\"]", "[Forfeit \"White: crash\"]"] {
            assert_eq!(told(tag, last_words), (EndingKind::Crash, white));
        }
        let claim = "+0.31/12 0.450s, White makes a false claim: on time";
        let tag = "[Fault \"White: false claims\"]";
        assert_eq!(told(tag, claim), (EndingKind::FalseClaim, white));
        let protest = "White refuses a legal move: e7e5";
        assert_eq!(told(tag, protest), (EndingKind::FalseProtest, white));
        assert_eq!(told("[Fault \"White: stalls\"]", "x"), (EndingKind::Time, white));
        // Files of other programs, and tags that say nothing to us.
        assert_eq!(
            told("[Fault \"bad server\"]", "White resigns"),
            (EndingKind::Resignation, white)
        );
        assert_eq!(told("[Termination \"Time forfeit\"]", ""), (EndingKind::Time, white));
        assert_eq!(told("[Site \"?\"]", "White disconnects"), (EndingKind::Crash, white));
    }
}
