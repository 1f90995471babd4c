//! How a game ended, and whether a claim of its end stands on the board.

use super::item::Item;
use super::sheet::{Sheet, Violation, shown};
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult, Outcome, Reason};

/// The kind of an ending, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// Mate, a draw by the rules, or what the variant adds.
    Board,
    Resignation,
    Time,
    IllegalMove,
    FalseClaim,
    /// The process of an engine ended.
    Crash,
    /// As the GUI says: an adjudication, an agreement, or what it does not explain.
    Gui,
    Unfinished,
}

impl EndingKind {
    pub const fn name(self) -> &'static str {
        match self {
            EndingKind::Board => "board",
            EndingKind::Resignation => "resignation",
            EndingKind::Time => "time",
            EndingKind::IllegalMove => "illegal move",
            EndingKind::FalseClaim => "false claim",
            EndingKind::Crash => "crash",
            EndingKind::Gui => "gui",
            EndingKind::Unfinished => "unfinished",
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub result: GameResult,
    pub kind: EndingKind,
    /// In words: `White mates`.
    pub reason: String,
}

/// What is known about the end of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'a> {
    /// The result of the GUI and its comment.
    pub told: Option<(GameResult, &'a str)>,
    /// How the game stands on the board.
    pub outcome: Option<Outcome>,
    pub resigned: Option<Color>,
    pub has_illegal_move: bool,
    pub has_false_claim: bool,
}

impl Ending {
    /// The ending, from what the GUI says and what is on the board.
    pub fn of(evidence: &Evidence) -> Ending {
        let on_board = evidence.outcome.map(GameResult::from);
        let told = evidence.told.map(|(result, _)| result);
        let result = told.filter(|&told| told != GameResult::Unfinished);
        let comment = evidence.told.map_or("", |(_, comment)| comment);
        let from_comment = kind_of_comment(comment);
        let is_forfeit = evidence.has_illegal_move || evidence.has_false_claim;
        let end = |result, kind, reason: String| Ending { result, kind, reason };
        match (evidence.outcome, evidence.resigned, result) {
            (Some(outcome), None, result)
                if !is_forfeit
                    && !matches!(
                        from_comment,
                        EndingKind::FalseClaim | EndingKind::IllegalMove
                    )
                    && result.is_none_or(|result| Some(result) == on_board) =>
            {
                end(outcome.into(), EndingKind::Board, outcome.to_string())
            }
            (_, Some(loser), result)
                if result.is_none_or(|result| result == GameResult::Win(!loser)) =>
            {
                let reason = format!("{loser} resigns");
                end(GameResult::Win(!loser), EndingKind::Resignation, reason)
            }
            (.., None) => {
                let reason = if comment.is_empty() { "unfinished" } else { comment };
                end(GameResult::Unfinished, EndingKind::Unfinished, shown(reason))
            }
            (.., Some(result)) => {
                let kind = match from_comment {
                    EndingKind::Gui if evidence.has_illegal_move => EndingKind::IllegalMove,
                    EndingKind::Gui if evidence.has_false_claim => EndingKind::FalseClaim,
                    kind => kind,
                };
                let reason = if comment.is_empty() { "no reason given" } else { comment };
                end(result, kind, shown(reason))
            }
        }
    }
}

/// What the comment on a result says, in the words of xboard, of `trebuchet match` and of Cute Chess.
pub fn kind_of_comment(comment: &str) -> EndingKind {
    let has = |words: &[&str]| words.iter().any(|word| comment.contains(word));
    if has(&["llegal move", "invalid move"]) {
        EndingKind::IllegalMove
    } else if has(&["False ", "false claim", "refuses a legal move"]) {
        EndingKind::FalseClaim
    } else if is_time_loss(comment) {
        EndingKind::Time
    } else if has(&["resign"]) {
        EndingKind::Resignation
    } else if is_crash(comment) {
        EndingKind::Crash
    } else {
        EndingKind::Gui
    }
}

/// Does the comment say that a side has lost on time, or did not answer?
pub fn is_time_loss(comment: &str) -> bool {
    let words =
        ["on time", "time forfeit", "ran out of time", "exceeds the time", "stalls", "stalled"];
    words.iter().any(|word| comment.contains(word))
}

/// Does the comment say that the process of an engine has ended?
pub fn is_crash(comment: &str) -> bool {
    let words = [
        "exited unexpectedly",
        "Error writing to",
        "Error reading from",
        "engine has ended",
        "disconnect",
    ];
    words.iter().any(|word| comment.contains(word))
}

/// Judges a result that a bot claims.
///
/// A claim of its own loss is a resignation, so it is never false. A claim that the other side has run
/// out of time is not judged. `is_offered`: the other side has offered a draw.
pub fn judge_claim(
    sheet: &mut Sheet,
    board: &dyn Game,
    bot: Color,
    (result, comment): (GameResult, &str),
    is_offered: bool,
    line: u64,
) -> bool {
    let outcome = board.outcome();
    let is_true = match result {
        GameResult::Win(winner) if winner == bot => {
            outcome.is_some_and(|outcome| outcome.winner == Some(bot))
        }
        GameResult::Draw => is_offered || outcome.is_some_and(|outcome| outcome.winner.is_none()),
        // The GUI believes a loss.
        GameResult::Win(_) => return true,
        GameResult::Unfinished => return true,
    };
    if !is_true && (is_time_loss(comment) || comment.contains("flag")) {
        sheet.not_judged(Item::ResultClaims, "a claim that time is up");
        return true;
    }
    let violation = (!is_true).then(|| {
        let stands = match outcome {
            Some(outcome) => format!("the board says: {outcome}"),
            None => "the game is not over on the board".to_owned(),
        };
        let claim = format!("claims {result} {{{}}}", shown(comment));
        Violation {
            ply: board.ply_count(),
            ..Violation::at_line(line, format!("the bot {claim}, but {stands}"))
        }
    });
    sheet.judge(Item::ResultClaims, violation);
    is_true
}

/// Has the game ended on the board in a way that no GUI plays on after: not by a draw rule that has to
/// be claimed?
pub fn is_final(outcome: Outcome) -> bool {
    matches!(outcome.reason, Reason::Checkmate | Reason::Stalemate | Reason::Variant(_))
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Verdict;
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    const MATED: &str = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
    const OPEN: &str = "7k/8/5K2/8/8/8/8/Q7 w - - 0 1";

    fn claim(fen: &str, bot: Color, result: GameResult, comment: &str) -> (Verdict, String) {
        let mut board = new_game(VariantId::Standard);
        board.set_board(fen).unwrap();
        let mut sheet = Sheet::default();
        judge_claim(&mut sheet, &*board, bot, (result, comment), false, 9);
        let found = sheet.violations(Item::ResultClaims).next();
        (sheet.verdict(Item::ResultClaims), found.map_or(String::new(), |found| found.text.clone()))
    }

    #[test]
    fn a_claim_has_to_stand_on_the_board() {
        let (white, black) = (GameResult::Win(Color::White), GameResult::Win(Color::Black));
        let verdict = |fen, bot, result| claim(fen, bot, result, "because").0;
        assert_eq!(verdict(MATED, Color::White, white), Verdict::Kept);
        assert_eq!(verdict(MATED, Color::Black, white), Verdict::NotTested);
        assert_eq!(verdict(MATED, Color::Black, black), Verdict::Broken);
        assert_eq!(verdict(OPEN, Color::Black, white), Verdict::NotTested);
        assert_eq!(
            claim(OPEN, Color::White, white, "White mates").1,
            "the bot claims 1-0 {White mates}, but the game is not over on the board"
        );
        assert_eq!(
            claim(MATED, Color::White, GameResult::Draw, "Stalemate").1,
            "the bot claims 1/2-1/2 {Stalemate}, but the board says: White mates"
        );
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(verdict(stalemate, Color::Black, GameResult::Draw), Verdict::Kept);
        let flag = claim(OPEN, Color::White, white, "Black's flag fell").0;
        assert_eq!(flag, Verdict::NotJudged("a claim that time is up"));
    }

    #[test]
    fn endings_are_named() {
        let white = GameResult::Win(Color::White);
        let of = |told, outcome, resigned| {
            let Ending { result, kind, reason } =
                Ending::of(&Evidence { told, outcome, resigned, ..Evidence::default() });
            (result.token(), kind.name(), reason)
        };
        let mate = Outcome::win(Color::White, Reason::Checkmate);
        let told = Some((white, "Xboard adjudication: Checkmate"));
        assert_eq!(of(told, Some(mate), None), ("1-0", "board", "White mates".to_owned()));
        assert_eq!(of(None, Some(mate), None), ("1-0", "board", "White mates".to_owned()));
        let told = Some((white, "Black resigns"));
        let resigns = ("1-0", "resignation", "Black resigns".to_owned());
        assert_eq!(of(told, None, Some(Color::Black)), resigns);
        assert_eq!(of(told, None, None), resigns);
        assert_eq!(of(None, None, None), ("*", "unfinished", "unfinished".to_owned()));
        for (comment, kind) in [
            ("White wins on time", "time"),
            ("Black loses on time, 7 ms late", "time"),
            ("Xboard: Forfeit due to invalid move: e1e5 (e1e5 via e1) res=1", "illegal move"),
            ("Black makes an illegal move: e1e5", "illegal move"),
            ("False win claim: 'White mates'", "false claim"),
            ("Error writing to second chess program", "crash"),
            ("Black's engine has ended (exit status: 1)", "crash"),
            ("Xboard adjudication: repetition draw", "gui"),
        ] {
            assert_eq!(of(Some((white, comment)), None, None), ("1-0", kind, comment.to_owned()));
        }
    }
}
