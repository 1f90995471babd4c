//! Provenance: what a file says about its making, and how two makings differ.

/// The settings of a making by name, in order. Neither may have a line break, and no name a blank.
pub type Provenance = Vec<(String, String)>;

/// Provenance from names and values.
pub fn provenance<const N: usize>(values: [(&str, String); N]) -> Provenance {
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A line `NAME VALUE` for each setting.
pub fn to_text(settings: &[(String, String)]) -> String {
    settings.iter().map(|(name, value)| format!("{name} {value}\n")).collect()
}

/// The settings of such lines.
pub fn parse(text: &str) -> Provenance {
    let lines = text.lines().map(|line| line.split_once(' ').unwrap_or((line, "")));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The value of a setting.
pub fn value<'a>(settings: &'a [(String, String)], name: &str) -> Option<&'a str> {
    settings.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// How the settings that were found differ from those that are wanted; `None` if they are the same.
pub fn difference(wanted: &[(String, String)], found: &[(String, String)]) -> Option<String> {
    if wanted == found {
        return None;
    }
    if found.is_empty() {
        return Some("the file does not name them".to_owned());
    }
    let mut differences = Vec::new();
    for (name, wanted) in wanted {
        match value(found, name) {
            Some(found) if found == wanted => {}
            Some(found) => differences.push(format!("{name} {found} instead of {wanted}")),
            None => differences.push(format!("no {name} instead of {wanted}")),
        }
    }
    for (name, found) in found.iter().filter(|(name, _)| value(wanted, name).is_none()) {
        differences.push(format!("{name} {found} instead of none"));
    }
    Some(differences.join(", "))
}
