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
use crate::uci::wire::Reply as UciReply;

/// The monitor of one client's session.
pub(super) struct ClientMonitor {
    client: ClientId,
    activity: Arc<Activity>,
    /// The CECP name of the game that is being played.
    game: Option<&'static str>,
    /// Games begun so far.
    games: u64,
    /// The engine has moved since the last event.
    has_moved: bool,
    /// How the game has ended since the last event.
    end: Option<String>,
}

impl ClientMonitor {
    pub(super) fn new(client: ClientId, activity: Arc<Activity>) -> ClientMonitor {
        ClientMonitor { client, activity, game: None, games: 0, has_moved: false, end: None }
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
        if let Ok(Command::Result(result, comment)) = Command::parse(line) {
            self.note_end(result, &comment);
        }
    }

    fn reply(&mut self, reply: &Reply) {
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
        if self.game.is_some() && plies == 0 {
            self.game = None;
            self.log("game broken off");
        }
        if std::mem::take(&mut self.has_moved) && self.game.is_none() {
            let name = game.variant().name();
            self.game = Some(name);
            self.games += 1;
            self.log(format_args!("game {} begins: {name}", self.games));
        }
        if let Some(end) = self.end.take()
            && self.game.take().is_some()
        {
            self.log(format_args!("game {} ends at ply {plies}: {end}", self.games));
        }
        let doing = if session.is_searching() && !session.is_pondering() {
            Doing::Waiting
        } else if self.game.is_some() {
            Doing::Playing
        } else {
            Doing::Nothing
        };
        self.activity.set_doing(doing, Instant::now());
        None
    }
}
