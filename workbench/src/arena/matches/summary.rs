//! The result of a match as JSON, for other programs.

use serde_json::{Map, Value, json};

use crate::arena::games::ForfeitKind;
use crate::arena::tournament::sprt::Sprt;
use crate::arena::tournament::standings::Standings;
use crate::arena::tournament::statistics::{Estimate, Pentanomial, Tally};
use crate::json;

/// The whole result in one line.
pub fn write(variant: &str, standings: &Standings, sprt: Option<&Sprt>) -> String {
    let names = &standings.names;
    let meetings = standings.scores.iter().zip(&standings.meetings);
    let pairings = meetings.map(|(score, &(first, second))| {
        let elo = score.pairs.elo();
        let mut pairing = json!({
            "first": names[first],
            "second": names[second],
            "score": tally(score.tally),
            "pairs": score.pairs.0,
            "elo": elo.map(|estimate| estimate.elo),
            "elo_low": elo.map(|estimate| estimate.low),
            "elo_high": elo.map(|estimate| estimate.high),
            "normalized_elo": score.pairs.normalized_elo(),
            "superiority": score.pairs.superiority(),
        });
        if let Some(sprt) = sprt {
            pairing["sprt"] = test(sprt, &score.pairs);
        }
        pairing
    });
    let ratings = standings.ratings();
    let players = (0..names.len()).map(|player| {
        let forfeits = standings.forfeits_of(player);
        let mut entry = json!({
            "name": names[player],
            "score": tally(standings.tally_of(player)),
            // As earlier versions named them, for scripts.
            "faults": counts(&forfeits, ForfeitKind::old_name),
            "forfeits": counts(&forfeits, ForfeitKind::id),
        });
        if names.len() > 2 {
            entry["rating"] = ratings[player].map_or(Value::Null, rating);
        }
        if let Some(why) = standings.withdrawn.get(&player) {
            entry["withdrawn"] = json!(why);
        }
        entry
    });
    json::line(&json!({
        "variant": variant,
        "games": standings.games(),
        "players": players.collect::<Vec<_>>(),
        "pairings": pairings.collect::<Vec<_>>(),
        "white": tally(standings.white),
    }))
}

/// How many forfeits have each name.
fn counts(forfeits: &[(ForfeitKind, u64)], name: fn(ForfeitKind) -> &'static str) -> Value {
    let mut counts = Map::new();
    for &(kind, count) in forfeits {
        let sum = counts.get(name(kind)).and_then(Value::as_u64).unwrap_or(0) + count;
        counts.insert(name(kind).to_owned(), json!(sum));
    }
    Value::Object(counts)
}

fn tally(tally: Tally) -> Value {
    json!({ "wins": tally.wins, "draws": tally.draws, "losses": tally.losses })
}

fn rating(rating: Estimate) -> Value {
    json!({ "elo": rating.elo, "low": rating.low, "high": rating.high })
}

fn test(sprt: &Sprt, pairs: &Pentanomial) -> Value {
    let (lower, upper) = sprt.bounds();
    json!({
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "llr": sprt.llr(pairs),
        "lower": lower,
        "upper": upper,
        "verdict": sprt.decision(pairs).to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::games::{Forfeit, GameEnding};
    use crate::arena::tournament::game_spec::GameId;
    use trebuchet::types::Color;

    #[test]
    fn a_result_as_json() {
        let mut standings = Standings::new(vec!["a \"x\"".to_owned(), "b".to_owned()], &[(0, 1)]);
        let draw = GameEnding::FlagDraw(Color::White);
        standings.add(GameId { pair: 0, players: [0, 1] }, &draw);
        standings.add(GameId { pair: 0, players: [1, 0] }, &GameEnding::Agreement);
        assert_eq!(
            write("3check", &standings, None),
            "{\"variant\": \"3check\", \"games\": 2, \"players\": [\
             {\"name\": \"a \\\"x\\\"\", \"score\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}, \"faults\": {\"time losses\": 1}, \"forfeits\": {\"time-loss\": 1}}, \
             {\"name\": \"b\", \"score\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}, \"faults\": {}, \"forfeits\": {}}], \
             \"pairings\": [{\"first\": \"a \\\"x\\\"\", \"second\": \"b\", \"score\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}, \
             \"pairs\": [0, 0, 1, 0, 0], \"elo\": 0, \"elo_low\": null, \"elo_high\": null, \"normalized_elo\": null, \"superiority\": null}], \
             \"white\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}}"
        );
    }

    #[test]
    fn players_of_a_larger_match_have_ratings() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut standings = Standings::new(names, &[(0, 1), (0, 2)]);
        for players in [[0, 1], [1, 0]] {
            standings.add(GameId { pair: 0, players }, &GameEnding::Agreement);
        }
        let text = write("normal", &standings, None);
        let result: Value = serde_json::from_str(&text).unwrap();
        let rating = |player: usize| &result["players"][player]["rating"];
        let number = |key: &str| rating(0)[key].as_f64().unwrap();
        assert_eq!(number("elo"), 0.0, "{text}");
        assert!(number("low") < -100.0 && number("high") > 100.0, "{text}");
        assert!(text.contains("\"rating\": null"), "c has not played: {text}");
    }

    #[test]
    fn forfeits_have_their_old_names_as_well() {
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()], &[(0, 1)]);
        for (pair, kind) in [ForfeitKind::FalseClaim, ForfeitKind::FalseProtest].iter().enumerate()
        {
            let ending = GameEnding::Forfeit(Forfeit::new(Color::Black, *kind, ""));
            standings.add(GameId { pair, players: [0, 1] }, &ending);
        }
        standings.withdrawn.insert(1, "has ended".to_owned());
        let text = write("normal", &standings, None);
        let expected = "\"faults\": {\"false claims\": 2}, \
                        \"forfeits\": {\"false-claim\": 1, \"false-protest\": 1}, \
                        \"withdrawn\": \"has ended\"}";
        assert!(text.contains(expected), "{text}");
    }
}
