//! The engine's options as UCI declares them.

use super::wire::{Declaration, OptionKind};
use crate::protocol::options::{EngineOption, OptionState, Settings, TABLE};

/// The options that the engine declares, with their present values as defaults. Without `with_files`
/// those that need files are left out.
pub fn declarations(settings: &Settings, with_files: bool) -> Vec<Declaration> {
    let declared = TABLE.iter().filter(|option| with_files || !option.needs_files());
    declared.filter_map(|option| declaration(option, settings)).collect()
}

/// The option as the engine declares it; `None` if it is not an option of UCI.
fn declaration(option: &EngineOption, settings: &Settings) -> Option<Declaration> {
    let kind = match option.state(settings) {
        OptionState::Check(default) => OptionKind::Check { default },
        OptionState::Spin { value, min, max } => OptionKind::Spin { default: value, min, max },
        OptionState::Combo { choices, chosen } => OptionKind::Combo {
            default: choices[chosen].to_owned(),
            values: choices.into_iter().map(str::to_owned).collect(),
        },
        OptionState::File(text) | OptionState::Path(text) => {
            OptionKind::Text { default: one_line(&text) }
        }
        OptionState::Button => OptionKind::Button,
    };
    Some(Declaration { name: option.uci_name()?.to_owned(), kind })
}

/// The name of a file as a declaration can hold it; empty for a name that none can hold.
fn one_line(text: &str) -> String {
    if text.chars().any(char::is_control) { String::new() } else { text.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_their_customary_names() {
        let all = |with_files| {
            let declared = declarations(&Settings::default(), with_files);
            declared.iter().map(Declaration::to_string).collect::<Vec<_>>()
        };
        let lines = all(true);
        for line in [
            "option name Hash type spin default 64 min 1 max 65536",
            "option name Threads type spin default 1 min 1 max 256",
            "option name Clear Hash type button",
            "option name Move Overhead type spin default 30 min 0 max 10000",
            "option name SyzygyPath type string default <empty>",
            "option name UCI_Chess960 type check default false",
            "option name UCI_Elo type spin default 1500 min 100 max 2850",
        ] {
            assert!(lines.iter().any(|found| found == line), "{line} in {lines:#?}");
        }
        let variants = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
        let start = "option name UCI_Variant type combo default chess var chess var 3check var ";
        assert!(variants.starts_with(start), "{variants}");
        for name in ["Coach", "Resign", "Strength"] {
            assert!(!lines.iter().any(|line| line.contains(&format!(" {name} "))), "{name}");
        }
        assert!(!all(false).iter().any(|line| line.contains("Path") || line.contains("File")));
    }
}
