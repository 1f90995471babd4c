//! What the page shows of a game without its script: players, figures, curve, moves.

use maud::{Markup, PreEscaped, html};

use super::{charts, moves, words};
use crate::report::diagram::{ChecksGiven, Diagram, checks_given};
use crate::report::{AnnotatedGame, AnnotatedPly, Phase, critical_moments, instructive_moments};
use trebuchet::board::Position;
use trebuchet::coach::{VerdictKind, accuracy};
use trebuchet::for_variant;
use trebuchet::play::new_game;
use trebuchet::types::{Color, Move, Square};
use trebuchet::variants::VariantId;

/// The section of a game; `index` counts from 1. The script fills the board and the card.
/// With `has_diagram`, those who do not run the script see the last position.
pub fn article(game: &AnnotatedGame, index: usize, has_diagram: bool) -> Markup {
    html! {
        article.game id={ "g" (index) } {
            (head(game))
            @if let Some(problem) = &game.problem {
                p.problem { (problem) }
            }
            (digest(game, index))
            div.layout {
                div.column.board-column {
                    section.stage aria-label="Board" {
                        @if has_diagram { noscript { (diagram(game)) } }
                    }
                    section.panel.summary {
                        h3 { "Accuracy and verdicts" }
                        (summary(game))
                    }
                    @if let Some(times) = charts::times(game) {
                        section.panel.time-use {
                            h3 { "Time" }
                            (times)
                        }
                    }
                }
                div.column.middle-column {
                    section.panel.evaluation {
                        h3 { "Evaluation" }
                        (charts::curve(game))
                        (charts::legend())
                    }
                    section.panel.card aria-label="This move" hidden {}
                    section.panel.moments {
                        h3 { "Critical moments" }
                        (moments(game, index))
                    }
                }
                section.panel.column.moves-column {
                    h3 { "Moves" }
                    (moves::list(game, index))
                }
            }
        }
    }
}

/// What matters most, on the first screen: the accuracy, and the most instructive moments.
fn digest(game: &AnnotatedGame, index: usize) -> Markup {
    let moments = instructive_moments(game);
    html! {
        section.digest aria-label="In short" {
            p.digest-accuracy {
                "Accuracy"
                @for color in Color::ALL {
                    span.share {
                        span class={ "disc " (color.to_string().to_lowercase()) } aria-hidden="true" {}
                        span.spoken { (color) " " }
                        strong { (percent(game.accuracy[color.index()])) }
                    }
                }
            }
            @if !moments.is_empty() {
                ol.digest-moments aria-label="Most instructive moments" {
                    @for at in moments { li { (lesson(&game.plies[at], index, at + 1)) } }
                }
            }
        }
    }
}

/// A moment and what can be learnt from it: the punishment, or else the verdict and the better move.
fn lesson(ply: &AnnotatedPly, game: usize, at: usize) -> Markup {
    let class = ply.judgement.verdict.kind().id();
    let text = match &ply.punishment {
        Some(punishment) => punishment.text.clone(),
        None if ply.words.is_empty() => ply.judgement.to_string(),
        None => ply.words.clone(),
    };
    html! {
        a class={ "lesson " (class) } href={ "#g" (game) "p" (at) } data-ply=(at) {
            span.lesson-move { (words::number(ply)) " " (ply.san) span.glyph { (ply.judgement.glyph()) } }
            " "
            span.lesson-text { (text) }
        }
    }
}

fn percent(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.1}\u{a0}%"))
}

fn head(game: &AnnotatedGame) -> Markup {
    let round = words::tag(game, "Round").map(|round| format!("round {round}"));
    let control = words::tag(game, "TimeControl").map(|control| format!("time {control}"));
    let facts = [
        words::tag(game, "Event").map(str::to_owned),
        round,
        words::tag(game, "Site").map(str::to_owned),
        words::date(game),
        words::tag(game, "Variant").map(str::to_owned),
        control,
        game.opening.map(str::to_owned),
    ];
    html! {
        header.game-head {
            h2 {
                (name(game, Color::White))
                span.result { (words::result_sign(game.result)) }
                (name(game, Color::Black))
            }
            @if let Some(ending) = &game.ending { p.ending { (ending) } }
        }
        p.facts {
            @for fact in facts.iter().flatten() { span { (fact) } }
            span { "analysed by " (game.engine) ", " (game.limits) }
        }
    }
}

