//! The output of a match: a score line while it runs, the full result at its end.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arena::tournament::event::FinishedGame;
use crate::arena::tournament::sprt::Sprt;
use crate::arena::tournament::standings::{MeetingScore, Standings};
use crate::arena::tournament::statistics::{Estimate, TOO_FEW_GAMES, Tally};
use trebuchet::text::{printable, tell};

/// Shows the progress of a match: a line on standard output for each game, and the score in a bar on
/// standard error. If that is no terminal, the score goes to standard output now and then.
pub struct ProgressDisplay {
    bar: ProgressBar,
    sprt: Option<Sprt>,
    quiet: bool,
}

/// Without a terminal, the score comes after each this many games.
const SCORE_INTERVAL: u64 = 10;

impl ProgressDisplay {
    /// For a match of `total` games, of which `played` were played in earlier runs.
    pub fn new(total: u64, played: u64, sprt: Option<Sprt>, quiet: bool) -> ProgressDisplay {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(4)
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:20} {pos}/{len} {elapsed} (left {eta}) {wide_msg}")
        {
            bar.set_style(style);
        }
        // Estimate the time left from the games of this run alone.
        bar.set_position(played);
        bar.reset_eta();
        ProgressDisplay { bar, sprt, quiet }
    }

    /// Shows a game that has ended, and the score after it.
    pub fn update(&mut self, finished: &FinishedGame, standings: &Standings) {
        let (games, score) = (standings.games(), score_line(standings, self.sprt.as_ref()));
        self.bar.set_length(finished.total as u64);
        self.bar.set_position(games);
        if !self.quiet {
            let mut text = game_line(finished, games);
            if !io::stderr().is_terminal() && games.is_multiple_of(SCORE_INTERVAL) {
                text.push_str(&format!("\nScore after {games} games: {score}"));
            }
            // Best effort: the match goes on without a reader.
            self.bar.suspend(|| {
                let _ = writeln!(io::stdout(), "{}", printable(&text));
            });
        }
        self.bar.set_message(printable(&score));
    }

    /// Prints a line on standard error, unless the user wants quiet.
    pub fn notice(&self, text: &str) {
        if self.quiet {
            return;
        }
        self.bar.suspend(|| tell(text));
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// `Game 3 of 20: A - B 1-0, White mates, 34 moves`.
pub fn game_line(finished: &FinishedGame, number: u64) -> String {
    let FinishedGame { record, total, .. } = finished;
    let [white, black] = &record.players;
    let (white, black, result) = (&white.name, &black.name, record.ending.result());
    let moves = record.moves.len().div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    let reason = &record.ending;
    format!("Game {number} of {total}: {white} - {black} {result}, {reason}, {moves} move{plural}")
}

/// What to say if more engines think at the same time than there are processors: in each game one,
/// or two that ponder.
pub fn overload_warning(games: usize, is_pondering: bool, processors: usize) -> Option<String> {
    let engines = if is_pondering { 2 * games } else { games };
    (engines > processors).then(|| {
        let plural = if processors == 1 { "" } else { "s" };
        let remedy = if is_pondering { "lower --concurrency or play without --ponder" } else { "lower --concurrency" };
        format!(
            "{engines} engines will think at the same time on {processors} processor{plural}, so their \
             clocks will not be fair: {remedy}"
        )
    })
}

/// The score in one line: of two players against each other, or of the three leaders.
pub fn score_line(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut line = String::new();
    if let [score] = standings.scores.as_slice() {
        line += &format!(
            "{} - {}: {}, Elo: {}",
            standings.names[0],
            standings.names[1],
            score.tally,
            elo_text(score.pairs.elo())
        );
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            line += &format!(", LLR: {:.2} ({lower:.2}, {upper:.2})", sprt.llr(&score.pairs));
        }
    } else {
        let places = standings.ranking().into_iter().take(3);
        let places: Vec<String> = places
            .map(|player| {
                format!(
                    "{} {:.1} %",
                    standings.names[player],
                    100.0 * standings.tally_of(player).score()
                )
            })
            .collect();
        line.push_str(&places.join(", "));
    }
    line
}

/// The Elo difference, as far as it is known.
fn elo_text(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| TOO_FEW_GAMES.to_owned(), |estimate| estimate.to_string())
}

/// The full result, for people.
pub fn full(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    write_full(&mut text, standings, sprt);
    printable(&text)
}

