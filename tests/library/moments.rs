//! The coach on moments from games of the levels: what it says is confirmed by a second engine, and it has
//! something to say.

use std::fs;
use std::path::Path;

use trebuchet::coach::{Assessment, Line, Motif, win_chances};
use trebuchet::play::{Game, findings, new_game};
use trebuchet::types::{Move, Score};
use trebuchet::variants::VariantId;

/// A bad move of a game between levels, with the lines of a search before it and after it.
struct Moment {
    /// The half of the collection: `b` was set aside when the words were made.
    half: String,
    place: String,
    said: Assessment,
    /// By the second engine, in percent of the chances: what the move lost, what the first reply of the line
    /// loses, and what the better move loses.
    fault: i32,
    reply: i32,
    better: i32,
    /// By the second engine, in how many moves the opponent wins by force after the move, and before it.
    ends: [Option<i32>; 2],
}

impl Moment {
    /// Is what the coach says of the punishment confirmed? The move is a mistake, and the reply is a good one, if
    /// there is one. An end of the game is confirmed if it comes as soon, and came later before.
    fn is_punished(&self) -> bool {
        let Some(refutation) = &self.said.refutation else { return false };
        if let (Motif::Win { moves, .. }, [Some(after), before]) = (&refutation.motif, self.ends) {
            return after as usize <= *moves && before.is_none_or(|before| before > after);
        }
        self.fault >= 1 && (self.reply <= TOLERANCE || refutation.sans.is_empty())
    }
}

/// The moves of a line in SAN, and the position after them.
pub fn played(start: &dyn Game, line: &str) -> (Vec<Move>, Box<dyn Game>) {
    let mut game = start.fork();
    let mut moves = Vec::new();
    for san in line.split(' ') {
        let mv = game.parse_move(san).unwrap_or_else(|error| panic!("{line}: {san}: {error}"));
        game.play(mv);
        moves.push(mv);
    }
    (moves, game)
}

/// A line as the file has it, `cp -30: Nf3 Nc6`; `-` is none.
fn line(position: &dyn Game, text: &str) -> Option<Line> {
    let (score, sans) = text.split_once(": ")?;
    let score = match score.split_once(' ')? {
        ("cp", value) => Score::cp(value.parse().unwrap()),
        (_, moves) => {
            let moves: i32 = moves.parse().unwrap();
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            if moves > 0 { Score::win_in(plies as _) } else { Score::loss_in(plies as _) }
        }
    };
    let (moves, _) = played(position, sans);
    Some(Line { score, depth: 10, moves })
}

/// The position after a move in SAN.
fn after(position: &dyn Game, san: &str) -> Box<dyn Game> {
    let mut game = position.fork();
    game.play(game.parse_move(san).unwrap());
    game
}

/// The chances of the side to move in percent, by a line that the second engine has found.
fn chances(position: &dyn Game, text: &str) -> i32 {
    let score = match (line(position, text), position.outcome()) {
        (Some(line), _) => line.score,
        (None, Some(outcome)) => outcome.score_for(position.side_to_move()),
        (None, None) => panic!("{}: no line", position.fen()),
    };
    (100.0 * win_chances(score)).round() as i32
}

/// In how many moves the side to move wins by force; negative if it loses.
fn end(position: &dyn Game, text: &str) -> Option<i32> {
    line(position, text)?.score.moves_to_end()
}

fn moment(row: &str) -> Moment {
    let fields: Vec<&str> = row.split('\t').collect();
    let [half, variant, fen, san, lines @ ..] = &fields[..] else { panic!("{row}") };
    let [best, second, reply, found_before, found_after, found_reply, found_better] = lines else {
        panic!("{row}")
    };
    let mut before = new_game(VariantId::from_name(variant).unwrap());
    before.set_board(fen).unwrap();
    let later = after(&*before, san);
    let best = line(&*before, best).unwrap();
    let better = after(&*before, &before.san(best.moves[0]));
    let reply = line(&*later, reply);
    let replied = reply.as_ref().map(|line| after(&*later, &later.san(line.moves[0])));
    let [chance, chance_later] = [chances(&*before, found_before), chances(&*later, found_after)];
    let lines: Vec<Line> = [Some(best), line(&*before, second)].into_iter().flatten().collect();
    let lines_after: Vec<Line> = reply.into_iter().collect();
    Moment {
        half: (*half).to_owned(),
        place: format!("{variant} {fen} {san}"),
        said: before.assess(&lines, before.parse_move(san).unwrap(), &lines_after),
        fault: chance + chance_later - 100,
        reply: replied.map_or(0, |game| chance_later + chances(&*game, found_reply) - 100),
        better: chance + chances(&*better, found_better) - 100,
        ends: [end(&*later, found_after), end(&*before, found_before).map(|moves| -moves)]
            .map(|end| end.filter(|&moves| moves > 0)),
    }
}

fn moments(file: &str) -> Vec<Moment> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|row| !row.starts_with('#')).map(moment).collect()
}

/// What the second engine may find the better reply or the better move by, in percent of the chances, for
/// the words to be true.
const TOLERANCE: i32 = 5;

