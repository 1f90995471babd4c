//! The list of the moves, with verdicts and comments.

use maud::{Markup, html};

use super::words;
use crate::report::{AnnotatedGame, AnnotatedPly};
use trebuchet::types::Color;

/// All moves in two columns. What there is to say about a move stands beneath it.
pub fn list(game: &AnnotatedGame, index: usize) -> Markup {
    html! {
        div.moves {
            @if let Some(comment) = &game.comment {
                div.note { p.comment { (comment) } }
            }
            @for (at, ply) in game.plies.iter().enumerate() {
                @let phase_begins = at.checked_sub(1).is_none_or(|before| game.plies[before].phase != ply.phase);
                @if phase_begins { h4.phase { (ply.phase.name()) } }
                @let is_after_note = at.checked_sub(1).is_none_or(|before| has_note(&game.plies[before]));
                @let is_after_note = is_after_note || phase_begins;
                @if ply.mover == Color::White || is_after_note {
                    span.number { (ply.number) "." }
                    @if ply.mover == Color::Black { span.gap aria-hidden="true" { "…" } }
                }
                (entry(ply, index, at + 1))
                @if has_note(ply) {
                    @if ply.mover == Color::White { span.gap aria-hidden="true" {} }
                    (note(ply))
                }
            }
            @if let Some(problem) = &game.problem {
                div.note { p.problem { (problem) } }
            }
        }
    }
}

fn entry(ply: &AnnotatedPly, game: usize, at: usize) -> Markup {
    let glyph = ply.judgement.glyph();
    let class = ply.judgement.verdict.kind().id();
    html! {
        a class={ "move " (class) } id={ "g" (game) "p" (at) } href={ "#g" (game) "p" (at) } data-ply=(at) {
            span.san { (ply.san) }
            @if !glyph.is_empty() {
                span.glyph title=(ply.judgement.verdict) { (glyph) }
            }
            span.score { (words::score(ply.score)) }
        }
    }
}

/// What is wrong with the move. For praise, the glyph is enough here.
fn criticism(ply: &AnnotatedPly) -> Option<&str> {
    Some(&*ply.words).filter(|words| !words.is_empty() && ply.judgement.is_criticism())
}

/// Is there something to say about the move?
fn has_note(ply: &AnnotatedPly) -> bool {
    criticism(ply).is_some() || !ply.comments.is_empty() || !ply.side_lines.is_empty()
}

fn note(ply: &AnnotatedPly) -> Markup {
    let class = ply.judgement.verdict.kind().id();
    html! {
        div class={ "note " (class) } {
            @if let Some(words) = criticism(ply) { p.words { (words) } }
            @for comment in &ply.comments { p.comment { (comment) } }
            @for line in &ply.side_lines { p.side-line { "(" (words::movetext(line)) ")" } }
        }
    }
}
