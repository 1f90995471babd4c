//! Makes the collection of moments on which the coach is judged, `tests/data/moments.tsv`:
//!
//! ```text
//! for game in normal 3check kingofthehill fischerandom; do
//!     cargo bench --bench moments -- collect $game 76 1
//! done > found.tsv
//! cargo bench --bench moments -- judge 18 1000000 < found.tsv > moments.tsv
//! ```
//!
//! `tests/data/moments_of_games.tsv` comes from `collect GAME 60 7` for `antichess`, `crazyhouse` and `racingkings`, and
//! `judge 14 120000`. To both files were added `collect GAME 40 31` (`collect horde 60 31`) and `judge 18 400000`. After
//! `restudy` with new networks, `collect` with the seed 61 took the place of what was left out.
//!
//! `collect GAME COUNT SEED` lets the levels play against one another until there are COUNT bad moves, and writes
//! what the coach's searches find before and after them. `judge DEPTH NODES` adds what a second engine finds at this
//! depth or after NODES nodes: `stockfish` for chess, `fairy-stockfish` for the other games. `restudy` searches the
//! moments of such a file anew, leaves out those that are no longer criticised, and keeps what the second engine
//! found after the same moves; `judge` then adds the rest.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use trebuchet::coach::{BestLines, Line};
use trebuchet::play::{
    Engine, EngineSettings, Game, Host, ResourceLimits, SearchEvent, SkillLevel, findings,
    inline_searcher, new_game,
};
use trebuchet::protocol::dialect::VariantNames;
use trebuchet::search::{Limits, Observer};
use trebuchet::types::{Move, Score, TimeSource};
use trebuchet::variants::VariantId;

/// The nodes of the searches that look for bad moves.
const LOOK_NODES: u64 = 10_000;
/// The most nodes of a search that may not end by itself.
const MOST_NODES: u64 = 1_000_000;
/// The most moments of one game.
const MOST_OF_A_GAME: usize = 4;
/// The most plies of a line that are written.
const LONGEST_LINE: usize = 12;
/// Games are broken off after this many plies.
const LONGEST_GAME: usize = 160;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().expect("a number");
    match words[..] {
        ["collect", game, count, seed, ..] => {
            let variant = VariantId::from_name(game).expect("a game");
            collect(variant, number(count) as usize, number(seed));
        }
        ["judge", depth, nodes, ..] => judge(number(depth), number(nodes)),
        ["restudy", ..] => restudy(),
        _ => println!("moments: collect GAME COUNT SEED, judge DEPTH NODES, or restudy"),
    }
}

/// An engine that searches on this thread, and its events.
struct Player {
    engine: Engine,
    events: Receiver<SearchEvent>,
}

impl Player {
    fn new(variant: VariantId, seed: u64) -> Player {
        let (sender, events) = mpsc::channel();
        let host = Host {
            clock: TimeSource::still(),
            seed,
            limits: ResourceLimits { files: false, hash: 16, threads: 1 },
            new_searcher: Box::new(|variant| inline_searcher(variant, MOST_NODES)),
            built_in_books: true,
            ratings: None,
            sink: Arc::new(move |event| sender.send(event).unwrap_or_default()),
        };
        let settings = EngineSettings { hash: 16, ..EngineSettings::default() };
        Player { engine: Engine::new(variant, settings, host), events }
    }

    /// The move of a level.
    fn choose(&mut self, level: SkillLevel) -> Option<Move> {
        self.engine.change_settings(|settings| settings.level = level);
        self.engine.think(Limits::default(), None, self.engine.now());
        let events = self.events.try_iter();
        events.fold(None, |found, event| match event {
            SearchEvent::Finished(_, choice) => choice.best,
            _ => found,
        })
    }

    /// The best lines of a position, found by a search of full strength that knows nothing yet.
    fn study(&mut self, game: &dyn Game, count: usize, nodes: u64) -> Vec<Line> {
        if game.outcome().is_some() {
            return Vec::new();
        }
        self.engine.change_settings(|settings| {
            settings.level = SkillLevel::Master;
            settings.lines = count;
            settings.book.is_used = false;
        });
        self.engine.clear();
        self.engine.game_mut().set_board(&game.fen()).expect("a legal position");
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.engine.think(limits, None, self.engine.now());
        let mut lines = BestLines::new(count.min(game.legal_moves().len()));
        for event in self.events.try_iter() {
            if let SearchEvent::Progress(_, progress) = event {
                lines.line(progress);
            }
        }
        lines.finish(None)
    }
}

