//! Any line, read as a command and as a reply of each protocol.

use trebuchet::cecp::wire::{Command, Reply, traps};
use trebuchet::uci;

/// A line that is understood can be written and understood again. For any other line the answer is
/// one that xboard understands.
pub fn check(line: &[u8]) {
    check_cecp(line);
    check_uci(line);
}

fn check_cecp(line: &[u8]) {
    match Command::parse(line) {
        Ok(command) => {
            let text = command.to_string();
            // Control characters are blanks at the ends of a line and letters within.
            if !text.contains(|c: char| c.is_ascii_control()) {
                let again = Command::parse(text.as_bytes()).map(|command| command.to_string());
                assert_eq!(again.as_ref(), Ok(&text));
            }
        }
        Err(error) => {
            let answer = error.reply().to_string();
            assert_eq!(traps::check(&answer), Ok(()), "{answer:?}");
        }
    }
    // Writing a reply changes it at most once.
    let tidy = |line: &[u8]| Reply::parse(line).to_string();
    let text = tidy(tidy(line).as_bytes());
    assert_eq!(tidy(text.as_bytes()), text);
}

fn check_uci(line: &[u8]) {
    if let Ok(command) = uci::wire::Command::parse(line) {
        let text = command.to_string();
        let again = uci::wire::Command::parse(text.as_bytes()).map(|command| command.to_string());
        assert_eq!(again, Ok(text));
    }
    let tidy = |line: &[u8]| uci::wire::Reply::parse(line).to_string();
    let text = tidy(line);
    assert_eq!(tidy(text.as_bytes()), text);
}
