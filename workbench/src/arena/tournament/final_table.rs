//! The final table of a tournament: who has which place, and what decided it.

use std::ops::Add;

use super::standings::Standings;

/// A player in the table of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// 1 for the first. Players that nothing tells apart share a place.
    pub place: usize,
    pub name: String,
    pub games: u64,
    /// A win is 1, a draw 0.5; a free round of a Swiss tournament counts as won.
    pub points: f64,
    /// The points from the games with those who have the same number of points, if all of these have met; else 0.
    pub direct: f64,
    /// Sonneborn-Berger: the points of each opponent times the score per game against it.
    pub sonneborn_berger: f64,
    /// The points against each player, in the order of the table; `None` where there was no game.
    pub against: Vec<Option<f64>>,
}

/// The table of a tournament in which the players have these points: by points, then direct encounters, then
/// Sonneborn-Berger. Players that are still equal share a place, and stand in the order of their names.
pub fn final_table(standings: &Standings, points: &[f64]) -> Vec<TableRow> {
    let players = 0..standings.names.len();
    let have_met = |first: usize, second: usize| {
        let mut opponents = standings.opponents_of(first);
        opponents.any(|(other, tally)| other == second && tally.games() > 0)
    };
    let have_equals_met = |sum: f64| {
        let equals: Vec<usize> = players.clone().filter(|&player| points[player] == sum).collect();
        equals.iter().all(|&a| equals.iter().all(|&b| a == b || have_met(a, b)))
    };
    let row = |player: usize| {
        let opponents = || standings.opponents_of(player).filter(|(_, tally)| tally.games() > 0);
        let equals = opponents().filter(|&(other, _)| points[other] == points[player]);
        TableRow {
            place: 0,
            name: standings.names[player].clone(),
            games: standings.tally_of(player).games(),
            points: points[player],
            direct: match have_equals_met(points[player]) {
                true => equals.map(|(_, tally)| tally.points()).fold(0.0, f64::add),
                false => 0.0,
            },
            sonneborn_berger: in_millionths(
                opponents().map(|(other, tally)| points[other] * tally.score()).fold(0.0, f64::add),
            ),
            against: Vec::new(),
        }
    };
    let mut rows: Vec<(usize, TableRow)> =
        players.clone().map(|player| (player, row(player))).collect();
    rows.sort_by(|(_, a), (_, b)| {
        let by = |key: fn(&TableRow) -> f64| key(b).total_cmp(&key(a));
        by(|row| row.points)
            .then_with(|| by(|row| row.direct))
            .then_with(|| by(|row| row.sonneborn_berger))
            .then_with(|| a.name.cmp(&b.name))
    });
    let order: Vec<usize> = rows.iter().map(|(player, _)| *player).collect();
    let against = |player: usize| {
        let met = |&other: &usize| {
            let mut opponents = standings.opponents_of(player);
            let (_, tally) = opponents.find(|&(it, tally)| it == other && tally.games() > 0)?;
            Some(tally.points())
        };
        order.iter().map(met).collect()
    };
    let mut whole: Vec<TableRow> = rows
        .into_iter()
        .map(|(player, row)| TableRow { against: against(player), ..row })
        .collect();
    let what_decides = |row: &TableRow| (row.points, row.direct, row.sonneborn_berger);
    for index in 0..whole.len() {
        let is_equal = index > 0 && what_decides(&whole[index]) == what_decides(&whole[index - 1]);
        whole[index].place = if is_equal { whole[index - 1].place } else { index + 1 };
    }
    whole
}

/// Rounded, because sums of the same numbers in another order differ in their last digits.
fn in_millionths(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::games::GameEnding;
    use crate::arena::tournament::game_spec::GameId;
    use trebuchet::types::Color;

    #[test]
    fn ties_are_broken_by_direct_encounters_then_by_the_strength_of_those_beaten() {
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut standings = Standings::new(names, &[]);
        let mut beats = |winner: usize, loser: usize| {
            let id = GameId { pair: 0, players: [winner, loser] };
            standings.add(id, &GameEnding::Resignation(Color::Black));
        };
        // a and b have two points each; b has beaten a. c and d have one point each.
        beats(1, 0);
        beats(0, 2);
        beats(0, 3);
        beats(1, 3);
        beats(2, 1);
        beats(3, 2);
        let points: Vec<f64> = (0..4).map(|player| standings.tally_of(player).points()).collect();
        let table = final_table(&standings, &points);
        let order: Vec<&str> = table.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(order, ["b", "a", "d", "c"]);
        let b = &table[0];
        assert_eq!((b.points, b.direct, b.sonneborn_berger, b.games), (2.0, 1.0, 3.0, 3));
        assert_eq!(b.against, [None, Some(1.0), Some(1.0), Some(0.0)]);
        let a = &table[1];
        assert_eq!((a.points, a.direct, a.sonneborn_berger), (2.0, 0.0, 2.0));
        assert_eq!(table.iter().map(|row| row.place).collect::<Vec<_>>(), [1, 2, 3, 4]);
        // Without games it is 0, and not the -0 of an empty sum.
        let none = Standings::new(vec!["a".to_owned()], &[]);
        assert_eq!(final_table(&none, &[0.0])[0].direct.to_string(), "0");
    }

    #[test]
    fn who_is_equal_in_all_shares_a_place_and_a_direct_encounter_counts_only_if_all_have_met() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        let mut standings = Standings::new(names, &[]);
        let mut beats = |winner: usize, loser: usize| {
            let id = GameId { pair: 0, players: [winner, loser] };
            standings.add(id, &GameEnding::Resignation(Color::Black));
        };
        // a, b and c have one point each; a has beaten b, and neither has met c. d and e have none.
        beats(0, 1);
        beats(1, 3);
        beats(2, 4);
        let points = [1.0, 1.0, 1.0, 0.0, 0.0];
        let table = final_table(&standings, &points);
        let rows: Vec<_> = table
            .iter()
            .map(|row| (row.place, row.name.as_str(), row.direct, row.sonneborn_berger))
            .collect();
        let wanted = [(1, "a", 0.0, 1.0), (2, "b", 0.0, 0.0), (2, "c", 0.0, 0.0)];
        assert_eq!(rows[..3], wanted);
        assert_eq!(rows[3..], [(4, "d", 0.0, 0.0), (4, "e", 0.0, 0.0)]);
    }
}
