//! Watches the session of a client: logs its games, and notes what the client does.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use super::activity::{Activity, Doing};
use super::seats::ClientId;
use crate::cecp::wire::{Command, Reply as CecpReply};
use crate::dialogue::{Dialogue, Reply};
use crate::play::Message;
use crate::protocol::session_loop::Monitor;
use crate::types::GameResult;
use crate::uci::wire::{Command as UciCommand, Reply as UciReply};

/// The monitor of one client's session.
pub(super) struct ClientMonitor {
    client: ClientId,
    activity: Arc<Activity>,
    /// Does the client speak UCI? Then `ucinewgame` ends a game, and nobody tells its result.
    speaks_uci: bool,
    /// Is a game being played?
    is_playing: bool,
    /// Games begun so far.
    games: u64,
    /// The engine has moved since the last event.
    has_moved: bool,
    /// How the game has ended since the last event.
    end: Option<String>,
}

impl ClientMonitor {
    pub(super) fn new(client: ClientId, activity: Arc<Activity>) -> ClientMonitor {
        ClientMonitor {
            client,
            activity,
            speaks_uci: false,
            is_playing: false,
            games: 0,
            has_moved: false,
            end: None,
        }
    }

    /// The number of games that the client has begun.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    fn log(&self, text: impl fmt::Display) {
        log::info!("client {}: {text}", self.client);
    }

    /// Notes an end; the first one of a game counts.
    fn note_end(&mut self, result: GameResult, comment: &str) {
        let comment: String = comment.chars().filter(|c| !c.is_control()).take(100).collect();
        self.end.get_or_insert(format!("{result} {{{comment}}}"));
    }
}

impl Monitor<Dialogue> for ClientMonitor {
    fn line(&mut self, line: &[u8]) {
        if self.speaks_uci {
            self.is_playing &= !matches!(UciCommand::parse(line), Ok(UciCommand::UciNewGame));
        } else if let Ok(Command::Result(result, comment)) = Command::parse(line) {
            self.note_end(result, &comment);
        }
    }

    fn reply(&mut self, reply: &Reply) {
        self.speaks_uci = matches!(reply, Reply::Uci(_));
        if self.speaks_uci {
            self.activity.speaks_uci();
        }
        match reply {
            Reply::Cecp(CecpReply::Move(_)) | Reply::Uci(UciReply::BestMove { .. }) => {
                self.has_moved = true;
            }
            Reply::Cecp(CecpReply::Result(result, comment)) => self.note_end(*result, comment),
            Reply::Cecp(CecpReply::Resign) => {
                self.end.get_or_insert("the engine resigns".to_owned());
            }
            _ => {}
        }
    }

    fn handled(&mut self, session: &mut Dialogue) -> Option<Message> {
        let game = session.engine().game();
        let plies = game.ply_count();
        if self.is_playing && plies == 0 && !self.speaks_uci {
            self.is_playing = false;
            self.log("game broken off");
        }
        if std::mem::take(&mut self.has_moved) && !self.is_playing {
            self.is_playing = true;
            self.games += 1;
            self.log(format_args!("game {} begins: {}", self.games, game.variant().name()));
        }
        // A result that comes while the engine must move is that of the game with this move.
        if !session.is_thinking()
            && let Some(end) = self.end.take()
            && std::mem::take(&mut self.is_playing)
        {
            self.log(format_args!("game {} ends at ply {plies}: {end}", self.games));
        }
        let doing = if session.is_searching() && !session.is_pondering() {
            Doing::Waiting
        } else if self.is_playing {
            Doing::Playing
        } else {
            Doing::Nothing
        };
        self.activity.set_doing(doing, Instant::now());
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::play::{Engine, EngineSettings, Host, ResourceLimits, Stage};
    use crate::protocol::options::SessionSettings;
    use crate::protocol::session::{Event, Session};
    use crate::serve::activity::TimeLimits;
    use crate::variants::VariantId;

    /// How many games the monitor counts if a client says this to an engine that moves without a search.
    fn games(lines: &[&str]) -> u64 {
        let (sender, events) = mpsc::channel();
        let sink = Arc::new(move |event| sender.send(event).unwrap_or_default());
        let host = Host::native(ResourceLimits::OWNER, sink);
        let settings =
            EngineSettings { stage: Stage::Random, hash: 1, ..EngineSettings::default() };
        let engine = Engine::new(VariantId::Standard, settings, host);
        let mut session = Dialogue::new(engine, SessionSettings::default());
        let limits = TimeLimits::new(Duration::from_secs(60));
        let activity = Arc::new(Activity::new(limits, Instant::now()));
        let mut monitor = ClientMonitor::new(1, activity);
        for line in lines {
            monitor.line(line.as_bytes());
            let mut event = Some(Event::Line(line.as_bytes().to_vec()));
            while let Some(next) = event {
                let now = session.now();
                let _ = session.handle(next, now, &mut |reply| monitor.reply(&reply));
                monitor.handled(&mut session);
                event = events.try_recv().ok().map(Event::Search);
            }
        }
        monitor.games()
    }

    #[test]
    fn the_games_of_both_protocols_are_counted() {
        assert_eq!(games(&["new", "go", "new", "usermove e2e4", "new"]), 2);
        let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(games(&["uci", "position startpos", "go", "isready", fen, "go"]), 1);
        assert_eq!(games(&["uci", fen, "go", "ucinewgame", fen, "go", "ucinewgame"]), 2);
    }
}
