//! The searches of a scripted dialogue, and how its lines are read.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use trebuchet::cecp::wire::Thinking;
use trebuchet::play::{EngineSettings, Game, Job, Message, SearchId, Searcher};
use trebuchet::types::{Move, Score};

/// A search that the session has started.
pub struct Started {
    pub id: SearchId,
    pub position: Box<dyn Game>,
    /// The searcher's job. `None` if the stage chose a move without a search; the script then decides
    /// on the move as for a search.
    pub job: Option<Job>,
    /// The settings that the searcher had taken over.
    pub settings: EngineSettings,
    /// No earlier search had used the tables since they were cleared.
    pub has_fresh_tables: bool,
    pub is_finished: bool,
}

impl Started {
    pub fn is_stopped(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.stop.is_stopped())
    }
}

pub type Searches = Arc<Mutex<Vec<Started>>>;

/// The least time that a clock shows.
pub const NANOSECOND: Duration = Duration::from_nanos(1);

/// Leaves all searches to the script.
pub struct ScriptedSearcher {
    pub searches: Searches,
    pub settings: EngineSettings,
    pub has_fresh_tables: bool,
}

impl ScriptedSearcher {
    pub fn new(searches: Searches) -> ScriptedSearcher {
        ScriptedSearcher { searches, settings: EngineSettings::default(), has_fresh_tables: true }
    }
}

impl Searcher for ScriptedSearcher {
    fn start(&mut self, job: Job) {
        let (id, position) = (job.reporter.id(), job.position.fork());
        let started = Started {
            id,
            position,
            job: Some(job),
            settings: self.settings.clone(),
            has_fresh_tables: std::mem::take(&mut self.has_fresh_tables),
            is_finished: false,
        };
        self.searches.lock().unwrap().push(started);
    }

    fn evaluate(&mut self, _: &dyn Game) -> Score {
        Score::ZERO
    }

    fn configure(&mut self, settings: &EngineSettings) -> Vec<Message> {
        self.settings.clone_from(settings);
        Vec::new()
    }

    fn clear(&mut self) {
        self.has_fresh_tables = true;
    }
}

/// The time of a line since the start, if it has one, and the rest of the line.
pub fn split_time(line: &str) -> (Option<Duration>, &str) {
    let line = line.trim_end_matches('\r');
    if let Some((time, rest)) = line.split_once(' ')
        && rest.starts_with(['>', '<'])
        && let Ok(seconds) = time.parse()
    {
        return (Some(Duration::from_secs_f64(seconds)), rest);
    }
    (None, line)
}

/// Names and their values, in turn.
pub fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut words = text.split_whitespace();
    std::iter::from_fn(move || Some((words.next()?, words.next().expect("a value"))))
}

/// The longest time that prints the same time and the same speed as the line.
pub fn precise_time(thinking: &Thinking, speed: u64) -> Duration {
    let shown = thinking.time.as_nanos() as u64;
    let by_speed = (thinking.nodes * 1_000_000_000).checked_div(speed).unwrap_or(shown);
    Duration::from_nanos(by_speed.clamp(shown, shown + 9_999_999))
}

/// The moves of a line, up to the first word that is not a legal move.
pub fn moves(position: &dyn Game, line: &str) -> Vec<Move> {
    let mut position = position.fork();
    let mut moves = Vec::new();
    for text in line.split_whitespace() {
        let Ok(mv) = position.parse_move(text) else { break };
        position.play(mv);
        moves.push(mv);
    }
    moves
}
