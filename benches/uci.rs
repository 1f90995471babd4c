//! How long a session of UCI takes for `position` with the moves of a long game: `cargo bench --bench uci`.
//!
//! GUIs send all moves of the game before each search, and the session plays only those that are not on
//! its board yet.

use std::cell::RefCell;
use std::sync::Arc;

use divan::Bencher;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use trebuchet::board::Position;
use trebuchet::play::{Engine, EngineSettings, Host, ResourceLimits};
use trebuchet::protocol::options::SessionSettings;
use trebuchet::protocol::session::{Event, Session};
use trebuchet::uci::session::UciSession;
use trebuchet::variants::{Standard, VariantId};

fn main() {
    divan::main();
}

/// A game of random moves, of 301 plies.
fn moves() -> Vec<String> {
    let game = |seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Position::<Standard>::start();
        let mut moves = Vec::new();
        while moves.len() < 301 && position.outcome().is_none() {
            let mv = *position.legal_moves().choose(&mut random)?;
            moves.push(mv.to_string());
            position.make_move(mv);
        }
        Some(moves).filter(|moves| moves.len() == 301)
    };
    (0..).find_map(game).expect("one of the seeds gives a long game")
}

fn position(moves: &[String]) -> Vec<u8> {
    format!("position startpos moves {}", moves.join(" ")).into_bytes()
}

/// A session, which gets lines.
struct Client(RefCell<UciSession>);

impl Client {
    fn new() -> Client {
        let host = Host::native(ResourceLimits::OWNER, Arc::new(|_| {}));
        let settings = EngineSettings { hash: 1, ..EngineSettings::default() };
        let engine = Engine::new(VariantId::Standard, settings, host);
        Client(RefCell::new(UciSession::new(engine, SessionSettings::default())))
    }

    fn say(&self, line: Vec<u8>) {
        let mut session = self.0.borrow_mut();
        let now = session.now();
        let flow = session.handle(Event::Line(line), now, &mut |reply| panic!("{reply}"));
        assert!(flow.is_continue());
    }
}

/// The board is empty, as after `ucinewgame`.
#[divan::bench]
fn all_300_moves(bencher: Bencher) {
    let line = position(&moves()[..300]);
    let client = Client::new();
    bencher
        .with_inputs(|| {
            client.say(b"ucinewgame".to_vec());
            line.clone()
        })
        .bench_local_values(|line| client.say(line));
}

/// The first 300 moves are on the board.
#[divan::bench]
fn one_more_move(bencher: Bencher) {
    let moves = moves();
    let (before, line) = (position(&moves[..300]), position(&moves));
    let client = Client::new();
    bencher
        .with_inputs(|| {
            client.say(before.clone());
            line.clone()
        })
        .bench_local_values(|line| client.say(line));
}
