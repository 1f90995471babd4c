//! The marks by which this program knows its own annotations in a PGN.
//!
//! Its sentences stand in comments as `(Trebuchet: …)`; a side line is its own if the comment on the
//! last move is such a sentence and the line has no other annotations. A glyph is its own if a sentence
//! begins with a verdict; if the source has given the glyph, the sentence begins with the glyph that the
//! program would have given.
//! The evaluations `[%eval …]` of the main line are replaced, whoever made them.

use trebuchet::coach::VerdictKind;
use trebuchet::notation::pgn::{GLYPHS, PgnGame, PgnMove, Variation, comment};

/// What the program calls itself in tags.
pub const NAME: &str = concat!("Trebuchet ", env!("CARGO_PKG_VERSION"));
/// How names of all versions begin.
const ANY_VERSION: &str = "Trebuchet ";
/// The tag with the authors of annotations.
pub const ANNOTATOR: &str = "Annotator";
/// The tags with the accuracy of White and Black, in percent.
pub const ACCURACY: [&str; 2] = ["WhiteAccuracy", "BlackAccuracy"];

const BEGIN: &str = "(Trebuchet: ";
const END: char = ')';

/// A sentence as part of a comment. It keeps its brackets if all are closed.
pub fn sentence(text: &str) -> String {
    let marked = format!("{BEGIN}{text}{END}");
    match split_at_end(&marked[BEGIN.len()..]) {
        Some((_, "")) => marked,
        _ => format!("{BEGIN}{}{END}", text.replace(['(', ')'], "")),
    }
}

/// The text before the bracket that closes a sentence, and the text after it.
fn split_at_end(text: &str) -> Option<(&str, &str)> {
    let mut open = 0;
    for (index, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            END if open == 0 => return Some((&text[..index], &text[index + END.len_utf8()..])),
            END => open -= 1,
            _ => {}
        }
    }
    None
}

/// The value of the tag `Annotator` with this program added.
pub fn annotator(before: Option<&str>) -> String {
    match before.map(str::trim).filter(|name| !name.is_empty() && *name != "?") {
        Some(name) => format!("{name}, {NAME}"),
        None => NAME.to_owned(),
    }
}

/// Was the game annotated by this program?
pub fn is_annotated(game: &PgnGame) -> bool {
    let names = game.tag(ANNOTATOR).unwrap_or_default();
    names.rsplit(", ").next().is_some_and(|name| name.starts_with(ANY_VERSION))
}

/// Removes the annotations of this program from a game, and all evaluations of the main line.
pub fn remove(game: &mut PgnGame) {
    if is_annotated(game)
        && let Some((_, names)) = game.tags.iter_mut().find(|(name, _)| name == ANNOTATOR)
    {
        let others = names.rsplit_once(", ").map(|(others, _)| others.to_owned());
        *names = others.unwrap_or_default();
        game.tags.retain(|(name, value)| {
            !(name == ANNOTATOR && value.is_empty() || ACCURACY.contains(&name.as_str()))
        });
    }
    remove_sentences(&mut game.comment);
    remove_evaluation(&mut game.comment);
    game.moves.iter_mut().for_each(|mv| remove_evaluation(&mut mv.comment));
    remove_from_line(&mut game.moves);
}

fn remove_evaluation(text: &mut Option<String>) {
    let kept = text.take().map(|text| comment::without(&text, |name| name == "eval"));
    *text = kept.filter(|kept| !kept.is_empty());
}

fn remove_from_line(moves: &mut [PgnMove]) {
    for mv in moves {
        let sentences = remove_sentences(&mut mv.comment);
        if sentences.iter().any(|text| begins_with_verdict(text)) {
            mv.nags.retain(|&nag| !is_judgement(nag));
        }
        mv.variations.retain(|line| !is_own(line));
        mv.variations.iter_mut().for_each(|line| remove_from_line(&mut line.moves));
    }
}

/// Is it a glyph that judges a move, such as `?`?
pub fn is_judgement(nag: u8) -> bool {
    GLYPHS.iter().any(|&(known, _)| known == nag)
}