/// Writes `count` bad moves, each once, half of them from games that are set aside.
fn collect(variant: VariantId, count: usize, seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut left = [count.div_ceil(2), count / 2];
    let mut known = HashSet::new();
    let [mut player, mut coach] = [(); 2].map(|()| Player::new(variant, random.random()));
    for half in [0, 1].into_iter().cycle() {
        if left == [0, 0] {
            break;
        }
        let mut positions = play(&mut player, variant, &mut random);
        positions.shuffle(&mut random);
        let moments = positions.iter().filter_map(|(game, mv)| moment(&mut coach, &**game, *mv));
        for moment in moments.take(MOST_OF_A_GAME.min(left[half])) {
            if known.insert(moment.clone()) {
                println!("{}\t{}\t{moment}", ["a", "b"][half], variant.name());
                left[half] -= 1;
            }
        }
    }
}

/// A game between two levels: its positions with the moves that were played.
fn play(
    player: &mut Player,
    variant: VariantId,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<(Box<dyn Game>, Move)> {
    let people = &SkillLevel::ALL[..4];
    let levels = [(); 2].map(|()| *people.choose(random).expect("there are levels"));
    player.engine.change_settings(|settings| settings.book.is_used = true);
    player.engine.begin_game(variant);
    player.engine.draw_start_position();
    let mut positions = Vec::new();
    while player.engine.game().outcome().is_none() && positions.len() < LONGEST_GAME {
        let Some(mv) = player.choose(levels[positions.len() % 2]) else { break };
        positions.push((player.engine.game().fork(), mv));
        player.engine.game_mut().play(mv);
    }
    positions
}

/// The move, if the coach criticises it, as the file has it.
fn moment(coach: &mut Player, game: &dyn Game, mv: Move) -> Option<String> {
    let mut before = new_game(game.variant());
    before.set_board(&game.fen()).ok()?;
    let mut after = before.fork();
    after.play(mv);
    let mut look = |nodes| {
        let mut study = |game: &dyn Game, count| coach.study(game, count, nodes);
        let [lines, lines_after] = findings(&*before, mv, &mut study)?;
        let said = before.assess(&lines, mv, &lines_after);
        said.judgement.is_criticism().then_some([lines, lines_after])
    };
    let [lines, lines_after] = look(LOOK_NODES).and_then(|_| look(before.study_nodes()))?;
    let text = |game: &dyn Game, line: Option<&Line>| match line {
        Some(line) => written(game, line.score, &line.moves),
        None => "-".to_owned(),
    };
    let fields = [
        before.fen(),
        before.san(mv),
        text(&*before, lines.first()),
        text(&*before, lines.get(1)),
        text(&*after, lines_after.first()),
    ];
    Some(fields.join("\t"))
}

/// A line with its score from the side to move: `cp -30: Nf3 Nc6`.
fn written(game: &dyn Game, score: Score, moves: &[Move]) -> String {
    let score = match score.moves_to_end() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.value()),
    };
    let mut game = game.fork();
    let sans = moves.iter().take(LONGEST_LINE).map(|&mv| {
        let san = game.san(mv);
        game.play(mv);
        san
    });
    format!("{score}: {}", sans.collect::<Vec<_>>().join(" "))
}

/// Searches the moments of a judged file anew.
fn restudy() {
    for row in rows() {
        let fields: Vec<&str> = row.split('\t').collect();
        let variant = VariantId::from_name(fields[1]).expect("a game");
        let mut game = new_game(variant);
        game.set_board(fields[2]).expect("a position");
        let mv = game.parse_move(fields[3]).expect("a move");
        let Some(moment) = moment(&mut Player::new(variant, 1), &*game, mv) else { continue };
        // What was found after a move that is still the first one of its line holds.
        let found: Vec<&str> = moment.split('\t').collect();
        let is_same =
            |line: usize, index: usize| first_move(fields[line]) == first_move(found[index]);
        let kept = |is_same, line: usize| if is_same { fields[line] } else { "" };
        let [reply, better] = [kept(is_same(6, 4), 9), kept(is_same(4, 2), 10)];
        let [before, after] = [fields[7], fields[8]];
        println!("{}\t{}\t{moment}\t{before}\t{after}\t{reply}\t{better}", fields[0], fields[1]);
    }
}

fn first_move(line: &str) -> Option<&str> {
    Some(parts(line)?.1[0])
}

