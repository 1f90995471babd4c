//! The result of a match as JSON, for other programs.

use crate::arena::games::ForfeitKind;
use crate::arena::tournament::sprt::Sprt;
use crate::arena::tournament::standings::Standings;
use crate::arena::tournament::statistics::{Pentanomial, Tally};
use crate::json::Json;

/// The whole result in one line.
pub fn write(variant: &str, standings: &Standings, sprt: Option<&Sprt>) -> String {
    let name = |player: usize| Json::Text(standings.names[player].clone());
    let pairings =
        standings.scores.iter().zip(&standings.meetings).map(|(score, &(first, second))| {
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
        let forfeits = standings.forfeits_of(player);
        let by_id = forfeits.iter().map(|&(kind, count)| (kind.id(), Json::Count(count)));
        let mut fields = vec![
            ("name", name(player)),
            ("score", tally(standings.tally_of(player))),
            ("faults", Json::Object(faults(&forfeits))),
            ("forfeits", Json::Object(by_id.collect())),
        ];
        let withdrawn = standings.withdrawn.get(&player);
        fields.extend(withdrawn.map(|why| ("withdrawn", Json::Text(why.clone()))));
        Json::Object(fields)
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

/// The forfeits as earlier versions named them, for scripts.
fn faults(forfeits: &[(ForfeitKind, u64)]) -> Vec<(&'static str, Json)> {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for &(kind, count) in forfeits {
        match counts.iter_mut().find(|(name, _)| *name == kind.old_name()) {
            Some((_, sum)) => *sum += count,
            None => counts.push((kind.old_name(), count)),
        }
    }
    counts.into_iter().map(|(name, count)| (name, Json::Count(count))).collect()
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
        ("verdict", Json::Text(sprt.decision(pairs).to_string())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::games::{Forfeit, GameEnding};
    use crate::arena::tournament::pairing::GameId;
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
