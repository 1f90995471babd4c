//! Annotated games as one HTML page that needs no network and no other file.
//!
//! The page is complete without its script: players, figures, curve and all moves with their verdicts
//! are HTML. The script adds the board. It is made from `web/report`, whose `build.sh` writes
//! the files in `page/`. Everything that comes from a game is escaped, and the page's content security
//! policy lets only our own script run.

mod article;
mod charts;
mod data;
mod moves;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::AnnotatedGame;

const SCRIPT: &str = include_str!("page/page.js");
const STYLE: &str = include_str!("page/page.css");
/// The SHA-256 sums of both files in base64, as a content security policy names them.
const SCRIPT_HASH: &str = include_str!("page/page.js.sha256");
const STYLE_HASH: &str = include_str!("page/page.css.sha256");

/// With more games than this, the page has no diagrams for readers without script: they are large.
const MOST_DIAGRAMS: usize = 5;

/// The page with the report on these games, one of which is shown at a time.
pub fn page(games: &[AnnotatedGame]) -> String {
    markup(games).into_string()
}

fn markup(games: &[AnnotatedGame]) -> Markup {
    let title = match games {
        [game] => words::headline(game),
        _ => format!("{} games", games.len()),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="generator" content=(concat!("Trebuchet ", env!("CARGO_PKG_VERSION")));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                link rel="icon" href="data:,";
                title { (title) " – Trebuchet" }
                style { (PreEscaped(STYLE)) }
            }
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
                    @for (index, game) in games.iter().enumerate() {
                        (article::article(game, index + 1, games.len() <= MOST_DIAGRAMS))
                    }
                    @if games.is_empty() {
                        p.problem { "There is no game to report on." }
                    }
                }
                footer.page-foot {
                    p {
                        "Made by Trebuchet. The board is Lichess’s chessground, the pieces are cburnett by "
                        "Colin M.L. Burnett; all are free software under the GNU General Public License."
                    }
                }
                script type="application/json" id="data" { (PreEscaped(data::json(games))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// What the page may do: run our script, apply our style sheet and show pictures that it holds.
/// The board sets the attribute `style` of its elements. Old browsers know only `style-src`.
fn policy() -> String {
    let (script, style) = (SCRIPT_HASH.trim(), STYLE_HASH.trim());
    format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; \
         style-src-elem 'sha256-{style}'; style-src-attr 'unsafe-inline'; img-src data:; \
         base-uri 'none'; form-action 'none'"
    )
}
