//! What xboard misreads: a checker for lines that an engine is about to print.
//!
//! xboard 4.9.1 recognises many lines by pieces of text anywhere in them. Each test that sees our
//! output holds every line against this list.

use crate::types::{CastlingSide, Color, Outcome, Reason};
use crate::variants::VariantId;

use super::misread::{FAILED_START, word_in_error};
use super::{Fault, Reply};

pub use super::misread::{XBOARD_BUFFER, is_taken_for_draw, is_taken_for_resignation};

/// Why a line must not be printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trap {
    #[error("longer than {SAFE_LINE} bytes, or too many moves in a line")]
    TooLong,
    #[error("not printable ASCII")]
    NotPrintable,
    #[error("not a line of the protocol")]
    Chatter,
    #[error("xboard takes `{0}` for a failed start of the engine")]
    FailedStart(&'static str),
    #[error("xboard misreads an error line with `{0}`")]
    Complaint(&'static str),
    #[error("a line of moves holds a word that is not a move: `{0}`")]
    Variation(String),
    #[error("xboard takes `{0}` for a claim")]
    Claim(&'static str),
    #[error("not an end of a game by the rules: `{0}`")]
    Result(String),
}

/// The longest line that is safe, in bytes: xboard gives up on [`XBOARD_BUFFER`] and crashes on a PV of 6000.
pub const SAFE_LINE: usize = 2000;

/// Checks that xboard understands the line as it is meant.
///
/// # Errors
/// The [`Trap`] that the line falls into.
pub fn check(line: &str) -> Result<(), Trap> {
    if line.len() > SAFE_LINE {
        return Err(Trap::TooLong);
    }
    if line.chars().any(|c| c != '\t' && !(' '..='~').contains(&c)) {
        return Err(Trap::NotPrintable);
    }
    let consumed_early = match Reply::parse(line.as_bytes()) {
        Reply::Comment(_) | Reply::Blank | Reply::Move(_) | Reply::Features(_) => true,
        Reply::TellUser(_) | Reply::TellUserError(_) | Reply::Book(_) | Reply::Highlight(_) => true,
        Reply::TellOpponent(_) | Reply::TellOthers(_) | Reply::TellAll(_) => true,
        Reply::Pong(_)
        | Reply::Hint(_)
        | Reply::Resign
        | Reply::OfferDraw
        | Reply::RootReport(_)
        | Reply::Setup(_) => false,
        // The protocol prescribes this line, and xboard ignores it.
        Reply::Error { kind, .. } if kind == Fault::UnsupportedVariant.to_string() => true,
        Reply::IllegalMove { reason, text } => {
            return complaint(&[reason.as_deref().unwrap_or_default(), &text]);
        }
        Reply::Error { kind, text } => return complaint(&[&kind, &text]),
        Reply::Thinking(thinking) => {
            return match (thinking.book_text(), thinking.remark_text()) {
                (Some(text), _) => book(text),
                (None, Some(text)) => remark(text),
                (None, None) => variation(&thinking.pv),
            };
        }
        Reply::Result(_, comment) => return ending(&comment),
        Reply::Other(_) => {
            free_of(&FAILED_START, line, Trap::FailedStart)?;
            return Err(Trap::Chatter);
        }
    };
    if consumed_early { Ok(()) } else { free_of(&FAILED_START, line, Trap::FailedStart) }
}

fn free_of(words: &[&'static str], text: &str, trap: fn(&'static str) -> Trap) -> Result<(), Trap> {
    match words.iter().find(|word| text.contains(*word)) {
        Some(word) => Err(trap(word)),
        None => Ok(()),
    }
}

fn complaint(parts: &[&str]) -> Result<(), Trap> {
    match parts.iter().find_map(|part| word_in_error(part)) {
        Some(word) => Err(Trap::Complaint(word)),
        None => Ok(()),
    }
}

/// A PV holds coordinate moves, at most 60 of them; the mark of a bound may follow. Castling may be
/// written as in SAN; a drop is `N@f3`.
fn variation(pv: &str) -> Result<(), Trap> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let is_castling = |word| CastlingSide::ALL.iter().any(|side| side.san() == word);
    let is_move = |word: &str| match word.as_bytes().split_at_checked(4) {
        Some(([b'P' | b'N' | b'B' | b'R' | b'Q', b'@', to @ ..], [])) => is_square(to),
        Some((squares, promotion)) => {
            squares.chunks(2).all(is_square)
                && matches!(promotion, [] | [b'q' | b'r' | b'b' | b'n' | b'k'])
        }
        None => false,
    };
    match pv
        .split(' ')
        .filter(|word| !word.is_empty())
        .find(|word| !is_move(word) && !is_castling(*word))
    {
        Some(word) => Err(Trap::Variation(word.to_owned())),
        None if pv.split(' ').count() > 60 => Err(Trap::TooLong),
        None => Ok(()),
    }
}

/// A line of book moves holds moves in SAN and their shares: `e4 61%, O-O 39%`.
fn book(text: &str) -> Result<(), Trap> {
    let is_move = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || "KQRBNOP".contains(c))
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-+#=@".contains(c))
    };
    let is_share = |word: &str| word.strip_suffix('%').is_some_and(|n| n.parse::<u8>().is_ok());
    let is_good = |part: &&str| matches!(part.split_once(' '), Some((mv, share)) if is_move(mv) && is_share(share));
    match text.split(", ").find(|part| !is_good(part)) {
        Some(part) => Err(Trap::Variation(part.to_owned())),
        None => Ok(()),
    }
}

