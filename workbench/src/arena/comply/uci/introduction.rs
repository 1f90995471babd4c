//! Steps: the handshake and the options.

use super::conversation::UciConversation;
use super::moves::legally;
use super::step::{ComplyStep, Finding, NotOk, must, only_with, should, skip};
use trebuchet::uci::wire::{OptionKind, Reply};

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "answers-uci",
        name: "`uci` is answered with `uciok`",
        rule: "uciok: the engine has sent all infos and is ready in UCI mode",
        check: |d| must(d.introduction().done.is_some(), || "no uciok within 10 s".to_owned()),
    },
    ComplyStep {
        id: "uciok-comes-soon",
        name: "`uciok` comes within 5 s",
        rule: "GUIs give up after a few seconds; large tables can wait for `isready`",
        check: |d| match d.introduction().done {
            Some(done) => {
                should(done.as_secs() < 5, || format!("after {:.1} s", done.as_secs_f64()))
            }
            None => Err(skip("no uciok")),
        },
    },
    ComplyStep {
        id: "tells-its-name",
        name: "`id name` comes before `uciok`",
        rule: "id name must be sent after the uci command to identify the engine",
        check: |d| must(d.introduction().name.is_some(), || "no id name".to_owned()),
    },
    ComplyStep {
        id: "tells-its-author",
        name: "`id author` comes before `uciok`",
        rule: "id author must be sent after the uci command to identify the engine",
        check: |d| should(d.introduction().author.is_some(), || "no id author".to_owned()),
    },
    ComplyStep {
        id: "only-id-and-options-before-uciok",
        name: "nothing but `id` and `option` comes before `uciok`",
        rule: "some clients stumble over other lines before a game",
        check: |d| {
            let chatter = d.introduction().chatter.clone();
            should(chatter.is_none(), || chatter.unwrap_or_default())
        },
    },
    ComplyStep {
        id: "options-are-well-formed",
        name: "options are well-formed",
        rule: "option name ID type check|spin|combo|button|string, with default, min, max, var",
        check: |d| {
            let lines = &d.introduction().option_lines;
            if let Some(fault) = lines.iter().find_map(|line| misformed(line)) {
                return Err(NotOk::Fail(fault));
            }
            match lines.iter().find(|line| is_bare_check(line)) {
                Some(line) => Err(NotOk::Warn(format!("no default: {line}"))),
                None => Ok(()),
            }
        },
    },
    ComplyStep {
        id: "defaults-are-within-limits",
        name: "defaults are within their limits",
        rule: "default is between min and max, or one of var",
        check: |d| {
            for option in &d.introduction().options {
                let (holds, default) = match &option.kind {
                    OptionKind::Spin { default, min, max } => {
                        ((min..=max).contains(&default), default.to_string())
                    }
                    OptionKind::Combo { default, values } => {
                        let is_default = |value: &String| value.eq_ignore_ascii_case(default);
                        (values.iter().any(is_default), default.clone())
                    }
                    _ => continue,
                };
                must(holds, || format!("{}: {default}", option.name))?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "options-have-different-names",
        name: "no two options have the same name",
        rule: "names of options are not case sensitive",
        check: |d| {
            let options = &d.introduction().options;
            let twin = options.iter().enumerate().find(|(index, option)| {
                options[..*index].iter().any(|other| other.name.eq_ignore_ascii_case(&option.name))
            });
            match twin {
                Some((_, option)) => Err(NotOk::Fail(option.name.clone())),
                None => Ok(()),
            }
        },
    },
    ComplyStep {
        id: "customary-options-have-their-types",
        name: "options with customary names have the customary types",
        rule: "Hash is a spin, Ponder a check, …: GUIs set them without asking the user",
        check: |d| {
            for (name, wanted) in CUSTOMARY {
                if let Some(option) = d.option(name) {
                    must(type_of(&option.kind) == wanted, || {
                        format!("{name} is no {wanted}: {}", type_of(&option.kind))
                    })?;
                }
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "declares-hash",
        name: "there is `Hash`",
        rule: "the megabytes of the hash tables, which GUIs set for all engines",
        check: |d| should(d.is_declared("Hash"), || "not declared".to_owned()),
    },
    ComplyStep {
        id: "declares-threads",
        name: "there is `Threads`",
        rule: "the threads of the search; an engine that has only one may leave it out",
        check: |d| only_with(d, "Threads"),
    },
    ComplyStep {
        id: "declares-multipv",
        name: "there is `MultiPV`",
        rule: "the number of best lines, for analysis; the default is 1",
        check: |d| {
            only_with(d, "MultiPV")?;
            should(d.limits("MultiPV").is_none_or(|(default, ..)| default == 1), || {
                "its default is not 1".to_owned()
            })
        },
    },
    ComplyStep {
        id: "declares-ponder",
        name: "there is `Ponder`",
        rule: "an engine that can ponder declares it, so that GUIs know",
        check: |d| only_with(d, "Ponder"),
    },
    ComplyStep {
        id: "variants-begin-with-chess",
        name: "the default of `UCI_Variant` is `chess`",
        rule: "a GUI that knows no variants does not set it",
        check: |d| match d.option("UCI_Variant").map(|option| &option.kind) {
            Some(OptionKind::Combo { default, .. }) => {
                should(default.eq_ignore_ascii_case("chess"), || default.clone())
            }
            _ => only_with(d, "UCI_Variant"),
        },
    },
    ComplyStep {
        id: "options-take-their-defaults",
        name: "every option with a default takes it",
        rule: "GUIs send the values of all options before a game",
        check: takes_defaults,
    },
];

/// Options that all engines call the same, and their types.
const CUSTOMARY: [(&str, &str); 16] = [
    ("Hash", "spin"),
    ("Threads", "spin"),
    ("MultiPV", "spin"),
    ("Ponder", "check"),
    ("OwnBook", "check"),
    ("Clear Hash", "button"),
    ("SyzygyPath", "string"),
    ("NalimovPath", "string"),
    ("Move Overhead", "spin"),
    ("UCI_Chess960", "check"),
    ("UCI_Variant", "combo"),
    ("UCI_AnalyseMode", "check"),
    ("UCI_LimitStrength", "check"),
    ("UCI_Elo", "spin"),
    ("UCI_ShowWDL", "check"),
    ("UCI_Opponent", "string"),
];

fn type_of(kind: &OptionKind) -> &str {
    match kind {
        OptionKind::Check { .. } => "check",
        OptionKind::Spin { .. } => "spin",
        OptionKind::Combo { .. } => "combo",
        OptionKind::Button => "button",
        OptionKind::Text { .. } => "string",
        OptionKind::Other(text) if text == BARE_CHECK => "check",
        OptionKind::Other(text) => text,
    }
}

/// A check without its default. GUIs take it for one that is `false`.
const BARE_CHECK: &str = "type check";

fn is_bare_check(line: &str) -> bool {
    let reply = Reply::parse(line.as_bytes());
    matches!(reply, Reply::Option(option) if option.kind == OptionKind::Other(BARE_CHECK.to_owned()))
}

/// What is wrong with the line of an option, if anything is.
fn misformed(line: &str) -> Option<String> {
    let Reply::Option(option) = Reply::parse(line.as_bytes()) else {
        return Some(format!("cannot be read: {line}"));
    };
    // The name before the type may have any words.
    let words: Vec<&str> = line.split_whitespace().skip_while(|word| *word != "type").collect();
    let after = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1).copied()
    };
    match option.kind {
        OptionKind::Other(text) if text != BARE_CHECK => Some(format!("cannot be read: {line}")),
        OptionKind::Check { .. } if !matches!(after("default"), Some("true" | "false")) => {
            Some(format!("neither true nor false: {line}"))
        }
        OptionKind::Spin { min, max, .. } if min > max => Some(format!("min above max: {line}")),
        OptionKind::Combo { values, .. } if values.is_empty() => Some(format!("no var: {line}")),
        _ => None,
    }
}

fn takes_defaults(d: &mut UciConversation) -> Finding {
    for option in d.introduction().options.clone() {
        let default = match option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default,
            // Some engines take `<empty>` for a text, and write to a file of that name.
            OptionKind::Text { default } if default.is_empty() => continue,
            OptionKind::Text { default } => default,
            OptionKind::Button | OptionKind::Other(_) => continue,
        };
        // The steps are about searches, not about the book.
        if !option.name.eq_ignore_ascii_case("OwnBook") {
            d.set(&option.name, &default)?;
        }
    }
    d.settle()?;
    legally(d, "startpos", &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misformed_options_are_found() {
        for good in [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Debug Log File type string default ",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Style type combo default Normal var Solid var Normal",
            "option name Ponder type check",
            "option name Use default book type check default true",
        ] {
            assert_eq!(misformed(good), None, "{good}");
        }
        for (bad, fault) in [
            ("option Hash type spin default 16 min 1 max 2", "cannot be read"),
            ("option name Hash type spin default x min 1 max 2", "cannot be read"),
            ("option name Book type file default x", "cannot be read"),
            ("option name Hash type spin default 1 min 3 max 2", "min above max"),
            ("option name Ponder type check default 0", "neither true nor false"),
            ("option name Style type combo default Normal", "no var"),
        ] {
            let found = misformed(bad).unwrap_or_default();
            assert!(found.starts_with(fault), "{bad}: {found}");
        }
    }
}