fn name(game: &AnnotatedGame, color: Color) -> Markup {
    let (class, elo) = match color {
        Color::White => ("player white", "WhiteElo"),
        Color::Black => ("player black", "BlackElo"),
    };
    html! {
        span class=(class) {
            span.disc aria-hidden="true" {}
            span.name { (words::player(game, color)) }
            @if let Some(elo) = words::tag(game, elo) { " " span.elo { (elo) } }
        }
    }
}

/// The last position, for those who do not run the script.
fn diagram(game: &AnnotatedGame) -> Markup {
    let last = game.plies.last();
    let fen = last.map_or(&game.start_fen, |ply| &ply.fen);
    let mut board = new_game(game.variant);
    // A position of the analysis is legal. If it were not, the start position would do no harm.
    let _ = board.set_board(fen);
    let diagram = Diagram {
        title: format!("The last position: {fen}"),
        last_move: last.map(|ply| (from_square(ply.mv), ply.mv.to())),
        checks: checks_in(game.variant, fen),
        hands: board.hands(),
        goal: game.variant.goal(),
        ..Diagram::new(board.pieces())
    };
    PreEscaped(diagram.to_string())
}

/// The square that a move leaves; for a drop, the one to which it goes.
pub fn from_square(mv: Move) -> Square {
    if mv.is_drop() { mv.to() } else { mv.from() }
}

/// The checks given in a position, in games that count them.
pub fn checks_in(variant: VariantId, fen: &str) -> Option<ChecksGiven> {
    for_variant!(variant, V => checks_given(&Position::<V>::from_fen(fen).ok()?))
}

fn moments(game: &AnnotatedGame, index: usize) -> Markup {
    let moments = critical_moments(game);
    html! {
        @if moments.is_empty() {
            p { "No move gave much away." }
        } @else {
            ol.moment-list {
                @for at in moments { li { (moment(&game.plies[at], index, at + 1)) } }
            }
        }
    }
}

fn moment(ply: &AnnotatedPly, game: usize, at: usize) -> Markup {
    let class = ply.judgement.verdict.kind().id();
    html! {
        a class={ "moment " (class) } href={ "#g" (game) "p" (at) } data-ply=(at) {
            span.moment-move {
                (words::number(ply)) " " (ply.san) span.glyph { (ply.judgement.glyph()) }
            }
            span.moment-verdict { (ply.judgement.verdict) }
            span.moment-loss { "−" (ply.judgement.percent()) "\u{a0}%" }
        }
    }
}

fn summary(game: &AnnotatedGame) -> Markup {
    let of_side = |color| game.plies.iter().filter(move |ply| ply.mover == color);
    let count =
        |color, kind| of_side(color).filter(|ply| ply.judgement.verdict.kind() == kind).count();
    let mean_loss = |color| {
        let moves = of_side(color).count();
        let sum: f64 = of_side(color).map(|ply| ply.judgement.loss).sum();
        (moves > 0).then(|| sum / moves as f64)
    };
    let accuracy_of = |color, phase| {
        let moves = of_side(color).filter(|ply| ply.phase == phase);
        accuracy(moves.map(|ply| ply.judgement.loss))
    };
    html! {
        table {
            thead {
                tr { th scope="col" {} @for color in Color::ALL { th scope="col" { (color) } } }
            }
            tbody {
                tr.accuracy {
                    th scope="row" { "Accuracy" }
                    @for accuracy in game.accuracy { td { (percent(accuracy)) } }
                }
                @for phase in Phase::ALL {
                    @let figures = Color::ALL.map(|color| accuracy_of(color, phase));
                    @if figures.iter().any(Option::is_some) {
                        tr.phase {
                            th scope="row" { "in the " (phase.name().to_lowercase()) }
                            @for figure in figures { td { (percent(figure)) } }
                        }
                    }
                }
                tr {
                    th scope="row" { "Chances lost per move" }
                    @for color in Color::ALL {
                        td { (percent(mean_loss(color).map(|loss| 100.0 * loss))) }
                    }
                }
                @for kind in VerdictKind::ALL {
                    tr {
                        th scope="row" {
                            span class={ "glyph " (kind.id()) } aria-hidden="true" { (kind.badge()) }
                            (kind.name())
                        }
                        @for color in Color::ALL { td data-verdict=(kind.id()) { (count(color, kind)) } }
                    }
                }
            }
        }
    }
}