/// A remark of the coach holds nothing that xboard takes for a claim or an offer.
fn remark(text: &str) -> Result<(), Trap> {
    let claims = ["Draw", "game is a draw", "offer"];
    match claims.iter().chain(&FAILED_START).find(|claim| text.contains(**claim)) {
        Some(claim) => Err(Trap::Claim(claim)),
        None => Ok(()),
    }
}

/// The ends of games that every variant has or adds.
fn endings() -> Vec<Outcome> {
    let added = VariantId::ALL.iter().flat_map(|variant| variant.endings());
    let wins = added.map(|&deed| Reason::Variant(deed)).chain([Reason::Checkmate]);
    let drawn = VariantId::ALL.iter().flat_map(|variant| variant.drawn_endings());
    let draws = drawn.map(|&event| Reason::VariantDraw(event)).chain([
        Reason::Stalemate,
        Reason::Repetition,
        Reason::FiftyMoves,
        Reason::InsufficientMaterial,
    ]);
    let wins = wins.flat_map(|reason| Color::ALL.map(|winner| Outcome::win(winner, reason)));
    wins.chain(draws.map(Outcome::draw)).collect()
}

/// Checks a result that an engine claims. It may claim ends of the game by the rules, but no
/// agreement and no loss on time.
fn ending(comment: &str) -> Result<(), Trap> {
    match endings().iter().any(|outcome| outcome.to_string() == comment) {
        true => Ok(()),
        false => Err(Trap::Result(comment.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::MoveError;

    #[test]
    fn good_lines_pass() {
        for line in [
            "",
            "feature option=\"Draws -combo never /// accept /// *offer\" variants=\"normal,3check\" done=1",
            "move e2e4",
            "1-0 {White gives third check}",
            "1/2-1/2 {Draw by repetition}",
            "Illegal move (leaves king in check): e1e2",
            "Error (unknown command): frobnicate",
            "Error (unsupported variant): variant shogi",
            "tellusererror Illegal position: 8/8 w",
            "5 10 5 100 12 2000 0\te2e4 e7e8q ?",
            "# depth of the search, Draw",
            " no book",
            "0 0 0 0 (e4 61%, O-O-O 30%, Nbd2+ 5%, exd8=Q# 4%)",
            "offer draw",
            "1 0 0 0 Ke7?? Blunder, loses 52% of the winning chances",
            "tellothers Ke7?? Blunder. Better: d6 protects the pawn on e5; d6 Nf3",
            "resign",
        ] {
            assert_eq!(check(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn refusals_of_moves_pass() {
        use MoveError::*;
        for reason in [
            Unreadable,
            Ambiguous,
            NoSuchPiece,
            NotYourTurn,
            WrongWay,
            Blocked,
            CannotCastle,
            CastlingNotation,
            LeavesKingInCheck,
            NoSuchPromotion,
            NotInHand,
            PawnDropOnBackRank,
            OwnKingExplodes,
            GameOver,
        ] {
            let line =
                Reply::IllegalMove { reason: Some(reason.to_string()), text: "e2e4".to_owned() };
            assert_eq!(check(&line.to_string()), Ok(()), "{line}");
        }
    }

    #[test]
    fn errors_pass() {
        use Fault::*;
        for fault in [
            Unknown,
            MissingArgument,
            BadArgument,
            LineTooLong,
            UnsupportedVariant,
            AmbiguousMove,
            GameTooLong,
        ] {
            let line = Reply::error(fault, "go").to_string();
            assert_eq!(check(&line), Ok(()), "{line}");
        }
    }

    #[test]
    fn traps_are_found() {
        use Trap::*;
        for (line, trap) in [
            ("White to move", Chatter),
            ("thinking...", Chatter),
            ("5 10 5 100 d1h5 (Draw)", Variation("(Draw)".to_owned())),
            ("0 0 0 0 (Draw 50%)", Variation("Draw 50%".to_owned())),
            ("0 0 0 0 (e4)", Variation("e4".to_owned())),
            ("1 0 0 0 a Draw", Claim("Draw")),
            ("5 10 5 100 Nf3 d5", Variation("Nf3".to_owned())),
            ("5 10 5 100 d1h5 K@f3", Variation("K@f3".to_owned())),
            ("Illegal move (bad board): e2e4", Complaint("board")),
            ("Error (bad argument): time x", Complaint("time")),
            ("Error (illegal move): e2e4", Complaint("llegal")),
            ("1-0 {White wins on time}", Result("White wins on time".to_owned())),
            ("Hint: not found", FailedStart("not found")),
            ("move e2e4\u{e9}", NotPrintable),
        ] {
            assert_eq!(check(line), Err(trap), "{line}");
        }
        assert_eq!(check(&"# x".repeat(1000)), Err(TooLong));
    }
}
