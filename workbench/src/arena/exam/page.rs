//! The results of a bot, and of a class, as HTML pages that need no network, no script and no other file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::report::{ExamReport, SceneReport, SceneVerdict};
use super::strength::Strength;
use crate::arena::tournament::final_table::TableRow;
use crate::counts::{count, points};
use crate::report::diagram::{Diagram, for_position};
use trebuchet::variants::VariantId;

const STYLE: &str = include_str!("page.css");

/// The width of a board, in pixels.
pub(super) const BOARD_WIDTH: u32 = 280;

/// What the page may do: apply its style sheet. It has no script and loads nothing.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page of one bot. It shows no other bot.
pub fn page(report: &ExamReport) -> String {
    let title = format!("{}: {} of {}", report.bot, report.points, points(report.of));
    let failed = scenes_that(report, SceneVerdict::Failed);
    let not_tested = scenes_that(report, SceneVerdict::NotTested);
    let passed = scenes_that(report, SceneVerdict::Passed);
    document(
        &title,
        html! {
            h1 { (report.bot) }
            p.score {
                strong { (report.points) " of " (points(report.of)) }
                " · stage " (report.stage) " · " (game_title(&report.variant))
                @if let Some(protocol) = &report.protocol { " · " (protocol.name().to_uppercase()) }
            }
            p.counts {
                (count(failed.len(), "scene")) " failed, " (not_tested.len()) " not tested, "
                (passed.len()) " passed"
            }
            @if let Some(problem) = &report.problem { p.problem { "The bot " (prose(problem)) "." } }
            @if let Some(build) = &report.build {
                details open[build.problem.is_some()] {
                    summary {
                        "Build: " code { (build.command.join(" ")) } " "
                        @match &build.problem {
                            Some(problem) => (problem),
                            None => "succeeds",
                        }
                    }
                    pre { (build.output.join("\n")) }
                }
            }
            @if !report.ladder.is_empty() {
                h2 { "Ladder" }
                @if let Some(strength) = report.strength_in_words() {
                    p { strong { "Elo: " } (strength) "." }
                }
                @if let Some(games) = &report.games_page {
                    p { a href={ (in_link(games)) } { "All games, move by move" } }
                }
                @if let Some(rules) = &report.ladder_rules {
                    p { (rules) "." }
                }
                ul { @for rung in &report.ladder { li { (ExamReport::rung(rung)) } } }
                @if report.ladder.last().is_some_and(|rung| rung.won == 0 && rung.drawn == 0) {
                    p.why { "The bot lost all games against the last of these opponents, so it met no stronger one." }
                }
            }
            (section("Failed", &failed, report))
            (section("Not tested", &not_tested, report))
            (section("Passed", &passed, report))
            footer {
                p { "Run with " code { (report.command.join(" ")) } ", seed " (report.seed) ". " "The bot was " (report.confinement) "." }
            }
        },
    )
}

/// The page of a class, beside the folder `bots` with their own pages: a line for each bot, a column for each scene.
pub fn class_page(title: &str, reports: &[ExamReport], rows: &[TableRow]) -> String {
    let scenes = reports.iter().map(|report| &report.scenes).max_by_key(|scenes| scenes.len());
    let scenes = scenes.map(Vec::as_slice).unwrap_or_default();
    let has_elo = reports.iter().any(|report| report.strength.is_some());
    document(
        title,
        html! {
            h1 { (title) }
            p.counts { (count(reports.len(), "bot")) ", " (count(scenes.len(), "scene")) }
            div.wide {
                table {
                    thead {
                        tr {
                            th scope="col" { "Bot" }
                            th scope="col" { "Points" }
                            @if has_elo { th scope="col" { "Elo" } }
                            @for (index, scene) in scenes.iter().enumerate() {
                                th scope="col" { abbr title=(scene.title) { (index + 1) } }
                            }
                        }
                    }
                    tbody {
                        @for report in reports {
                            tr {
                                th scope="row" { a href={ "bots/" (in_link(&report.bot)) ".html" } { (report.bot) } }
                                td { (report.points) " / " (report.of) }
                                @if has_elo { td { (elo(report)) } }
                                @for scene in &report.scenes {
                                    @let second_try = scene.message.as_ref().filter(|_| scene.second_try);
                                    td class=(class(scene.verdict)) title=(second_try.unwrap_or(&scene.title)) {
                                        (sign(scene.verdict)) @if second_try.is_some() { "²" }
                                    }
                                }
                            }
                            @if let Some(problem) = &report.problem {
                                tr { td.problem colspan=(scenes.len() + 2 + usize::from(has_elo)) { "The bot " (prose(problem)) "." } }
                            }
                        }
                    }
                }
            }
            @if !rows.is_empty() { (tournament(rows)) }
            h2 { "Scenes" }
            ol {
                @for scene in scenes {
                    @let passed = reports.iter().filter(|report| {
                        report.scenes.iter().any(|found| {
                            found.id == scene.id && found.verdict == SceneVerdict::Passed
                        })
                    });
                    li {
                        "The bot " (scene.title) ": " (passed.count()) " of " (reports.len()) " pass. "
                        span.why { (prose(&scene.why)) }
                    }
                }
            }
        },
    )
}

