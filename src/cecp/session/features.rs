//! What the engine can do, as it tells a GUI.

use crate::cecp::options::{self, Settings};
use crate::cecp::wire::{Feature, Reply};
use crate::variants::VariantId;

/// The name under which the engine plays.
pub const NAME: &str = concat!("Trebuchet ", env!("CARGO_PKG_VERSION"));

/// Features that are on, and those whose default must be switched off.
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
const OFF: [&str; 4] = ["san", "colors", "sigint", "sigterm"];

/// The feature lines, `done=1` last.
pub fn lines(settings: &Settings, with_files: bool) -> Vec<Reply> {
    let variants: Vec<&str> = VariantId::ALL.iter().map(|variant| variant.name()).collect();
    let mut lines = vec![
        vec![Feature::text("myname", NAME), Feature::text("variants", &variants.join(","))],
        flags(&ON, 1),
        flags(&OFF, 0),
        // With it xboard tells when the user lifts a piece; the answer shows where it can go.
        flags(&["highlight"], 1),
    ];
    let declared = options::TABLE.iter().filter(|option| with_files || !option.touches_files());
    lines.extend(declared.map(|option| vec![Feature::option(option.declaration(settings))]));
    lines.push(flags(&["done"], 1));
    lines.into_iter().map(Reply::Features).collect()
}

fn flags(names: &[&str], value: i64) -> Vec<Feature> {
    names.iter().map(|name| Feature::number(name, value)).collect()
}
