//! The `feature` lines: what the engine can do.

use crate::cecp::options::declaration;
use crate::cecp::wire::{Feature, Reply};
use crate::protocol::options::{self, Settings};
use crate::variants::VariantId;

/// Features that the engine has.
const ON: [&str; 16] = [
    "ping",
    "setboard",
    "usermove",
    "playother",
    "time",
    "draw",
    "reuse",
    "analyze",
    "pause",
    "nps",
    "debug",
    "memory",
    "smp",
    "exclude",
    "name",
    "ics",
];
/// Features that are on by default and that the engine does not want.
const OFF: [&str; 4] = ["san", "colors", "sigint", "sigterm"];

/// The kinds of endgame tables, as `egtpath` names them.
pub const SYZYGY: &str = "syzygy";
pub const THREE_CHECK: &str = "trebuchet";

/// The feature lines, `done=1` last.
pub fn lines(settings: &Settings, with_files: bool) -> Vec<Reply> {
    let names = VariantId::ALL.iter().map(|variant| variant.name());
    let lessons = VariantId::ALL.iter().filter_map(|variant| variant.lesson());
    let variants: Vec<&str> = names.chain(lessons).collect();
    let mut lines = vec![
        vec![
            Feature::text("myname", &settings.engine.engine_name()),
            Feature::text("variants", &variants.join(",")),
        ],
        flags(&ON, 1),
        flags(&OFF, 0),
        // xboard then says when the user lifts a piece; the answer shows where the piece can go.
        flags(&["highlight"], 1),
    ];
    if with_files {
        lines.push(vec![Feature::text("egt", &format!("{SYZYGY},{THREE_CHECK}"))]);
    }
    let declared = options::TABLE
        .iter()
        .filter(|option| option.is_in_cecp() && (with_files || !option.needs_files()));
    lines.extend(declared.map(|option| vec![Feature::option(declaration(option, settings))]));
    lines.push(flags(&["done"], 1));
    lines.into_iter().map(Reply::Features).collect()
}

fn flags(names: &[&str], value: i64) -> Vec<Feature> {
    names.iter().map(|name| Feature::number(name, value)).collect()
}