fn write_full(out: &mut String, standings: &Standings, sprt: Option<&Sprt>) {
    for (score, &(first, second)) in standings.scores.iter().zip(&standings.meetings) {
        let names = &standings.names;
        *out += &format!("{} - {}: {}\n", names[first], names[second], score.tally);
        if score.tally.games() > 0 {
            write_figures(out, score);
        }
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            let (llr, decision) = (sprt.llr(&score.pairs), sprt.decision(&score.pairs));
            *out += &format!("  SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}\n");
        }
    }
    if standings.names.len() > 2 && standings.games() > 0 {
        write_table(out, standings);
    }
    let white = standings.white;
    if white.games() > 0 {
        *out += &format!(
            "White scores {:.1} %, {:.1} % draws\n",
            100.0 * white.score(),
            100.0 * white.draws as f64 / white.games() as f64
        );
    }
    for player in 0..standings.names.len() {
        let forfeits = standings.forfeits_of(player);
        if !forfeits.is_empty() {
            let forfeits: Vec<String> =
                forfeits.iter().map(|(kind, count)| kind.counted(*count)).collect();
            *out += &format!("{}: {}\n", standings.names[player], forfeits.join(", "));
        }
    }
    for (&player, why) in &standings.withdrawn {
        *out += &format!("{} was withdrawn: it {why}\n", standings.names[player]);
    }
}

/// What follows from the results of a pairing.
fn write_figures(out: &mut String, score: &MeetingScore) {
    *out += &format!("  Elo: {}", elo_text(score.pairs.elo()));
    if let Some(superiority) = score.pairs.superiority() {
        *out += &format!(", LOS {:.1} %", 100.0 * superiority);
    }
    if let Some(normalized) = score.pairs.normalized_elo() {
        *out += &format!(", nElo {normalized:+.1}");
    }
    if score.pairs.pairs() > 0 {
        *out += &format!("\n  Pairs of games by score: {}", score.pairs);
    }
    *out += &match score.unpaired() {
        0 => "\n".to_owned(),
        1 => "\n  1 game lacks its partner with colours swapped: it is not in the Elo\n".to_owned(),
        games => format!(
            "\n  {games} games lack their partners with colours swapped: they are not in the Elo\n"
        ),
    };
}

/// The cross table: the players by rank, their points against each other and in all, and their ratings.
fn write_table(out: &mut String, standings: &Standings) {
    let (ranking, ratings) = (standings.ranking(), standings.ratings());
    let mut rows = vec![vec![String::new(), String::new()]];
    rows[0].extend((1..=ranking.len()).map(|place| place.to_string()));
    rows[0].extend(["Points", "Elo above the mean"].map(str::to_owned));
    for (place, &player) in ranking.iter().enumerate() {
        let mut row = vec![format!("{}.", place + 1), standings.names[player].clone()];
        row.extend(ranking.iter().map(|&other| {
            let met = standings.opponents_of(player).find(|&(opponent, _)| opponent == other);
            met.map_or_else(|| "-".to_owned(), |(_, tally)| points_of_games(tally))
        }));
        row.push(points_of_games(standings.tally_of(player)));
        row.push(elo_text(ratings[player]));
        rows.push(row);
    }
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            // Names and words begin at the left, numbers end at the right.
            if column == 1 || column + 1 == row.len() {
                line += &format!("  {cell:width$}");
            } else {
                line += &format!("  {cell:>width$}");
            }
        }
        *out += &format!("{}\n", line.trim_end());
    }
}

