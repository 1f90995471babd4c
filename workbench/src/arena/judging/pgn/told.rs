//! How a game ended, as a PGN file tells it.

use crate::arena::games::{ForfeitKind, GameEnding, GameRecord, without_figures};
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
    /// `trebuchet match` says in tags how a game ended. Then the comment counts for nothing: it may quote
    /// the bot. Lichess and chess.com say it in words in a tag, others only in the comment.
    pub fn of(game: &PgnGame) -> ToldEnding {
        let result = match game.result {
            GameResult::Unfinished => {
                game.tag("Result").and_then(GameResult::from_token).unwrap_or_default()
            }
            result => result,
        };
        let comment = final_comment(game);
        let termination = game.tag("Termination").unwrap_or_default();
        let ending = GameRecord::from_pgn(game).map(|record| record.ending).unwrap_or_default();
        let kind = match &ending {
            GameEnding::Announced { .. } | GameEnding::Unfinished => {
                match comments::kind(&without_names(game, termination).to_lowercase()) {
                    EndingKind::Gui => comments::kind(&without_names(game, &comment)),
                    kind => kind,
                }
            }
            // Earlier versions had one tag for both. The comment begins with our words.
            GameEnding::Forfeit(forfeit) if forfeit.kind == ForfeitKind::FalseClaim => {
                let own = comments::own_forfeit(&comment).map_or(forfeit.kind, |(_, kind)| kind);
                EndingKind::Forfeit(own)
            }
            ending => EndingKind::of(ending),
        };
        let loser = match (ending.forfeit(), result) {
            (Some((loser, _)), _) => Some(loser),
            (None, GameResult::Win(winner)) => Some(!winner),
            (None, _) => None,
        };
        let words = if comment.is_empty() { termination.to_owned() } else { comment };
        ToldEnding { result, kind, loser, words }
    }

    /// The result with its reason.
    pub fn result(&self) -> ToldResult<'_> {
        ToldResult { result: self.result, kind: self.kind, comment: &self.words }
    }
}

/// The text without the names of the players, which may be any words.
fn without_names(game: &PgnGame, text: &str) -> String {
    let mut rest = text.to_owned();
    for name in ["White", "Black"].into_iter().filter_map(|tag| game.tag(tag)) {
        let at = rest.find(name).filter(|&at| is_word(&rest, at, name.len()));
        if let Some(at) = at.filter(|_| comments::own_forfeit(text).is_none()) {
            rest.replace_range(at..at + name.len(), "");
        }
    }
    rest
}

/// Does no letter or digit stand beside this part of the text?
fn is_word(text: &str, start: usize, length: usize) -> bool {
    !text[..start].ends_with(char::is_alphanumeric)
        && !text[start + length..].starts_with(char::is_alphanumeric)
}

/// The reason of the result: the comment at the end, behind scores and times.
fn final_comment(game: &PgnGame) -> String {
    let comment = game.moves.last().map_or(&game.comment, |last| &last.comment);
    without_figures(comment.as_deref().unwrap_or_default())
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
        let of = |kind| (EndingKind::Forfeit(kind), Some(Color::White));
        let last_words = "0.450s, White's engine has ended: panicked at 'illegal move'";
        for tag in ["[Fault \"White: crashes\"]", "[Forfeit \"White: crash\"]"] {
            assert_eq!(told(tag, last_words), of(ForfeitKind::Crash));
        }
        let claim = "+0.31/12 0.450s, White makes a false claim: on time";
        let tag = "[Fault \"White: false claims\"]";
        assert_eq!(told(tag, claim), of(ForfeitKind::FalseClaim));
        assert_eq!(told(tag, "White refuses a legal move: e7e5"), of(ForfeitKind::FalseProtest));
        assert_eq!(told("[Fault \"White: stalls\"]", "x"), of(ForfeitKind::Stall));
        let resigns = (EndingKind::Resignation, Some(Color::White));
        assert_eq!(told("[Ending \"resignation\"]", "on time"), resigns);
        // Files of other programs, and tags that say nothing to us.
        assert_eq!(told("[Fault \"bad server\"]", "White resigns"), resigns);
        assert_eq!(told("[Termination \"Time forfeit\"]", ""), of(ForfeitKind::TimeLoss));
        let late = "[Termination \"Anna won on time\"]";
        assert_eq!(told(late, "[%clk 0:00:00]"), of(ForfeitKind::TimeLoss));
        assert_eq!(told("[Termination \"Anna won by resignation\"]", ""), resigns);
        let named = "[White \"InstallShield\"]\n[Black \"Resignator\"]\n";
        let won = format!("{named}[Termination \"InstallShield won by resignation\"]");
        assert_eq!(told(&won, ""), resigns);
        let mated = format!("{named}[Termination \"Resignator won by checkmate\"]");
        assert_eq!(told(&mated, "Resignator mates"), (EndingKind::Gui, Some(Color::White)));
        assert_eq!(told("[White \"White\"]", "White resigns"), resigns);
        assert_eq!(told("[Termination \"normal\"]", "White resigns"), resigns);
        assert_eq!(told("[Site \"?\"]", "White disconnects"), of(ForfeitKind::Crash));
    }
}
