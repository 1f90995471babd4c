//! The games of a match as PGN.

use std::fmt::Write;
use std::time::Duration;

use jiff::Timestamp;

use super::game::{PlayedGame, Source};
use super::openings::Opening;
use super::schedule::Slot;
use crate::arena::engines::{EngineLimits, Thought, VariantNames};
use trebuchet::notation::pgn::{self, PgnMove};
use trebuchet::variants::Variant;

/// The tag that says which side forfeited the game, and how: `White: time losses`.
pub const FORFEIT_TAG: &str = "Fault";

/// What the tags of a game tell.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    pub event: &'a str,
    pub slot: Slot,
    /// By colour.
    pub names: [&'a str; 2],
    pub limits: [&'a EngineLimits; 2],
    pub opening: &'a Opening,
    pub duration: Duration,
}

/// The game as PGN.
pub fn write<V: Variant>(header: &Header, played: &PlayedGame) -> pgn::PgnGame {
    let result = played.ending.result();
    let mut game = pgn::PgnGame { result, ..pgn::PgnGame::default() };
    game.push_tag("Event", header.event);
    game.push_tag("Site", "?");
    game.push_tag("Date", Timestamp::now().strftime("%Y.%m.%d"));
    game.push_tag("Round", round(header.slot));
    game.push_tag("White", header.names[0]);
    game.push_tag("Black", header.names[1]);
    game.push_tag("Result", result);
    if let Some(variant) = VariantNames::of(V::ID).cecp {
        game.push_tag("Variant", variant);
    }
    if let Some(fen) = &header.opening.fen {
        game.push_tag("SetUp", 1);
        game.push_tag("FEN", fen);
    }
    let [white, black] = header.limits;
    if white == black {
        game.push_tag("TimeControl", white.pace);
    } else {
        game.push_tag("WhiteTimeControl", white);
        game.push_tag("BlackTimeControl", black);
    }
    game.push_tag("PlyCount", played.moves.len());
    game.push_tag("Termination", played.ending.termination());
    if let Some((color, forfeit)) = played.ending.forfeit() {
        game.push_tag(FORFEIT_TAG, format!("{color}: {}", forfeit.name()));
    }
    game.push_tag("Duration", format!("{:.3}", header.duration.as_secs_f64()));
    game.moves = played
        .moves
        .iter()
        .map(|mv| PgnMove { comment: comment(&mv.by), ..PgnMove::new(&mv.san) })
        .collect();
    let reason = played.ending.to_string();
    let last = game.moves.last_mut().map_or(&mut game.comment, |last| &mut last.comment);
    *last = Some(match last.take() {
        Some(comment) => format!("{comment}, {reason}"),
        None => reason,
    });
    game
}

/// `+0.31/12 0.450s`: score, depth and time of a move.
fn comment(source: &Source) -> Option<String> {
    let Source::Player { elapsed, thought } = source else { return None };
    let mut text = String::new();
    if let Some(Thought { score, depth, .. }) = thought {
        // Writing to a String cannot fail.
        let _ = match score.moves_to_end() {
            Some(moves) if score.is_win() => write!(text, "+M{moves}/{depth} "),
            Some(moves) => write!(text, "-M{}/{depth} ", -moves),
            None => write!(text, "{:+.2}/{depth} ", f64::from(score.value()) / 100.0),
        };
    }
    let _ = write!(text, "{:.3}s", elapsed.as_secs_f64());
    Some(text)
}

/// The tag `Round`: `PAIR.GAME`, both counted from 1.
fn round(slot: Slot) -> String {
    format!("{}.{}", slot.pair + 1, 1 + u8::from(slot.swapped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::types::Score;

    #[test]
    fn mates_are_counted_in_moves() {
        let at = |score| {
            comment(&Source::Player {
                elapsed: Duration::ZERO,
                thought: Some(Thought { score, depth: 3, nodes: 1 }),
            })
        };
        assert_eq!(at(Score::win_in(3)).unwrap(), "+M2/3 0.000s");
        assert_eq!(at(Score::loss_in(4)).unwrap(), "-M2/3 0.000s");
        assert_eq!(at(Score::cp(-7)).unwrap(), "-0.07/3 0.000s");
    }
}
