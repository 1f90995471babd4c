//! The result of a match as JSON, for other programs.

use super::sprt::Sprt;
use super::standings::Standings;
use super::statistics::{Pentanomial, Tally};
use crate::json::Json;

/// The whole result in one line.
pub fn write(variant: &str, standings: &Standings, sprt: Option<&Sprt>) -> String {
    let name = |player: usize| Json::Text(standings.names[player].clone());
    let pairings =
        standings.scores.iter().zip(&standings.pairings).map(|(score, &(first, second))| {
            let elo = score.pairs.elo();
            let mut fields = vec![
                ("first", name(first)),
                ("second", name(second)),
                ("score", tally(score.tally)),
                ("pairs", pentanomial(score.pairs)),
            ];
            fields.push(("elo", elo.map(|estimate| estimate.elo).into()));
            fields.push(("elo_low", elo.map(|estimate| estimate.low).into()));
            fields.push(("elo_high", elo.map(|estimate| estimate.high).into()));
            fields.push(("normalized_elo", score.pairs.normalized_elo().into()));
            fields.push(("superiority", score.pairs.superiority().into()));
            fields.extend(sprt.map(|sprt| ("sprt", test(sprt, &score.pairs))));
            Json::Object(fields)
        });
    let players = (0..standings.names.len()).map(|player| {
        let forfeits = standings
            .forfeits_of(player)
            .into_iter()
            .map(|(forfeit, count)| (forfeit.name(), Json::Count(count)));
        Json::Object(vec![
            ("name", name(player)),
            ("score", tally(standings.tally_of(player))),
            ("faults", Json::Object(forfeits.collect())),
        ])
    });
    Json::Object(vec![
        ("variant", Json::Text(variant.to_owned())),
        ("games", Json::Count(standings.games())),
        ("players", Json::List(players.collect())),
        ("pairings", Json::List(pairings.collect())),
        ("white", tally(standings.white)),
    ])
    .to_string()
}

fn tally(tally: Tally) -> Json {
    Json::Object(vec![
        ("wins", Json::Count(tally.wins)),
        ("draws", Json::Count(tally.draws)),
        ("losses", Json::Count(tally.losses)),
    ])
}

fn pentanomial(pairs: Pentanomial) -> Json {
    Json::List(pairs.0.into_iter().map(Json::Count).collect())
}

fn test(sprt: &Sprt, pairs: &Pentanomial) -> Json {
    let (lower, upper) = sprt.bounds();
    Json::Object(vec![
        ("elo0", Json::Number(sprt.elo0)),
        ("elo1", Json::Number(sprt.elo1)),
        ("llr", Json::Number(sprt.llr(pairs))),
        ("lower", Json::Number(lower)),
        ("upper", Json::Number(upper)),
        ("verdict", Json::Text(sprt.verdict(pairs).to_string())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::matches::schedule::Slot;
    use trebuchet::types::GameResult;

    #[test]
    fn a_result_as_json() {
        let mut standings = Standings::new(vec!["a \"x\"".to_owned(), "b".to_owned()], &[(0, 1)]);
        standings.add(Slot { pair: 0, pairing: 0, swapped: false }, GameResult::Draw, None);
        standings.add(Slot { pair: 0, pairing: 0, swapped: true }, GameResult::Draw, None);
        assert_eq!(
            write("3check", &standings, None),
            "{\"variant\": \"3check\", \"games\": 2, \"players\": [\
             {\"name\": \"a \\\"x\\\"\", \"score\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}, \"faults\": {}}, \
             {\"name\": \"b\", \"score\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}, \"faults\": {}}], \
             \"pairings\": [{\"first\": \"a \\\"x\\\"\", \"second\": \"b\", \"score\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}, \
             \"pairs\": [0, 0, 1, 0, 0], \"elo\": 0, \"elo_low\": null, \"elo_high\": null, \"normalized_elo\": null, \"superiority\": null}], \
             \"white\": {\"wins\": 0, \"draws\": 2, \"losses\": 0}}"
        );
    }
}