/// The strength of a bot and what it says, in a table.
fn elo(report: &ExamReport) -> Markup {
    let number = match report.strength {
        Some(Strength { elo: Some(elo), .. }) => format!("{elo:.0}"),
        Some(Strength { low: Some(low), .. }) => format!("> {low:.0}"),
        Some(Strength { high: Some(high), .. }) => format!("< {high:.0}"),
        _ => String::new(),
    };
    html! { span title=(report.strength_in_words().unwrap_or_default()) { (number) } }
}

/// The table of all games between the bots.
fn tournament(rows: &[TableRow]) -> Markup {
    html! {
        h2 { "Tournament" }
        div.wide {
            table {
                thead {
                    tr {
                        th scope="col" { "Place" }
                        th scope="col" { "Bot" }
                        th scope="col" { "Points" }
                        th scope="col" { "Games" }
                        @for (index, row) in rows.iter().enumerate() {
                            th scope="col" { abbr title=(row.name) { (index + 1) } }
                        }
                        th scope="col" { abbr title="Direct encounter" { "DE" } }
                        th scope="col" { abbr title="Sonneborn-Berger" { "SB" } }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            td { (row.place) }
                            th scope="row" { (row.name) }
                            td { (row.points) }
                            td { (row.games) }
                            @for points in &row.against {
                                td { @if let Some(points) = points { (points) } }
                            }
                            td { (row.direct) }
                            td { (row.sonneborn_berger) }
                        }
                    }
                }
            }
        }
        p.why {
            "Equal points are decided by the points from the games among the equal, if all of these have met, then by "
            "Sonneborn-Berger: the points of each opponent times the score against it."
        }
    }
}

pub(super) fn document(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="generator" content=(concat!("Trebuchet ", env!("CARGO_PKG_VERSION")));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) " – Trebuchet" }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}

fn scenes_that(report: &ExamReport, verdict: SceneVerdict) -> Vec<&SceneReport> {
    report.scenes.iter().filter(|scene| scene.verdict == verdict).collect()
}

fn section(title: &str, scenes: &[&SceneReport], report: &ExamReport) -> Markup {
    html! {
        @if !scenes.is_empty() {
            section {
                h2 { (title) }
                @for scene in scenes { (article(scene, &report.variant)) }
            }
        }
    }
}

fn article(scene: &SceneReport, variant: &str) -> Markup {
    let is_passed = scene.verdict == SceneVerdict::Passed;
    let board = scene.fen.as_ref().and_then(|fen| {
        let mut diagram = for_position(VariantId::from_any_name(variant)?, fen)?;
        diagram.width = BOARD_WIDTH;
        Some(diagram)
    });
    html! {
        article id=(scene.id) class=(class(scene.verdict)) {
            h3 {
                span.sign aria-hidden="true" { (sign(scene.verdict)) } " The bot " (scene.title)
                span.points { (scene.points) " / " (scene.of) }
            }
            @if let Some(message) = &scene.message {
                p.message {
                    "The bot " (prose(message)) "."
                    @if let Some(criterion) = &scene.criterion { " " code.criterion { (criterion) } }
                    @if let Some(first) = &scene.same_as {
                        " This failed first in " a href={ "#" (first) } { (first) } "."
                    }
                }
             }
            p.why { (prose(&scene.why)) }
            @if let Some(fen) = &scene.fen {
                @if is_passed {
                    details {
                        summary { "Position and dialogue" }
                        (evidence(scene, fen, board))
                    }
                } @else {
                    (evidence(scene, fen, board))
                }
            }
        }
    }
}

/// The position in which the bot was asked, and what was said.
fn evidence(scene: &SceneReport, fen: &str, board: Option<Diagram>) -> Markup {
    html! {
        div.evidence {
            figure {
                @if let Some(board) = board { (PreEscaped(board.to_string())) }
                figcaption { code { (fen) } }
            }
            div {
                p { code { ">" } " to the bot, " code { "<" } " from it:" }
                pre { (scene.dialogue.join("\n")) }
            }
        }
    }
}

/// Words with `code` between backticks.
pub(super) fn prose(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The name of a file inside a link: all bytes that may mean something else there are escaped.
fn in_link(name: &str) -> String {
    let escaped = name.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    });
    escaped.collect()
}

fn game_title(variant: &str) -> &str {
    VariantId::from_any_name(variant).map_or(variant, |variant| variant.title())
}

const fn class(verdict: SceneVerdict) -> &'static str {
    match verdict {
        SceneVerdict::Passed => "passed",
        SceneVerdict::Failed => "failed",
        SceneVerdict::NotTested => "not-tested",
    }
}

const fn sign(verdict: SceneVerdict) -> &'static str {
    match verdict {
        SceneVerdict::Passed => "✓",
        SceneVerdict::Failed => "✗",
        SceneVerdict::NotTested => "–",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_bots_and_names_of_folders_are_escaped() {
        assert_eq!(prose("writes `<b>`").into_string(), "writes <code>&lt;b&gt;</code>");
        assert_eq!(in_link("team 7/\"x"), "team%207%2F%22x");
    }
}
