//! The coach names the punishment of known mistakes, and claims no motif that only seems to be there.

use std::fs;
use std::path::Path;

use trebuchet::board::Position;
use trebuchet::coach::{Assessment, BestLines, Line, Manner, Motif, Tactic, assess};
use trebuchet::notation::{parse_move, san};
use trebuchet::search::{Limits, PositionSearch, Search, StopToken};
use trebuchet::types::{Move, Score};
use trebuchet::variants::Standard;

type Pos = Position<Standard>;

/// A known mistake with its punishment.
struct Case {
    motif: String,
    /// Is the motif really there?
    is_present: bool,
    puzzle: String,
    before: Pos,
    /// The mistake, then the punishment and how the game goes on.
    moves: Vec<Move>,
}

impl Case {
    fn after(&self) -> Pos {
        let mut pos = self.before.clone();
        pos.make_move(self.moves[0]);
        pos
    }

    fn punishment(&self) -> String {
        san(&self.after(), self.moves[1])
    }

    /// What the coach says of the mistake if a search has found this line after it. Before the mistake,
    /// some other move kept the balance.
    fn assessed(&self, after: Line) -> Assessment {
        let others = self.before.legal_moves();
        let other = others.iter().copied().find(|&mv| mv != self.moves[0]);
        let better = other.map(|mv| Line { score: Score::ZERO, depth: 20, moves: vec![mv] });
        let better: Vec<Line> = better.into_iter().collect();
        assess(&self.before, &better, self.moves[0], &[after])
    }

    /// The score of the line for the punisher: a mate if there is one on the board.
    fn score(&self) -> Score {
        let mut pos = self.before.clone();
        self.moves.iter().for_each(|&mv| pos.make_move(mv));
        let plies = self.moves.len() as u32 - 1;
        match pos.outcome() {
            Some(outcome) if outcome.winner.is_some() => Score::win_in(plies as _),
            _ => Score::cp(600),
        }
    }
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/motifs.csv");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let [motif, present, puzzle, fen, moves] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let before = Pos::from_fen(fen).unwrap();
        let mut pos = before.clone();
        let mut read = |text: &str| {
            let mv = parse_move(&pos, text).unwrap();
            pos.make_move(mv);
            mv
        };
        Case {
            motif: motif.to_owned(),
            is_present: present == "yes",
            puzzle: puzzle.to_owned(),
            moves: moves.split(' ').map(&mut read).collect(),
            before,
        }
    })
    .collect()
}

/// The names in the file for what the coach claims.
fn claims(motif: &Motif) -> &'static [&'static str] {
    match motif {
        Motif::Win { manner: Manner::BackRank, .. } => &["back rank mate"],
        Motif::Promotion { .. } => &["advanced pawn"],
        Motif::Intermezzo(_) => &["intermezzo"],
        Motif::Material { tactic: Some(tactic), .. } => match tactic {
            Tactic::Hanging(..) => &["hanging piece"],
            Tactic::Fork(..) => &["fork"],
            Tactic::Skewer(..) => &["skewer"],
            Tactic::Pin(..) => &["pin prevents attack", "pin prevents escape"],
            Tactic::DiscoveredCheck | Tactic::DiscoveredAttack(..) => &["discovered attack"],
            Tactic::DefenderTaken(..) => &["capturing defender"],
            Tactic::DefenderLured(..) => &["deflection"],
            Tactic::Overloaded(..) => &["overloading", "deflection"],
            Tactic::Trapped(..) => &["trapped piece"],
            Tactic::Explosion(_) => &[],
        },
        _ => &[],
    }
}

#[derive(Default)]
struct Tally {
    /// The cases of which the first move of the punishment is found.
    named: usize,
    /// Those of them that have the motif and are said to have it.
    with_motif: usize,
    /// The words for each case that was not named, or wrongly.
    unnamed: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn count(&mut self, case: &Case, said: &Assessment) {
        let Case { motif, puzzle, .. } = case;
        let words = said.punishment().unwrap_or_default();
        println!("{puzzle} {motif} {}: {} {words}", case.is_present, said.sentence());
        let refutation = said.refutation.as_ref();
        if refutation.is_some_and(|found| found.sans.first() == Some(&case.punishment())) {
            self.named += 1;
        } else {
            self.unnamed.push(format!("{puzzle} {motif}: {words}"));
        }
        let claims = refutation.map_or(&[][..], |found| claims(&found.motif));
        self.with_motif += usize::from(case.is_present && claims.contains(&&**motif));
        if !case.is_present && claims.contains(&&**motif) {
            self.wrong.push(format!("{puzzle} {motif}: {words}"));
        }
    }
}

#[test]
fn known_mistakes_are_punished_by_name() {
    let mut tally = Tally::default();
    for case in cases() {
        let line = Line { score: case.score(), depth: 20, moves: case.moves[1..].to_vec() };
        tally.count(&case, &case.assessed(line));
    }
    println!("{} named, {} motifs; {:#?}", tally.named, tally.with_motif, tally.unnamed);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.with_motif >= 14, "{} of {}", tally.with_motif, tally.named);
    assert!(tally.named >= 54, "{} {:#?}", tally.named, tally.unnamed);
}

/// The same with lines that a search of 200,000 nodes finds, before the mistake and after it.
#[test]
#[ignore = "searches for half a minute"]
fn a_search_finds_the_punishment_of_known_mistakes() {
    let limits = |lines| Limits { nodes: Some(200_000), lines, ..Limits::default() };
    let search = |pos: &Pos, count: usize| {
        let mut lines = BestLines::new(count.min(pos.legal_moves().len()));
        Search::<Standard>::new().run(pos, &limits(count), &StopToken::new(), &mut lines);
        lines.finish(None)
    };
    let mut tally = Tally::default();
    for case in cases() {
        let (before, after) = (search(&case.before, 2), search(&case.after(), 1));
        tally.count(&case, &assess(&case.before, &before, case.moves[0], &after));
    }
    println!("{} named; {:#?}", tally.named, tally.unnamed);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.named >= 40, "{} {:#?}", tally.named, tally.unnamed);
}
