//! What all pages have: the head with the content security policy, the foot, the script and its data.

use maud::{Markup, PreEscaped, html};

const SCRIPT: &str = include_str!("page/page.js");
const STYLE: &str = include_str!("page/page.css");
/// The SHA-256 sums of both files in base64, as a content security policy names them.
const SCRIPT_HASH: &str = include_str!("page/page.js.sha256");
const STYLE_HASH: &str = include_str!("page/page.css.sha256");

/// The head of a page.
pub fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy());
            meta name="generator" content=(concat!("Trebuchet ", env!("CARGO_PKG_VERSION")));
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            link rel="icon" href="data:,";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

/// Data for the script: JSON that is safe inside HTML.
pub fn data(id: &str, text: &str) -> Markup {
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}

/// The script of all pages.
pub fn script() -> Markup {
    html! { script { (PreEscaped(SCRIPT)) } }
}

/// Who made the page and its parts.
pub fn foot() -> Markup {
    html! {
        footer.page-foot {
            p {
                "Made by Trebuchet. The board is Lichess’s chessground, the pieces are cburnett by "
                "Colin M.L. Burnett; all are free software under the GNU General Public License."
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
