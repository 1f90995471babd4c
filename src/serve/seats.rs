//! The places of the server, and who has them.

use std::io::Write;
use std::net::Shutdown;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::activity::{Activity, Cut};
use super::socket::Socket;
use crate::threads::lock;

/// The number of a client, from 1 on.
pub(super) type ClientId = u64;

/// The places of the server.
#[derive(Debug)]
pub(super) struct Seats {
    count: usize,
    taken: Mutex<Vec<Occupant>>,
}

/// A client that has a place.
#[derive(Debug)]
struct Occupant {
    client: ClientId,
    activity: Arc<Activity>,
    socket: Socket,
}

/// A client's place; dropping it frees the place.
#[derive(Debug)]
pub(super) struct Seat {
    client: ClientId,
    seats: Arc<Seats>,
}

impl Seats {
    pub(super) fn new(count: usize) -> Seats {
        Seats { count, taken: Mutex::default() }
    }

    /// Gives a client a place. If all are taken, the client that has been silent longest must leave,
    /// provided that it has been silent long enough. `None` if no client must leave.
    pub(super) fn take(
        self: &Arc<Self>,
        client: ClientId,
        activity: Arc<Activity>,
        socket: Socket,
        now: Instant,
    ) -> Option<Seat> {
        let mut taken = lock(&self.taken);
        if taken.len() >= self.count {
            let silent = taken.iter().enumerate();
            let silent = silent
                .filter_map(|(index, occupant)| Some((occupant.activity.yields(now)?, index)));
            let (silence, index) = silent.max()?;
            taken.swap_remove(index).leave(Cut::Newcomer(silence));
        }
        taken.push(Occupant { client, activity, socket });
        Some(Seat { client, seats: Arc::clone(self) })
    }

    /// The number of places that are taken.
    pub(super) fn taken(&self) -> usize {
        lock(&self.taken).len()
    }
}

impl Occupant {
    /// Ends the connection, which ends the session.
    fn leave(mut self, reason: Cut) {
        self.activity.cut(reason);
        // Best effort: one line fits into the socket's buffer.
        let _ = self.socket.stream().set_nonblocking(true);
        let _ = writeln!(self.socket, "tellusererror Disconnected: {reason}");
        let _ = self.socket.stream().shutdown(Shutdown::Both);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // A client that had to leave is not in the list any more.
        lock(&self.seats.taken).retain(|occupant| occupant.client != self.client);
    }
}
