//! Steps: the handshake and the features.

use std::collections::HashSet;

use super::conversation::CecpConversation;
use super::step::{ComplyStep, Finding, NotOk, must, no_complaint, only_if, should};
use trebuchet::cecp::wire::{Declaration, FeatureValue, Widget};

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "features-come-soon",
        name: "the first feature comes within 2 s of the start",
        rule: "protover: a GUI may assume protocol 1 after 2 s; python-chess gives up then",
        check: |d| {
            let first = d.introduction().first;
            must(first.is_some(), || "no feature within 10 s".to_owned())?;
            should(first.is_some_and(|first| first.as_secs_f64() <= 2.0), || {
                format!("after {:.1} s", first.unwrap_or_default().as_secs_f64())
            })
        },
    },
    ComplyStep {
        id: "features-end-with-done",
        name: "`done=1` ends the features",
        rule: "feature done: without it xboard waits 10 s, or an hour after done=0",
        check: |d| must(d.introduction().done.is_some(), || "no done=1".to_owned()),
    },
    ComplyStep {
        id: "slow-features-begin-with-done-0",
        name: "`done=0` comes first if the features take longer than 2 s",
        rule: "feature done=0 asks the GUI to wait",
        check: |d| {
            let slow = d.introduction().done.is_some_and(|done| done.as_secs_f64() > 2.0);
            should(!slow || d.introduction().asked_for_time, || {
                "slow, and without done=0".to_owned()
            })
        },
    },
    ComplyStep {
        id: "features-are-well-formed",
        name: "feature lines are well-formed",
        rule: "feature NAME=VALUE …: integers bare, strings in double quotes; xboard rejects the rest",
        check: |d| match d.introduction().lines.iter().find_map(|line| misformed(line)) {
            Some(word) => Err(NotOk::Fail(format!("cannot be read: {word}"))),
            None => Ok(()),
        },
    },
    ComplyStep {
        id: "declares-ping",
        name: "`ping=1`",
        rule: "the only way for a GUI to synchronize with the engine; python-chess insists",
        check: |d| declares(d, "ping", 1),
    },
    ComplyStep {
        id: "declares-setboard",
        name: "`setboard=1`",
        rule: "positions come as FEN instead of edit commands; python-chess insists",
        check: |d| declares(d, "setboard", 1),
    },
    ComplyStep {
        id: "declares-usermove",
        name: "`usermove=1`",
        rule: "no move can be mistaken for a command",
        check: |d| declares(d, "usermove", 1),
    },
    ComplyStep {
        id: "declares-no-colors",
        name: "`colors=0`",
        rule: "the obsolete commands white and black are not needed",
        check: |d| declares(d, "colors", 0),
    },
    ComplyStep {
        id: "declares-no-signals",
        name: "`sigint=0` and `sigterm=0`",
        rule: "otherwise xboard interrupts the engine with signals",
        check: |d| {
            declares(d, "sigint", 0)?;
            declares(d, "sigterm", 0)
        },
    },
    ComplyStep {
        id: "allows-reuse",
        name: "`reuse` is not switched off",
        rule: "feature reuse=0 means a new process for every game",
        check: |d| should(d.features().reuse, || "reuse=0".to_owned()),
    },
    ComplyStep {
        id: "wants-no-san",
        name: "`san` is not asked for",
        rule: "coordinate moves are what every GUI sends; python-chess rejects san=1",
        check: |d| should(d.declared("san").unwrap_or(0) == 0, || "san=1".to_owned()),
    },
    ComplyStep {
        id: "declares-myname",
        name: "`myname` is given",
        rule: "feature myname: the name in windows and game records",
        check: |d| should(d.features().myname.is_some(), || "no name, or not in quotes".to_owned()),
    },
    ComplyStep {
        id: "declares-variants",
        name: "`variants` lists the variants, `normal` among them",
        rule: "feature variants: xboard checks even normal chess of a second engine against it",
        check: |d| {
            should(d.features().variants.is_some(), || "no variants".to_owned())?;
            let has_normal = d.features().lists_variant("normal");
            should(has_normal, || "`normal` is not in the list".to_owned())
        },
    },
    ComplyStep {
        id: "option-names-are-words",
        name: "options have different names of one word",
        rule: "python-chess takes the first word as the name, and lists of options are split at commas",
        check: |d| {
            let options = options(d);
            only_if(!options.is_empty(), "options")?;
            let mut names = HashSet::new();
            must(options.iter().all(|option| names.insert(option.name.clone())), || {
                "two options have the same name".to_owned()
            })?;
            let odd = options.iter().find(|option| option.name.contains([' ', ',', '"', '=']));
            should(odd.is_none(), || {
                format!("`{}`", odd.map(|option| option.name.as_str()).unwrap_or_default())
            })
        },
    },
    ComplyStep {
        id: "option-values-are-in-limits",
        name: "options start within their own limits",
        rule: "feature option: -spin VALUE MIN MAX",
        check: |d| {
            let options = options(d);
            only_if(!options.is_empty(), "options")?;
            let outside = options.iter().find(|option| match option.widget {
                Widget::Spin { value, min, max } | Widget::Slider { value, min, max } => {
                    value < min || value > max
                }
                _ => false,
            });
            must(outside.is_none(), || outside.map(Declaration::to_string).unwrap_or_default())
        },
    },
    ComplyStep {
        id: "options-can-be-set",
        name: "every option can be set to its present value",
        rule: "option NAME=VALUE may come at any time and must not be an error",
        check: |d| {
            let options = options(d);
            only_if(!options.is_empty(), "options")?;
            for option in options {
                if let Some(value) = present_value(&option.widget) {
                    d.say(&[format!("option {}={value}", option.name)])?;
                }
            }
            let replies = d.settle()?;
            no_complaint(&replies)
        },
    },
];

