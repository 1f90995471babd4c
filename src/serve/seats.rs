//! The places of the server, and who has them.

use std::fmt;
use std::io::Write;
use std::net::{IpAddr, Shutdown};
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
    /// The most places of clients with the same address. Clients on this machine have no such limit.
    per_address: usize,
    taken: Mutex<Vec<Occupant>>,
}

/// A client that has a place.
#[derive(Debug)]
struct Occupant {
    client: ClientId,
    address: IpAddr,
    activity: Arc<Activity>,
    socket: Socket,
}

/// Why a client gets no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    AllTaken,
    TooManyOfAddress,
}

/// `all places are taken`
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Refusal::AllTaken => "all places are taken",
            Refusal::TooManyOfAddress => "all places for your address are taken",
        })
    }
}

/// A client's place; dropping it frees the place.
#[derive(Debug)]
pub(super) struct Seat {
    client: ClientId,
    seats: Arc<Seats>,
}

impl Seats {
    pub(super) fn new(count: usize, per_address: usize) -> Seats {
        Seats { count, per_address, taken: Mutex::default() }
    }

    /// Gives a client a place. If all are taken, or all of its address, the client that has been silent
    /// longest must leave (of those with this address), provided that it has been silent long enough.
    ///
    /// # Errors
    /// If no client must leave.
    pub(super) fn take(
        self: &Arc<Self>,
        client: ClientId,
        address: IpAddr,
        activity: Arc<Activity>,
        socket: Socket,
        now: Instant,
    ) -> Result<Seat, Refusal> {
        let mut taken = lock(&self.taken);
        let address = address.to_canonical();
        let of_address = taken.iter().filter(|occupant| occupant.address == address).count();
        let is_address_full = !address.is_loopback() && of_address >= self.per_address;
        if is_address_full || taken.len() >= self.count {
            let silent = taken.iter().enumerate().filter_map(|(index, occupant)| {
                let may_leave = !is_address_full || occupant.address == address;
                Some((occupant.activity.yields(now).filter(|_| may_leave)?, index))
            });
            let refusal =
                if is_address_full { Refusal::TooManyOfAddress } else { Refusal::AllTaken };
            let (silence, index) = silent.max().ok_or(refusal)?;
            taken.swap_remove(index).leave(Cut::Newcomer(silence));
        }
        taken.push(Occupant { client, address, activity, socket });
        Ok(Seat { client, seats: Arc::clone(self) })
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
        let _ = writeln!(self.socket, "{}", self.activity.farewell(reason));
        let _ = self.socket.stream().shutdown(Shutdown::Both);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // A client that had to leave is not in the list any more.
        lock(&self.seats.taken).retain(|occupant| occupant.client != self.client);
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::time::Duration;

    use super::*;
    use crate::serve::activity::TimeLimits;

    #[test]
    fn clients_of_one_address_leave_places_for_others() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let limits = TimeLimits::new(Duration::from_secs(1800));
        let seats = Arc::new(Seats::new(4, 2));
        let start = Instant::now();
        let take = |client, address: &str, now| {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let socket = Socket::new(stream, &limits).unwrap();
            let activity = Arc::new(Activity::new(limits, start));
            seats.take(client, address.parse().unwrap(), activity, socket, now)
        };
        let first = take(1, "10.0.0.1", start).unwrap();
        // The same address, as an IPv6 socket sees it.
        let _second = take(2, "::ffff:10.0.0.1", start).unwrap();
        assert_eq!(take(3, "10.0.0.1", start).unwrap_err(), Refusal::TooManyOfAddress);
        let _other = take(3, "10.0.0.2", start).unwrap();
        drop(first);
        let _third = take(4, "10.0.0.1", start).unwrap();
        let _local = take(5, "127.0.0.1", start).unwrap();
        assert_eq!(take(6, "127.0.0.1", start).unwrap_err(), Refusal::AllTaken);
        // Those that have sent nothing for long give their place, but only to a client of their address.
        let later = start + Duration::from_secs(5);
        let _sixth = take(6, "10.0.0.1", later).unwrap();
        let taken = lock(&seats.taken);
        let count = |address: &str| {
            taken.iter().filter(|occupant| occupant.address.to_string() == address).count()
        };
        assert_eq!([count("10.0.0.1"), count("10.0.0.2"), count("127.0.0.1")], [2, 1, 1]);
    }

    #[test]
    fn clients_on_this_machine_may_take_all_places() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let limits = TimeLimits::new(Duration::from_secs(1800));
        let seats = Arc::new(Seats::new(3, 1));
        let taken: Vec<_> = (1..=4)
            .map(|client| {
                let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
                let socket = Socket::new(stream, &limits).unwrap();
                let now = Instant::now();
                let activity = Arc::new(Activity::new(limits, now));
                seats.take(client, "::1".parse().unwrap(), activity, socket, now)
            })
            .collect();
        assert_eq!(taken.iter().filter(|seat| seat.is_ok()).count(), 3);
        assert_eq!(taken[3].as_ref().unwrap_err(), &Refusal::AllTaken);
    }
}