/// `5.5/8`.
fn points_of_games(tally: Tally) -> String {
    format!("{}/{}", tally.points(), tally.games())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::arena::games::{Forfeit, ForfeitKind};
    use crate::arena::games::{GameEnding, GameRecord, MoveRecord, PlayerRecord};
    use crate::arena::tournament::game_spec::GameId;
    use trebuchet::types::{Color, GameResult, Outcome, Reason};
    use trebuchet::variants::VariantId;

    const WHITE: GameResult = GameResult::Win(Color::White);
    const BLACK: GameResult = GameResult::Win(Color::Black);

    fn standings(names: &[&str], pairings: &[(usize, usize)]) -> Standings {
        Standings::new(names.iter().map(|&name| name.to_owned()).collect(), pairings)
    }

    /// Adds pairs of games to a meeting: the results of the first player with White and with Black.
    fn add(standings: &mut Standings, meeting: usize, pairs: &[[GameResult; 2]]) {
        let (first, second) = standings.meetings[meeting];
        for (pair, results) in pairs.iter().enumerate() {
            for (&result, players) in results.iter().zip([[first, second], [second, first]]) {
                let ending = GameEnding::Announced { result, comment: String::new() };
                standings.add(GameId { pair, players }, &ending);
            }
        }
    }

    #[test]
    fn a_match_that_has_not_begun_has_no_figures() {
        assert_eq!(full(&standings(&["a", "b"], &[(0, 1)]), None), "a - b: no games\n");
        let gauntlet = standings(&["a", "b", "c"], &[(0, 1), (0, 2)]);
        assert_eq!(full(&gauntlet, None), "a - b: no games\na - c: no games\n");
    }

    #[test]
    fn a_match_of_three_games() {
        let mut standings = standings(&["a", "b"], &[(0, 1)]);
        add(&mut standings, 0, &[[WHITE, WHITE]]);
        let stall = GameEnding::Forfeit(Forfeit::new(Color::Black, ForfeitKind::Stall, ""));
        standings.add(GameId { pair: 1, players: [0, 1] }, &stall);
        standings.withdrawn.insert(1, "has ended".to_owned());
        assert_eq!(
            full(&standings, None),
            "a - b: +2 -1 =0, 66.7 % of 3 games\n  \
             Elo: too few games to say\n  \
             Pairs of games by score: 0-2: 0, 0.5-1.5: 0, 1-1: 1, 1.5-0.5: 0, 2-0: 0\n  \
             1 game lacks its partner with colours swapped: it is not in the Elo\n\
             White scores 100.0 %, 0.0 % draws\n\
             b: 1 stall\n\
             b was withdrawn: it has ended\n"
        );
        assert_eq!(
            score_line(&standings, None),
            "a - b: +2 -1 =0, 66.7 % of 3 games, Elo: too few games to say"
        );
    }

    #[test]
    fn a_match_without_a_loss() {
        let mut standings = standings(&["a", "b"], &[(0, 1)]);
        add(&mut standings, 0, &[[WHITE, BLACK]; 10]);
        assert_eq!(
            full(&standings, None),
            "a - b: +20 -0 =0, 100.0 % of 20 games\n  \
             Elo: more than +147.2 (every game won)\n  \
             Pairs of games by score: 0-2: 0, 0.5-1.5: 0, 1-1: 0, 1.5-0.5: 0, 2-0: 10\n\
             White scores 50.0 %, 0.0 % draws\n"
        );
    }

    #[test]
    fn a_gauntlet_has_a_cross_table() {
        let mut standings = standings(&["alpha", "b", "c"], &[(0, 1), (0, 2)]);
        add(&mut standings, 0, &[[WHITE, BLACK], [WHITE, GameResult::Draw]]);
        add(&mut standings, 1, &[[BLACK, WHITE], [BLACK, GameResult::Draw]]);
        let text = full(&standings, None);
        let table: Vec<&str> = text.lines().skip_while(|line| !line.contains("Points")).collect();
        assert_eq!(
            table,
            [
                "                 1      2      3  Points  Elo above the mean",
                "  1.  c          -  3.5/4      -   3.5/4  +240.8 [-44.7, +526.3]",
                "  2.  alpha  0.5/4      -  3.5/4     4/8  +0.0 [-190.5, +190.5]",
                "  3.  b          -  0.5/4      -   0.5/4  -240.8 [-526.3, +44.7]",
                "White scores 50.0 %, 25.0 % draws",
            ]
        );
    }

    #[test]
    fn too_many_games_at_the_same_time_are_noticed() {
        assert_eq!(overload_warning(2, false, 2), None);
        assert_eq!(overload_warning(2, true, 4), None);
        let text = overload_warning(3, false, 2).unwrap();
        assert!(
            text.starts_with("3 engines will think at the same time on 2 processors,"),
            "{text}"
        );
        let text = overload_warning(1, true, 1).unwrap();
        assert!(
            text.starts_with("2 engines will think at the same time on 1 processor,"),
            "{text}"
        );
    }

    #[test]
    fn each_game_has_a_line() {
        let player =
            |name: &str| PlayerRecord { name: name.to_owned(), time_control: String::new() };
        let deed = VariantId::ThreeCheck.endings()[0];
        let record = GameRecord {
            event: String::new(),
            date: String::new(),
            round: String::new(),
            variant: VariantId::ThreeCheck,
            start: None,
            players: ["A", "B"].map(player),
            nodes: None,
            depth: None,
            moves: vec![MoveRecord::default(); 67],
            ending: GameEnding::Rules(Outcome::win(Color::White, Reason::Variant(deed))),
            duration: Duration::ZERO,
        };
        let id = GameId { pair: 0, players: [0, 1] };
        let mut finished = FinishedGame { id, record, total: 20 };
        let line = "Game 3 of 20: A - B 1-0, White gives third check, 34 moves";
        assert_eq!(game_line(&finished, 3), line);
        finished.record.moves.truncate(2);
        assert!(game_line(&finished, 3).ends_with(", 1 move"));
    }
}