fn declares(d: &CecpConversation, name: &str, wanted: i64) -> Finding {
    let declared = d.declared(name);
    should(declared == Some(wanted), || match declared {
        Some(number) => format!("{name}={number}"),
        None => format!("{name} is not declared"),
    })
}

fn options(d: &CecpConversation) -> Vec<Declaration> {
    let option = |value: &FeatureValue| match value {
        FeatureValue::Option(declaration) => Some(declaration.clone()),
        _ => None,
    };
    d.introduction().declared.iter().filter_map(|feature| option(&feature.value)).collect()
}

fn present_value(widget: &Widget) -> Option<String> {
    match widget {
        Widget::Check(on) => Some(i32::from(*on).to_string()),
        Widget::Spin { value, .. } | Widget::Slider { value, .. } => Some(value.to_string()),
        Widget::Combo { choices, chosen } => choices.get(*chosen).cloned(),
        // A text or file may mean "none", and a button has an effect.
        Widget::Text(_)
        | Widget::File(_)
        | Widget::Path(_)
        | Widget::Button
        | Widget::Save
        | Widget::Reset => None,
    }
}

/// The first item of a feature line that is neither `NAME=NUMBER` nor `NAME="TEXT"`.
fn misformed(line: &str) -> Option<String> {
    let mut rest = line.trim().strip_prefix("feature")?.trim_start();
    while !rest.is_empty() {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let Some((name, value)) = rest.split_once('=') else { return Some(word.to_owned()) };
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
        let end = match value.strip_prefix('"') {
            Some(text) => text.find('"').map(|at| at + 2),
            None => {
                let end = value.find(' ').unwrap_or(value.len());
                value[..end].parse::<i64>().ok().map(|_| end)
            }
        };
        match end {
            Some(end) if is_name => rest = value[end..].trim_start(),
            _ => return Some(word.to_owned()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misformed_features_are_found() {
        for good in [
            "feature ping=1 myname=\"A b=c\" variants=\"normal,3check\" done=1",
            "feature",
            "feature  a=-1  b=\"\"",
        ] {
            assert_eq!(misformed(good), None, "{good}");
        }
        for (bad, word) in [
            ("feature ping=1 myname=Fairy-Stockfish done=1", "myname=Fairy-Stockfish"),
            ("feature done", "done"),
            ("feature ping = 1", "ping"),
            ("feature myname=\"open", "myname=\"open"),
        ] {
            assert_eq!(misformed(bad).as_deref(), Some(word), "{bad}");
        }
    }
}
