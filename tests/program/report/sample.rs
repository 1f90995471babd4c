//! Games with an invented analysis: moves, clocks, comments and verdicts of every kind.

use std::time::Duration;

use trebuchet::coach::{self, GameHeat, Judgement, Line, Verdict};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, GameResult, Move, Outcome, PieceKind, Reason, Score};
use trebuchet::variants::VariantId;
use workbench::report::{AnnotatedGame, AnnotatedPly, Phase, Punishment};

/// Kasparov against Topalov, Wijk aan Zee 1999.
const CHESS: &str = "e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O \
    Qe7 Kb1 a6 Nc1 O-O-O Nb3 exd4 Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7 Rhe1 d4 Nd5 Nbxd5 \
    exd5 Qd6 Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3 Qxd5 Ra7 Bb7 Rxb7 Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 \
    c3+ Kxc3 Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4 Qxh8 Rd3 Qa8 c3 Qa4+ Ke1 f4 f5 Kc1 Rd2 Qa7";

/// White gives three checks in five moves.
const THREE_CHECK: &str = "e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+ g6 Qxg6+";

/// What a stranger may write into a file of games.
pub const HOSTILE: &str = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>\
    \"'&amp;<!--";

/// Three games: of chess, with clocks; of three-check; and one with hostile texts and no move.
pub fn games() -> Vec<AnnotatedGame> {
    let tags = |tags: &[(&str, &str)]| {
        tags.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let mut chess = analysed(VariantId::Standard, CHESS);
    chess.tags = tags(&[
        ("Event", "Hoogovens Group A"),
        ("Site", "Wijk aan Zee NED"),
        ("Date", "1999.01.20"),
        ("Round", "4"),
        ("White", "Garry Kimovich Kasparov"),
        ("Black", "Veselin Aleksandrov Topalov"),
        ("WhiteElo", "2812"),
        ("BlackElo", "2700"),
        ("TimeControl", "40/7200:3600"),
    ]);
    chess.result = GameResult::Win(Color::White);
    chess.ending = Some("Black resigns".to_owned());
    chess.comment = Some("One of the most famous attacks of all times.".to_owned());
    for (index, ply) in chess.plies.iter_mut().enumerate() {
        let spent = Duration::from_secs(4 + (index as u64 * 7919) % 400);
        ply.spent = Some(spent);
        ply.clock = Some(Duration::from_secs(7200 - 80 * index as u64));
    }
    chess.plies[46].comments = vec![
        "The rook offers itself. Black should decline it with 24... Kb6, after which White has nothing \
         better than to keep some pressure."
            .to_owned(),
    ];
    chess.plies[46].nags = vec![3];
    chess.plies[47].side_lines = vec!["24... Kb6 25. Nb3 Bxd5 26. Qxd6+ Rxd6 27. Rd2".to_owned()];

    let mut three_check = analysed(VariantId::ThreeCheck, THREE_CHECK);
    three_check.result = GameResult::Win(Color::White);
    three_check.ending = Some("White gives third check".to_owned());

    let mut hostile = analysed(VariantId::Standard, "e4");
    hostile.tags = tags(&[("White", HOSTILE), ("Black", HOSTILE), ("Event", HOSTILE)]);
    hostile.comment = Some(HOSTILE.to_owned());
    hostile.problem = Some(format!("Move 1 of Black is not legal: {HOSTILE}"));
    hostile.plies[0].comments = vec![HOSTILE.to_owned()];
    hostile.plies[0].side_lines = vec![HOSTILE.to_owned()];
    vec![chess, three_check, hostile]
}

/// The game with these moves, and an analysis that is not that of an engine.
fn analysed(variant: VariantId, moves: &str) -> AnnotatedGame {
    let mut game = new_game(variant);
    let start_fen = game.fen();
    let mut heat = GameHeat::default();
    let mut plies: Vec<AnnotatedPly> = Vec::new();
    for (index, san) in moves.split_whitespace().enumerate() {
        let mv = game.parse_move(san).unwrap_or_else(|error| panic!("{san}: {error}"));
        let before = game.fork();
        game.play(mv);
        heat.add(&game.heat_map());
        let score = score(game.as_ref(), index);
        let judgement = judgement(index);
        let is_criticised = judgement.is_criticism();
        let best =
            line(before.as_ref(), if is_criticised { other(before.as_ref(), mv) } else { mv });
        let second = line(before.as_ref(), other(before.as_ref(), best.moves[0]));
        let reply = game.legal_moves().into_iter().find(|_| is_criticised);
        let punishment = reply.map(|reply| Punishment {
            text: format!("It loses a queen: {}", game.san(reply)),
            line: vec![reply],
        });
        let words = if is_criticised {
            format!(
                "{}: loses {:.0} % of the winning chances. Better is {}.",
                judgement.verdict,
                100.0 * judgement.loss,
                before.san(best.moves[0])
            )
        } else {
            String::new()
        };
        plies.push(AnnotatedPly {
            mover: before.side_to_move(),
            number: index as u32 / 2 + 1,
            mv,
            san: before.san(mv),
            fen: game.fen(),
            phase: [Phase::Opening, Phase::Middlegame, Phase::Endgame][index.div_ceil(30).min(2)],
            gives_check: game.is_in_check(),
            state: game.describe_state(),
            score,
            lines: vec![best, second],
            judgement,
            words,
            punishment,
            comments: Vec::new(),
            nags: Vec::new(),
            clock: None,
            spent: None,
            heat: game.heat_map(),
            side_lines: Vec::new(),
        });
    }
    let accuracy = |color| {
        let of_side = plies.iter().filter(|ply| ply.mover == color);
        coach::accuracy(of_side.map(|ply| ply.judgement.loss))
    };
    AnnotatedGame {
        variant,
        tags: Vec::new(),
        comment: None,
        opening: (variant == VariantId::Standard).then_some("Pirc Defence"),
        start_fen,
        start_score: Score::cp(20),
        result: GameResult::Unfinished,
        ending: None,
        problem: None,
        accuracy: Color::ALL.map(accuracy),
        limits: "20000 nodes a move".to_owned(),
        engine: "Trebuchet 0.1.0".to_owned(),
        heat: heat.map(),
        plies,
        exercises: Vec::new(),
    }
}

/// The material, with small waves.
fn score(game: &dyn Game, index: usize) -> Score {
    if let Some(Outcome { winner: Some(winner), .. }) = game.outcome() {
        return if winner == Color::White { Score::win_in(0) } else { Score::loss_in(0) };
    }
    let value = |kind| match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight | PieceKind::Bishop => 320,
        PieceKind::Rook => 500,
        PieceKind::Queen => 950,
        PieceKind::King => 0,
    };
    let sign = |color| if color == Color::White { 1 } else { -1 };
    let pieces = game.pieces();
    let material: i32 =
        pieces.iter().flatten().map(|piece| sign(piece.color()) * value(piece.kind())).sum();
    Score::cp(material + 23 * (index as i32 % 5) - 40)
}

