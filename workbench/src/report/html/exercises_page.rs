//! The exercises of one player from many games as a page.

use std::collections::HashSet;
use std::time::Duration;

use maud::{DOCTYPE, Markup, html};
use serde_json::{Value, json};

use super::{exercises, frame, words};
use crate::counts;
use crate::json;
use crate::report::topics::Topic;
use crate::report::{AnnotatedGame, AnnotatedPly, Phase};

/// With less time than this, a move was made in haste.
const HASTE: Duration = Duration::from_secs(5);

/// A mistake of the player.
struct Mistake<'a> {
    game: &'a AnnotatedGame,
    ply: &'a AnnotatedPly,
    topic: Topic,
    exercise: Value,
}

/// The page with the exercises of all games, which are those of one player.
pub fn page(player: &str, games: &[AnnotatedGame]) -> String {
    let mistakes = mistakes(games);
    let title = format!("Exercises for {player}");
    let count = |topic| mistakes.iter().filter(|mistake| mistake.topic == topic).count();
    let markup: Markup = html! {
        (DOCTYPE)
        html lang="en" {
            (frame::head(&title))
            body {
                header.page-head { h1.brand { (title) } }
                main {
                    p.lessons { (lessons(&mistakes, games.len()).join(" ")) }
                    section.training aria-label="Exercises" {
                        @if mistakes.is_empty() {
                            p { "There is no exercise." }
                        } @else {
                            noscript { p.problem { "The exercises need JavaScript." } }
                            ul.topics {
                                @for topic in Topic::ALL.into_iter().filter(|&topic| count(topic) > 0) {
                                    li { (topic.name()) ": " (count(topic)) }
                                }
                            }
                        }
                    }
                    @if let Some(game) = games.first() {
                        p.facts {
                            span { (counts::count(mistakes.len(), "exercise")) " from " (counts::count(games.len(), "game")) }
                            span { "analysed by " (game.engine) ", " (game.limits) }
                        }
                    }
                }
                (frame::foot())
                (frame::data("training", &data(&mistakes)))
                (frame::script())
            }
        }
    };
    markup.into_string()
}

/// The mistakes of all games, those that cost most first. A position that came twice is there once.
fn mistakes(games: &[AnnotatedGame]) -> Vec<Mistake<'_>> {
    let mut seen = HashSet::new();
    let mut mistakes = Vec::new();
    for game in games {
        for (found, exercise) in exercises::exercises(game) {
            let [fen, lead] =
                ["fen", "lead"].map(|key| exercise[key].as_str().unwrap_or_default().to_owned());
            if seen.insert((game.variant, fen, lead)) {
                let topic = Topic::of(&found.played);
                mistakes.push(Mistake { game, ply: &game.plies[found.ply], topic, exercise });
            }
        }
    }
    mistakes.sort_by(|a, b| b.ply.judgement.loss.total_cmp(&a.ply.judgement.loss));
    mistakes
}

/// What the player should work on, in three sentences.
fn lessons(mistakes: &[Mistake], games: usize) -> Vec<String> {
    let total = mistakes.len();
    if total == 0 {
        let games = counts::count(games, "game");
        return vec![format!(
            "In {games}, no move of yours lost 10% of the winning chances or more."
        )];
    }
    let count = |topic| mistakes.iter().filter(|mistake| mistake.topic == topic).count();
    let mut topics: Vec<(usize, Topic)> = Topic::ALL
        .into_iter()
        .map(|topic| (count(topic), topic))
        .filter(|(count, _)| *count > 0)
        .collect();
    // Of equal ones, that which comes first is the plainer one: the sort is stable.
    topics.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let (most, first) = topics[0];
    let mut said = vec![format!(
        "In {most} of {} {}: {}.",
        counts::count(total, "mistake"),
        first.deed(),
        first.advice()
    )];
    said.push(match topics.get(1) {
        Some((count, second)) => format!("In {count}, {}: {}.", second.deed(), second.advice()),
        None => "No other kind of mistake was found.".to_owned(),
    });
    let in_phase = |phase| mistakes.iter().filter(|mistake| mistake.ply.phase == phase).count();
    let mut phases = Phase::ALL.map(|phase| (in_phase(phase), phase));
    phases.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let (most, phase) = phases[0];
    let mean =
        mistakes.iter().map(|mistake| mistake.ply.judgement.loss).sum::<f64>() / total as f64;
    let timed: Vec<Duration> = mistakes.iter().filter_map(|mistake| mistake.ply.spent).collect();
    let hasty = timed.iter().filter(|&&spent| spent < HASTE).count();
    let haste = match hasty * 3 >= timed.len() && hasty > 1 {
        true => format!(", and {hasty} took you less than five seconds"),
        false => String::new(),
    };
    said.push(format!(
        "Most often, {}, it was in the {}; on average, a mistake cost {:.0}% of the winning chances{haste}.",
        if most == 1 { "once".to_owned() } else { format!("{most} times") },
        phase.name().to_lowercase(),
        100.0 * mean
    ));
    said
}

/// What the script needs; `web/report/src/training.ts` has the types.
fn data(mistakes: &[Mistake]) -> String {
    let topics = Topic::ALL.map(|topic| json!({"id": topic.id(), "name": topic.name()}));
    let exercises = mistakes.iter().map(|mistake| {
        let mut exercise = mistake.exercise.clone();
        exercise["topic"] = mistake.topic.id().into();
        let date = words::date(mistake.game).map(|date| format!(", {date}"));
        exercise["source"] =
            format!("{}{}", words::headline(mistake.game), date.unwrap_or_default()).into();
        exercise
    });
    let exercises: Vec<Value> = exercises.collect();
    json::for_html(&json!({"topics": topics, "exercises": exercises}).to_string())
}
