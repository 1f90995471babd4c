//! The scenes as an HTML page: what is asked in each, with its board.

use maud::{Markup, PreEscaped, html};

use super::accept::Accept;
use super::page::{BOARD_WIDTH, document, prose};
use super::scene::{Asked, PreparedScene, Scene};
use crate::counts::points;
use crate::report::diagram::for_position;
use trebuchet::play::Stage;
use trebuchet::variants::VariantId;

/// The page of these scenes as the seed varies them.
pub fn scene_page(scenes: &[Scene], stage: Stage, variant: VariantId, seed: u64) -> String {
    let total: u32 = scenes.iter().map(|scene| scene.points).sum();
    let title = format!("Scenes of the stage {stage} in {}", variant.title());
    document(
        &title,
        html! {
            h1 { (title) }
            p.counts { (scenes.len()) " scenes, " (points(total)) ", as seed " (seed) " varies them" }
            @for scene in scenes {
                @match scene.prepare(variant, seed) {
                    Ok(prepared) => (article(&prepared, variant)),
                    Err(error) => p.problem { (scene.id) ": " (error) },
                }
            }
        },
    )
}

fn article(prepared: &PreparedScene, variant: VariantId) -> Markup {
    let PreparedScene { scene, moves, board } = prepared;
    let fen = board.fen();
    let mut diagram = for_position(variant, &fen);
    diagram.iter_mut().for_each(|diagram| diagram.width = BOARD_WIDTH);
    html! {
        article id=(scene.id) {
            h3 { "The bot " (scene.title) span.points { (points(scene.points)) } }
            p.why { (prose(&scene.why)) }
            div.evidence {
                figure {
                    @if let Some(board) = diagram { (PreEscaped(board.to_string())) }
                    figcaption { code { (fen) } }
                }
                div {
                    @if let Some(start) = &scene.fen { p { "Begins in " code { (start) } } }
                    @if scene.after_game { p { "Two moves of another game are played before." } }
                    @if !moves.is_empty() { p { "After " code { (moves.join(" ")) } } }
                    p { (asked(prepared)) }
                    p { "Accepted: " (accepted(&scene.accept)) }
                }
            }
        }
    }
}

/// The beginning, what the bot is asked and what is accepted, in a line.
pub fn in_words(prepared: &PreparedScene) -> String {
    let PreparedScene { scene, moves, .. } = prepared;
    let start = scene.fen.as_ref().map(|fen| format!("Begins in {fen}."));
    let game = scene.after_game.then(|| "Two moves of another game are played before.".to_owned());
    let after = (!moves.is_empty()).then(|| format!("After {}.", moves.join(" ")));
    let rest = [asked(prepared), format!("Accepted: {}.", accepted(&scene.accept))];
    let parts: Vec<String> = [start, game, after].into_iter().flatten().chain(rest).collect();
    parts.join(" ")
}

fn asked(prepared: &PreparedScene) -> String {
    let side = prepared.board.side_to_move();
    match prepared.scene.asked {
        Asked::Go => format!("The bot is told to go as {side}."),
        Asked::Reply => format!("The bot plays {side} from the start and answers."),
    }
}

fn accepted(accept: &[Accept]) -> String {
    if accept.is_empty() {
        return "every move that the rules and the stage allow".to_owned();
    }
    accept.iter().map(Accept::in_words).collect::<Vec<_>>().join(" or ")
}