fn begins_with_verdict(text: &str) -> bool {
    // A sentence about a missed win says what was missed: `Missed mate`.
    let first_word = |kind: VerdictKind| kind.name().split(' ').next().unwrap_or_default();
    VerdictKind::ALL.into_iter().any(|kind| text.starts_with(first_word(kind)))
}

/// Has this program added the side line?
fn is_own(line: &Variation) -> bool {
    let Some((last, others)) = line.moves.split_last() else { return false };
    let is_bare = |mv: &PgnMove| mv.nags.is_empty() && mv.variations.is_empty();
    let says_only_ours = last.comment.clone().is_some_and(|text| {
        let mut rest = Some(text);
        remove_sentences(&mut rest).len() == 1 && rest.is_none()
    });
    line.comment.is_none()
        && others.iter().all(|mv| is_bare(mv) && mv.comment.is_none())
        && is_bare(last)
        && says_only_ours
}

/// Removes the sentences from a comment and returns them.
fn remove_sentences(text: &mut Option<String>) -> Vec<String> {
    let Some(whole) = text.take() else { return Vec::new() };
    let (mut kept, mut found, mut rest) = (String::new(), Vec::new(), whole.as_str());
    while let Some((before, after)) = rest.split_once(BEGIN)
        && let Some((sentence, after)) = split_at_end(after)
    {
        kept.push_str(before);
        found.push(sentence.to_owned());
        rest = after;
    }
    kept.push_str(rest);
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    *text = Some(kept).filter(|kept| !kept.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::notation::pgn;

    fn without(text: &str) -> String {
        let mut game = pgn::read(text).next().unwrap();
        remove(&mut game);
        game.to_string().trim().to_owned()
    }

    #[test]
    fn own_annotations_are_removed() {
        for (annotated, plain) in [
            (
                "{a (Trebuchet: accuracy) b} 1. e4 $2 {[%eval 0.3] [%clk 1:00] (Trebuchet: Mistake) c} \
                 (1. d4 d5 {(Trebuchet: 0.35, depth 9)}) 1... e5 *",
                "{a b} 1. e4 {[%clk 1:00] c} 1... e5 *",
            ),
            // A glyph of the source stays.
            ("1. e4 $1 {(Trebuchet: ?? Blunder)} *", "1. e4 $1 *"),
            ("1. e4 $1 {[%eval 0.3]} *", "1. e4 $1 *"),
            // So does a glyph that judges the position.
            ("1. e4 $2 $14 {(Trebuchet: Mistake)} *", "1. e4 $14 *"),
            // Side lines of the source, and those that somebody has changed, stay.
            (
                "1. e4 (1. d4 {(Trebuchet: 0.3)} 1... d5) (1. c4 {x} 1... c5 {(Trebuchet: 0.3)}) *",
                "1. e4 (1. d4 d5) (1. c4 {x} 1... c5) *",
            ),
            ("1. e4 {(Trebuchet: never closed} *", "1. e4 {(Trebuchet: never closed} *"),
            ("1. e4 {a (Trebuchet: drawn (by rule) now) (b)} *", "1. e4 {a (b)} *"),
        ] {
            assert_eq!(without(annotated), plain);
        }
    }

    #[test]
    fn a_sentence_keeps_brackets_that_are_closed() {
        for (text, marked) in [
            ("It is a draw (by rule)", "(Trebuchet: It is a draw (by rule))"),
            ("the variant \"(\" is not known", "(Trebuchet: the variant \"\" is not known)"),
            (")(", "(Trebuchet: )"),
        ] {
            assert_eq!(sentence(text), marked);
        }
    }

    #[test]
    fn tags_are_restored() {
        for (before, after) in [
            (format!("[Annotator \"{NAME}\"]\n[WhiteAccuracy \"9\"]\n\n1-0"), "1-0"),
            ("[Annotator \"me, Trebuchet 9\"]\n\n1-0".to_owned(), "[Annotator \"me\"]\n\n1-0"),
            (
                "[Annotator \"me\"]\n[WhiteAccuracy \"9\"]\n\n1-0".to_owned(),
                "[Annotator \"me\"]\n[WhiteAccuracy \"9\"]\n\n1-0",
            ),
        ] {
            assert_eq!(without(&before), after);
        }
        assert_eq!(annotator(None), NAME);
        assert_eq!(annotator(Some("me")), format!("me, {NAME}"));
    }
}
