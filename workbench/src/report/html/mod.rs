//! Annotated games as one HTML page that needs no network and no other file.
//!
//! The page is complete without its script: players, figures, curve and all moves with their verdicts
//! are HTML. The script adds the board. It is made from `web/report`, whose `build.sh` writes
//! the files in `page/`. Everything that comes from a game is escaped, and the page's content security
//! policy lets only our own script run.

mod article;
mod charts;
mod data;
mod exercises;
mod exercises_page;
mod frame;
mod moves;
mod words;

use maud::{DOCTYPE, Markup, html};
use serde_json::Value;

use super::AnnotatedGame;
use crate::json;
pub use exercises_page::page as exercises_page;

/// With more games than this, the page has no diagrams for readers without script: they are large.
const MOST_DIAGRAMS: usize = 5;

/// The page with the report on these games, one of which is shown at a time. `refused` says of each other
/// game why it is not among them.
pub fn page(games: &[AnnotatedGame], refused: &[String]) -> String {
    markup(games, refused).into_string()
}

fn markup(games: &[AnnotatedGame], refused: &[String]) -> Markup {
    let title = match games {
        [game] => words::headline(game),
        _ => format!("{} games", games.len()),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            (frame::head(&format!("{title} – Trebuchet")))
            body {
                header.page-head {
                    h1.brand { "Trebuchet" }
                    @if games.len() > 1 {
                        nav.games aria-label="Games" {
                            ol {
                                @for (index, game) in games.iter().enumerate() {
                                    li { a href={ "#g" (index + 1) } { (words::headline(game)) } }
                                }
                            }
                        }
                    }
                }
                main {
                    @for text in refused {
                        p.problem { (text) }
                    }
                    @for (index, game) in games.iter().enumerate() {
                        (article::article(game, index + 1, games.len() <= MOST_DIAGRAMS))
                    }
                    @if games.is_empty() {
                        p.problem { "There is no game to report on." }
                    }
                }
                (frame::foot())
                (frame::data("data", &data::json(games)))
                @if games.iter().any(|game| !game.exercises.is_empty()) {
                    (frame::data("exercises", &exercises_of(games)))
                }
                (frame::script())
            }
        }
    }
}

/// The exercises of all games, a list for each.
fn exercises_of(games: &[AnnotatedGame]) -> String {
    let list = |game| exercises::exercises(game).into_iter().map(|(_, json)| json).collect();
    let lists = games.iter().map(|game| Value::Array(list(game)));
    json::for_html(&Value::Array(lists.collect()).to_string())
}