#[test]
fn reasons_are_true_and_most_moments_have_one() {
    check("moments.tsv", &HALVES);
}

/// The same in the games that differ most from chess.
#[test]
fn reasons_are_true_in_the_other_games() {
    check("moments_of_games.tsv", &HALVES_OF_GAMES);
}

fn check(file: &str, halves: &[Half]) {
    let moments = moments(file);
    for &Half { name: half, moments: least, most_wrong, least_with_reason } in halves {
        let (mut count, mut with_reason, mut given) = (0, 0, 0);
        let mut wrong = Vec::new();
        for moment in moments.iter().filter(|moment| moment.half == half) {
            let Moment { place, said, fault, reply, better, .. } = moment;
            if !said.judgement.is_criticism() {
                continue;
            }
            let punishment = said.punishment();
            let merits = said.better.as_ref().map_or(&[][..], |better| &better.reasons);
            println!("{half} {place} ({fault}, {reply}, {better}): {}", said.remark().unwrap());
            count += 1;
            with_reason += usize::from(punishment.is_some() || !merits.is_empty());
            if let Some(words) = punishment {
                given += 1;
                if !moment.is_punished() {
                    wrong.push(format!("{place} ({fault}, {reply}): {words}"));
                }
            }
            if !merits.is_empty() {
                given += 1;
                if *better > TOLERANCE {
                    wrong.push(format!("{place} ({better}): {merits:?}"));
                }
            }
        }
        println!(
            "{half}: {with_reason} of {count} have a reason; {} of {given} wrong",
            wrong.len()
        );
        println!("{wrong:#?}");
        assert!(count >= least, "{count}");
        assert!(100 * wrong.len() <= most_wrong * given, "{} of {given}: {wrong:#?}", wrong.len());
        assert!(100 * with_reason >= least_with_reason * count, "{with_reason} of {count}");
    }
}

/// A study that finds these lines, and otherwise nothing. A position is named by the moves that lead to it.
fn finds(known: &[(&str, &str)], position: &dyn Game, count: usize) -> Vec<Line> {
    let mut game = position.fork();
    let mut path = Vec::new();
    while let Some(mv) = game.undo() {
        path.insert(0, game.san(mv));
    }
    let found = known.iter().filter(|(at, _)| *at == path.join(" "));
    found.filter_map(|(_, text)| line(position, text)).take(count).collect()
}

#[test]
fn a_better_move_is_searched_as_far_as_the_played_one() {
    let before = new_game(VariantId::Standard);
    let played = before.parse_move("g4").unwrap();
    let advice = |known: &[(&str, &str)]| {
        let mut study = |position: &dyn Game, count: usize| finds(known, position, count);
        let [lines, lines_after] = findings(&*before, played, &mut study).unwrap();
        let said = before.assess(&lines, played, &lines_after);
        said.better.map_or("-".to_owned(), |better| better.line.join(" "))
    };
    let found = [("", "cp 60: e4 e5"), ("", "cp 50: d4 d5"), ("g4", "cp 80: d5 h3")];
    assert_eq!(advice(&found), "e4 e5");
    let and = |more: &[(&'static str, &'static str)]| [&found[..], more].concat();
    // Its own search confirms the move, and its line is told.
    assert_eq!(advice(&and(&[("e4", "cp -55: c5 Nf3")])), "e4 c5 Nf3");
    // It does not, and the second move comes first; or that is no better either.
    let worse = ("e4", "cp 20: c5 Nf3");
    assert_eq!(advice(&and(&[worse])), "d4 d5");
    assert_eq!(advice(&and(&[worse, ("d4", "cp 30: Nf6 c4")])), "e4 c5 Nf3");
    // What is no better than the move itself is no reason to criticise it.
    assert_eq!(advice(&and(&[("e4", "cp 80: c5 Nf3"), ("d4", "cp 70: Nf6 c4")])), "-");
    // An end of the game is one ply further away before the move.
    let study = and(&[("e4", "mate -2: f6 d4")]);
    let mut study = |position: &dyn Game, count: usize| finds(&study, position, count);
    let [lines, _] = findings(&*before, played, &mut study).unwrap();
    assert_eq!(lines[0].score, Score::win_in(5));
}

/// What has been reached in a half of a collection, so that it does not get worse.
struct Half {
    name: &'static str,
    /// The least number of moments.
    moments: usize,
    /// The most reasons that are not confirmed, in percent of those given.
    most_wrong: usize,
    /// The least moments with a reason, in percent.
    least_with_reason: usize,
}

/// Wanted are 5 and 80 percent.
const HALVES: [Half; 2] = [
    Half { name: "a", moments: 205, most_wrong: 4, least_with_reason: 85 },
    Half { name: "b", moments: 187, most_wrong: 6, least_with_reason: 81 },
];

const HALVES_OF_GAMES: [Half; 2] = [
    Half { name: "a", moments: 139, most_wrong: 11, least_with_reason: 76 },
    Half { name: "b", moments: 153, most_wrong: 11, least_with_reason: 79 },
];
