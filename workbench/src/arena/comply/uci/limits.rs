//! Steps: depth, nodes, time and clocks.

use std::time::{Duration, Instant};

use super::conversation::{Search, UciConversation};
use super::moves::play_against_fixed_replies;
use super::step::{
    ComplyStep, Finding, MATE_IN_TWO, MIDDLEGAME, NotOk, lenient, ms, must, should, skip, stop,
};
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "go-depth",
        name: "`go depth 4` ends after four plies",
        rule: "depth: search this many plies only",
        check: |d| {
            let search = search(d, "go depth 4")?;
            let deepest = search.infos().filter_map(|info| info.depth).max().unwrap_or_default();
            should(deepest <= 4, || format!("it shows depth {deepest}"))
        },
    },
    ComplyStep {
        id: "go-nodes",
        name: "`go nodes 20000` ends after about so many nodes",
        rule: "nodes: search this many nodes only",
        check: |d| {
            let search = search(d, "go nodes 20000")?;
            let nodes = search.infos().filter_map(|info| info.nodes).max();
            let nodes = nodes.ok_or_else(|| skip("it shows no nodes"))?;
            should((2_000..=60_000).contains(&nodes), || format!("it searches {nodes} nodes"))
        },
    },
    ComplyStep {
        id: "go-movetime",
        name: "`go movetime 1000` ends within a second",
        rule: "movetime: search exactly this many milliseconds",
        check: |d| {
            let took = search(d, "go movetime 1000")?.took;
            must(took <= ms(1200), || late(took))?;
            should(took >= ms(500), || format!("after {} ms", took.as_millis()))
        },
    },
    ComplyStep {
        id: "go-movetime-short",
        name: "`go movetime 100` ends within a tenth of a second",
        rule: "movetime: search exactly this many milliseconds",
        check: |d| {
            let took = search(d, "go movetime 100")?.took;
            should(took <= ms(300), || late(took))
        },
    },
    ComplyStep {
        id: "go-mate",
        name: "`go mate 2` ends with the first move of a mate in two",
        rule: "mate: search for a mate in this many moves",
        check: |d| {
            d.new_game()?;
            d.position::<&str>(MATE_IN_TWO, &[])?;
            let go = "go mate 2";
            d.say(&[go])?;
            let search = match d.best_move(ms(3000), go) {
                Err(NotOk::Fail(_)) => {
                    stop(d)?;
                    return Err(NotOk::Warn(
                        "it does not end when it has found the mate".to_owned(),
                    ));
                }
                search => search?,
            };
            let best = search.best()?;
            must(best == "d5d8", || format!("it plays {best} instead of d5d8"))
        },
    },
    ComplyStep {
        id: "one-second-left",
        name: "a move with one second on the clock takes less than that",
        rule: "wtime, btime: milliseconds on the clocks",
        check: |d| moves_within(d, "go wtime 1000 btime 1000 winc 0 binc 0", ms(1000)),
    },
    ComplyStep {
        id: "hundredth-of-a-second-left",
        name: "a move with a hundredth of a second left comes at once",
        rule: "wtime, btime: milliseconds on the clocks",
        check: |d| moves_within(d, "go wtime 10 btime 1000 winc 0 binc 0", ms(400)),
    },
    ComplyStep {
        id: "clock-below-zero",
        name: "a clock below zero does no harm",
        rule: "some GUIs let a game go on after the flag",
        check: |d| {
            // The protocol does not say what it means.
            lenient(moves_within(d, "go wtime -150 btime -3 winc 0 binc 0", ms(1000)))
        },
    },
    ComplyStep {
        id: "clock-of-its-own-side",
        name: "each side minds its own clock",
        rule: "wtime is White's clock, btime is Black's",
        check: |d| {
            d.new_game()?;
            d.position::<&str>(MIDDLEGAME, &[])?;
            let white = d.think("go wtime 500 btime 600000")?.took;
            must(white <= ms(500), || late(white))?;
            d.position(MIDDLEGAME, &["e1g1"])?;
            let black = d.think("go wtime 600000 btime 500")?.took;
            must(black <= ms(500), || late(black))
        },
    },
    ComplyStep {
        id: "last-move-of-the-period",
        name: "the last move before the time control leaves time",
        rule: "movestogo: there are this many moves to the next time control",
        check: |d| moves_within(d, "go wtime 1000 btime 1000 movestogo 1", ms(1000)),
    },
    ComplyStep {
        id: "forty-moves-to-go",
        name: "a move with forty to go takes a small part of the time",
        rule: "movestogo: there are this many moves to the next time control",
        check: |d| {
            let took = search(d, "go wtime 4000 btime 4000 movestogo 40")?.took;
            should(took <= ms(1500), || late(took))
        },
    },
    ComplyStep {
        id: "twenty-moves-in-time",
        name: "twenty moves with 2 s + 0.1 s stay within the time",
        rule: "wtime, btime, winc, binc in milliseconds",
        check: |d| {
            d.new_game()?;
            let (increment, mut left) = (ms(100), ms(2000));
            play_against_fixed_replies::<Standard>(d, "startpos", 20, |d| {
                let clock = left.as_millis();
                let go = format!("go wtime {clock} btime {clock} winc 100 binc 100");
                let begun = Instant::now();
                let answer = d.think(&go)?.best()?.to_owned();
                let took = begun.elapsed();
                must(took <= left, || format!("a move takes {} ms of {clock}", took.as_millis()))?;
                left = left.saturating_sub(took) + increment;
                Ok(answer)
            })
        },
    },
];

fn search(d: &mut UciConversation, go: &str) -> Result<Search, NotOk> {
    d.new_game()?;
    d.position::<&str>(MIDDLEGAME, &[])?;
    d.think(go)
}

fn moves_within(d: &mut UciConversation, go: &str, limit: Duration) -> Finding {
    let took = search(d, go)?.took;
    must(took <= limit, || late(took))
}

fn late(took: Duration) -> String {
    format!("it takes {} ms", took.as_millis())
}
