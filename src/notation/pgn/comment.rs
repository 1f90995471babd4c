//! Commands inside comments: `[%clk 0:05:00]`, `[%emt 0:00:04]`, `[%eval 0.35]`, as lichess and others
//! write them.

use std::time::Duration;

/// The argument of the first command of this name in a comment, such as `0:05:00`.
pub fn argument<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    commands(comment).find(|command| command.name == name).map(|command| command.argument)
}

/// The comment without the commands for whose names `is_removed` holds, and without needless blanks.
pub fn without(comment: &str, is_removed: impl Fn(&str) -> bool) -> String {
    let mut kept = String::with_capacity(comment.len());
    let mut end = 0;
    for command in commands(comment).filter(|command| is_removed(command.name)) {
        kept.push_str(&comment[end..command.start]);
        kept.push(' ');
        end = command.end;
    }
    kept.push_str(&comment[end..]);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The commands of a comment alone, as they are written.
pub fn only_commands(comment: &str) -> String {
    let texts: Vec<&str> =
        commands(comment).map(|command| &comment[command.start..command.end]).collect();
    texts.join(" ")
}

/// No time is as long: a hundred years.
const ENDLESS: f64 = 100.0 * 365.0 * 24.0 * 3600.0;

/// A time: `1:02:03`, `2:03.5`, or seconds alone. `None` if it is not one, or no game takes so long.
pub fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    let parts: Vec<&str> = text.trim().split(':').collect();
    let (last, first) = parts.split_last()?;
    for part in first {
        seconds = (seconds + f64::from(part.parse::<u32>().ok()?)) * 60.0;
    }
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    seconds += last.parse::<f64>().ok().filter(|_| is_number && parts.len() <= 3)?;
    (seconds < ENDLESS).then(|| Duration::from_secs_f64(seconds))
}

/// A command of a comment, and where it stands.
struct Command<'a> {
    name: &'a str,
    argument: &'a str,
    start: usize,
    end: usize,
}

/// The commands of a comment, in order.
fn commands(comment: &str) -> impl Iterator<Item = Command<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + comment[at..].find("[%")?;
        let end = start + comment[start..].find(']')? + 1;
        at = end;
        let inner = &comment[start + 2..end - 1];
        let (name, argument) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        Some(Command { name, argument: argument.trim(), start, end })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMENT: &str = "good [%eval 0.35] move  [%clk 0:05:00][%emt 4] !";

    #[test]
    fn commands_are_found_and_removed() {
        assert_eq!(argument(COMMENT, "clk"), Some("0:05:00"));
        assert_eq!(argument(COMMENT, "emt"), Some("4"));
        assert_eq!(argument(COMMENT, "cal"), None);
        assert_eq!(without(COMMENT, |_| true), "good move !");
        assert_eq!(without(COMMENT, |name| name == "eval"), "good move [%clk 0:05:00][%emt 4] !");
        assert_eq!(only_commands(COMMENT), "[%eval 0.35] [%clk 0:05:00] [%emt 4]");
        assert_eq!(only_commands("good [%clk"), "");
        for text in ["[%", "[%]", "[%clk", "]", "[%clk]", "[% ]", ""] {
            assert_eq!(argument(text, "clk").unwrap_or_default(), "", "{text}");
        }
        assert_eq!(without("a [%clk", |_| true), "a [%clk");
    }

    #[test]
    fn times_are_read() {
        let seconds = |text| read_time(text).map(|time| time.as_secs_f64());
        for (text, expected) in
            [("1:02:03", 3723.0), ("2:03.5", 123.5), ("0:00:04", 4.0), (" 7 ", 7.0), ("0.4", 0.4)]
        {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        for text in ["", ":", "-1", "1:", "a", "1:2:3:4", "1e9", "inf", "nan", "::", "9999999999"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