/// The moments of the standard input.
fn rows() -> impl Iterator<Item = String> {
    io::stdin().lines().map(|row| row.expect("text")).filter(|row| !row.starts_with('#'))
}

/// Adds to each moment the lines that a second engine finds: before the move and after it, if the row lacks them,
/// after the first reply of the coach's line, and after the coach's better move.
fn judge(depth: u64, nodes: u64) {
    let limits = format!("go depth {depth} nodes {nodes}");
    let mut chess = Judge::new("stockfish", limits.clone());
    let mut fairy = Judge::new("fairy-stockfish", limits);
    for row in rows() {
        let fields: Vec<&str> = row.split('\t').collect();
        let variant = VariantId::from_name(fields[1]).expect("a game");
        let names = VariantNames::of(variant);
        let judge = if names.uci == "chess" { &mut chess } else { &mut fairy };
        judge.begin(&names);
        let mut game = new_game(variant);
        game.set_board(fields[2]).expect("a position");
        let known = |index: usize| {
            fields.get(index).filter(|line| !line.is_empty()).map(|&line| line.to_owned())
        };
        let before = known(7).unwrap_or_else(|| judge.line(&*game));
        let better = known(10).unwrap_or_else(|| judge.next_line(&*game, &before, fields[4]));
        game.play(game.parse_move(fields[3]).expect("a move"));
        let after = known(8).unwrap_or_else(|| judge.line(&*game));
        let reply = known(9).unwrap_or_else(|| judge.next_line(&*game, &after, fields[6]));
        let moment = fields[..7].join("\t");
        println!("{moment}\t{before}\t{after}\t{reply}\t{better}");
    }
}

/// The score of a line and its moves, if it has any.
fn parts(line: &str) -> Option<(&str, Vec<&str>)> {
    let (score, moves) = line.split_once(": ")?;
    Some((score, moves.split(' ').collect()))
}

/// A second engine, which speaks UCI.
struct Judge {
    limits: String,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Judge {
    fn new(program: &str, limits: String) -> Judge {
        let mut command = Command::new(program);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Judge { limits, process, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine listens");
    }

    fn begin(&mut self, names: &VariantNames) {
        self.say("setoption name Hash value 64");
        if names.uci != "chess" {
            self.say(&format!("setoption name UCI_Variant value {}", names.uci));
        }
        self.say(&format!("setoption name UCI_Chess960 value {}", names.is_chess960));
        self.say("ucinewgame");
    }

    /// The engine's best line of a position; `-` at the end of the game.
    fn line(&mut self, game: &dyn Game) -> String {
        if game.outcome().is_some() {
            return "-".to_owned();
        }
        self.say(&format!("position fen {}", game.fen()));
        self.say(&self.limits.clone());
        let mut best = String::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "the engine has ended");
            if line.starts_with("bestmove") {
                return read(game, &best);
            }
            if line.contains(" pv ") && !line.contains("bound ") {
                best = line;
            }
        }
    }

    /// The engine's best line after the first move of the coach's line. If that is the engine's own first move,
    /// the rest of its line is taken.
    fn next_line(&mut self, game: &dyn Game, own: &str, coach: &str) -> String {
        let Some((_, moves)) = parts(coach) else { return "-".to_owned() };
        if let Some((score, own)) = parts(own)
            && own.len() > 1
            && own[0] == moves[0]
            && let Some(value) = score.strip_prefix("cp ")
        {
            let value: i32 = value.parse().expect("a number");
            return format!("cp {}: {}", -value, own[1..].join(" "));
        }
        let mut next = game.fork();
        next.play(game.parse_move(moves[0]).expect("a move"));
        self.line(&*next)
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        self.say("quit");
        let _ = self.process.wait();
    }
}

/// The line of an `info`, as the file has it.
fn read(game: &dyn Game, info: &str) -> String {
    let words: Vec<&str> = info.split_whitespace().collect();
    let at = |word| words.iter().position(|&found| found == word).expect("a line with a score");
    let (score, pv) = (at("score"), at("pv"));
    let mut game = game.fork();
    let mut sans = Vec::new();
    for text in words[pv + 1..].iter().take(LONGEST_LINE) {
        let Ok(mv) = game.parse_move(text) else { break };
        sans.push(game.san(mv));
        game.play(mv);
    }
    format!("{} {}: {}", words[score + 1], words[score + 2], sans.join(" "))
}