/// Most moves are good; some are of every other kind.
fn judgement(index: usize) -> Judgement {
    let (verdict, loss) = match index {
        46 => (Verdict::Brilliant, 0.0),
        36 => (Verdict::Great, 0.0),
        11 | 20 => (Verdict::Inaccuracy, 0.07),
        29 | 43 => (Verdict::Mistake, 0.12),
        5 | 47 => (Verdict::Blunder, 0.32),
        61 => (Verdict::MissedWin(Reason::Checkmate), 0.02),
        _ => (Verdict::Good, 0.01),
    };
    Judgement { verdict, loss }
}

/// The first legal move that is another one; the same if there is no other.
fn other(game: &dyn Game, mv: Move) -> Move {
    game.legal_moves().into_iter().find(|&it| it != mv).unwrap_or(mv)
}

/// A line of up to eight moves.
fn line(before: &dyn Game, first: Move) -> Line {
    let mut game = before.fork();
    let score = Score::cp(33).for_white(before.side_to_move());
    let mut line = Line { score, depth: 14, moves: Vec::new() };
    let mut next = Some(first);
    while let Some(mv) = next {
        line.moves.push(mv);
        game.play(mv);
        let is_over = line.moves.len() == 8 || game.outcome().is_some();
        next = game.legal_moves().into_iter().nth(line.moves.len()).filter(|_| !is_over);
    }
    line
}
