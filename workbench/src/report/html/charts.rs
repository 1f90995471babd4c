//! The evaluation curve and the times, as SVG that fits any width.
//!
//! Places are in percent of the picture, and lines lie in an inner picture that is stretched. So the
//! marks keep their size and shape on a phone and on a screen.

use std::fmt::Write;
use std::time::Duration;

use maud::{Markup, html};

use super::words;
use crate::report::{AnnotatedGame, AnnotatedPly};
use trebuchet::coach::win_chances;
use trebuchet::types::Color;

/// A triangle that points down, around its middle.
const TRIANGLE: &str = "M-5.5 -4.5h11l-5.5 10z";
/// A plus, around its middle.
const PLUS: &str = "M-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z";

/// The place of a position on the horizontal axis, in percent: 0 is the start.
fn x(ply: usize, plies: usize) -> f64 {
    rounded(100.0 * ply as f64 / plies.max(1) as f64)
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The evaluation after each move, in White's chances. White's part is light and below.
pub fn curve(game: &AnnotatedGame) -> Markup {
    let count = game.plies.len();
    let scores = std::iter::once(game.start_score).chain(game.plies.iter().map(|ply| ply.score));
    let mut line = String::new();
    for (ply, chance) in scores.map(win_chances).enumerate() {
        let letter = if ply == 0 { 'M' } else { 'L' };
        // Writing into a string cannot fail.
        let _ = write!(line, "{letter}{} {}", x(ply, count), rounded(100.0 * (1.0 - chance)));
    }
    html! {
        div.curve data-plies=(count) {
            svg.chart width="100%" height="100%" role="img" aria-label="White’s chances after each move" {
                svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none" {
                    path.black-part d="M0 0H100V100H0z" {}
                    path.white-part d={ (line) "L100 100L0 100z" } {}
                    path.middle d="M0 50H100" {}
                    path.line d=(line) {}
                }
                @for (index, ply) in game.plies.iter().enumerate() {
                    (marks(ply, x(index + 1, count)))
                }
            }
        }
    }
}

/// The marks of a move: a plus for a check, at the upper edge for White's and at the lower edge for
/// Black's, and a triangle on the curve for a move that gave much away.
fn marks(ply: &AnnotatedPly, x: f64) -> Markup {
    let name = format!("{} {}", words::number(ply), ply.san);
    let y = rounded(100.0 * (1.0 - win_chances(ply.score)));
    let (edge, down) = if ply.mover == Color::White { (0, 8) } else { (100, -8) };
    html! {
        @if ply.gives_check {
            svg.mark x={ (x) "%" } y={ (edge) "%" } overflow="visible" {
                title { (name) ": check" }
                path.check-mark transform={ "translate(0 " (down) ")" } d=(PLUS) {}
            }
        }
        @if words::is_turn(ply.judgement) {
            svg.mark x={ (x) "%" } y={ (y) "%" } overflow="visible" {
                title { (name) (ply.judgement.glyph()) ": " (ply.judgement.verdict) }
                path class={ "turn-mark " (ply.judgement.verdict.kind().id()) } d=(TRIANGLE) {}
            }
        }
    }
}

/// What the marks of the curve mean.
pub fn legend() -> Markup {
    let sign = |class, outline| {
        html! {
            svg.sign width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true" {
                path class=(class) d=(outline) {}
            }
        }
    };
    html! {
        p.legend {
            span { (sign("check-mark", PLUS)) " check: White’s above, Black’s below" }
            span { (sign("turn-mark blunder", TRIANGLE)) " mistake or blunder" }
        }
    }
}

/// The time that each move took: White's upwards, Black's downwards. `None` if no time is known.
pub fn times(game: &AnnotatedGame) -> Option<Markup> {
    let longest = game.plies.iter().filter_map(|ply| ply.spent).max()?;
    let count = game.plies.len();
    let width = rounded(80.0 / count.max(1) as f64);
    let bar = |at: usize, ply: &AnnotatedPly, spent: Duration| {
        let is_white = ply.mover == Color::White;
        let height = rounded(50.0 * share(spent, longest));
        let left = rounded(x(at, count) - width / 2.0);
        let top = if is_white { 50.0 - height } else { 50.0 };
        let class = if is_white { "bar white" } else { "bar black" };
        html! {
            rect class=(class) x={ (left) "%" } y={ (top) "%" } width={ (width) "%" } height={ (height) "%" } {
                title { (words::number(ply)) " " (ply.san) ": " (words::time(spent)) }
            }
        }
    };
    Some(html! {
        div.curve.times data-plies=(count) {
            svg.chart width="100%" height="100%" role="img" aria-label="Time used for each move" {
                @for (index, ply) in game.plies.iter().enumerate() {
                    @if let Some(spent) = ply.spent { (bar(index + 1, ply, spent)) }
                }
                line.axis x1="0" x2="100%" y1="50%" y2="50%" {}
            }
        }
        p.legend {
            @for (color, place) in Color::ALL.into_iter().zip(["above", "below"]) {
                span { (color) " (" (place) "): " (side_times(game, color)) }
            }
        }
    })
}

/// What a side did with its time, in words.
fn side_times(game: &AnnotatedGame, color: Color) -> String {
    let of_side = || game.plies.iter().filter(|ply| ply.mover == color);
    let known: Vec<(Duration, &AnnotatedPly)> =
        of_side().filter_map(|ply| Some((ply.spent?, ply))).collect();
    let Some(&(longest, slowest)) = known.iter().max_by_key(|(spent, _)| *spent) else {
        return "not known".to_owned();
    };
    let total: Duration = known.iter().map(|(spent, _)| *spent).sum();
    let left = of_side().rev().find_map(|ply| ply.clock);
    let left = left.map_or(String::new(), |left| format!(", {} left", words::time(left)));
    format!(
        "{} used{left}; longest: {} {}, {}",
        words::time(total),
        words::number(slowest),
        slowest.san,
        words::time(longest)
    )
}

fn share(part: Duration, whole: Duration) -> f64 {
    if whole.is_zero() { 0.0 } else { part.as_secs_f64() / whole.as_secs_f64() }
}
