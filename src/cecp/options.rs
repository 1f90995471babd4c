//! The engine's options as CECP declares them, and as `docs/options.md` lists them.

use std::fmt::Write;

use super::wire::{Declaration, Widget};
use crate::protocol::options::{EngineOption, OptionState, Settings, TABLE};

/// The option as the engine declares it to a GUI, with its present value.
pub fn declaration(option: &EngineOption, settings: &Settings) -> Declaration {
    let widget = match option.state(settings) {
        OptionState::Check(is_on) => Widget::Check(is_on),
        OptionState::Spin { value, min, max } => Widget::Spin { value, min, max },
        OptionState::Combo { choices, chosen } => {
            let choices = choices.into_iter().map(str::to_owned).collect();
            Widget::Combo { choices, chosen }
        }
        OptionState::File(file) => Widget::File(presentable(file)),
        OptionState::Path(path) => Widget::Path(presentable(path)),
        OptionState::Button => Widget::Button,
    };
    Declaration { name: option.name.to_owned(), widget }
}

/// The name of a file as a feature can hold it; empty for a name that no feature can hold, such as
/// one with a quote.
fn presentable(file: String) -> String {
    let is_plain = |byte: u8| byte != b'"' && (b' '..=b'~').contains(&byte);
    if file.len() <= 1000 && file.bytes().all(is_plain) { file } else { String::new() }
}

/// The options as a Markdown table, for `docs/options.md`.
pub fn markdown() -> String {
    let settings = Settings::default();
    let mut table = String::from(
        "| option | in UCI | kind | default | range | meaning |\n|---|---|---|---|---|---|\n",
    );
    for option in TABLE {
        let widget = declaration(option, &settings).widget;
        let (default, range) = match &widget {
            Widget::Check(set) => (i32::from(*set).to_string(), "0, 1".to_owned()),
            Widget::Spin { value, min, max } => (value.to_string(), format!("{min} to {max}")),
            Widget::Combo { choices, chosen } => (choices[*chosen].clone(), choices.join(", ")),
            _ => (String::new(), String::new()),
        };
        let name = if option.is_in_cecp() { format!("`{}`", option.name) } else { String::new() };
        let uci_name = option.uci_name().map_or_else(String::new, |name| format!("`{name}`"));
        let (kind, help) = (widget.kind(), option.help);
        writeln!(table, "| {name} | {uci_name} | {kind} | {default} | {range} | {help} |")
            .expect("writing to a string does not fail");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::options::find;

    #[test]
    fn options_are_declared_with_their_present_value() {
        let mut settings = Settings::default();
        find("Stage").unwrap().set(&mut settings, Some("random")).unwrap();
        find("MoveOverhead").unwrap().set(&mut settings, Some("100")).unwrap();
        let lines: Vec<String> = TABLE
            .iter()
            .filter(|option| option.is_in_cecp())
            .map(|option| declaration(option, &settings).to_string())
            .collect();
        assert_eq!(
            lines,
            [
                "Stage -combo pawns /// *random /// full",
                "Level -combo Beginner /// Amateur /// Intermediate /// Hard /// *Master",
                "Strength -spin 0 0 2850",
                "Adaptive -check 0",
                "ResetRating -button",
                "HumanTime -check 1",
                "Seed -spin 0 0 2147483647",
                "Coach -check 0",
                "HeatMap -combo off /// *position /// game",
                "PopupVerdicts -check 0",
                "TellMistakes -check 1",
                "OwnBook -check 1",
                "BookFile -file ",
                "BookVariety -spin 50 0 100",
                "Hash -spin 64 1 65536",
                "ClearHash -button",
                "Ponder -check 1",
                "MultiPV -spin 1 1 100",
                "Contempt -spin 0 -500 500",
                "Resign -spin 1000 0 20000",
                "Draws -combo never /// accept /// *offer",
                "MoveOverhead -spin 100 0 10000",
                "SyzygyPath -path ",
                "ThreeCheckPath -path ",
                "ProbeDepth -spin 1 1 100",
                "Eval -combo *network /// classic",
                "EvalFile -file ",
                "LogFile -file ",
            ]
        );
    }

    #[test]
    fn files_that_no_feature_can_hold_are_not_declared() {
        let mut settings = Settings::default();
        for (file, shown) in [("a b.log", "a b.log"), ("a\"b", ""), ("\u{e9}", "")] {
            find("LogFile").unwrap().set(&mut settings, Some(file)).unwrap();
            let declared = declaration(find("LogFile").unwrap(), &settings);
            assert_eq!(declared.widget, Widget::File(shown.to_owned()));
        }
    }

    #[test]
    fn the_table_for_the_readme_has_a_row_for_each() {
        let table = markdown();
        assert_eq!(table.lines().count(), TABLE.len() + 2);
        assert!(table.contains("| `Hash` | `Hash` | spin | 64 | 1 to 65536 | size of"));
    }

    /// They reach no file, neither of networks and books nor of ratings.
    #[test]
    fn remote_clients_get_no_option_that_needs_files() {
        let left_out: Vec<&str> = TABLE
            .iter()
            .filter(|option| option.is_in_cecp() && option.needs_files())
            .map(|option| option.name)
            .collect();
        let paths = ["BookFile", "SyzygyPath", "ThreeCheckPath", "EvalFile", "LogFile"];
        assert_eq!(left_out, [&["Adaptive", "ResetRating"], &paths[..]].concat());
    }
}
