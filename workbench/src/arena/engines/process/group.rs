//! A program and all processes that it starts.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// A process that leads a group of its own, to which the processes that it starts belong: so Ctrl-C in the
/// terminal does not reach them, and all of them end together. An engine behind a script or `make` is a
/// member. Dropping the group kills it.
///
/// Where there are no process groups (Windows), only the first process is killed.
pub struct ProcessGroup {
    leader: Child,
    /// The leader's exit status, once it is known. From then on its process id may belong to another
    /// process.
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    /// Starts a program as the leader of a new group.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(ProcessGroup { leader: command.spawn()?, status: None })
    }

    /// The first process of the group, for its pipes.
    pub fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// Has the leader ended? The rest of the group runs on.
    pub fn has_ended(&mut self) -> bool {
        self.status.is_some() || self.has_leader_ended()
    }

    /// The leader's exit status, if it has ended; the rest of the group ends with it.
    pub fn try_wait(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && self.has_leader_ended() {
            // As long as nobody has asked for the leader's status, its id belongs to nobody else.
            self.signal_members();
            self.status = self.leader.try_wait().ok().flatten();
        }
        self.status
    }

    #[cfg(unix)]
    fn id(&self) -> Option<rustix::process::Pid> {
        i32::try_from(self.leader.id()).ok().and_then(rustix::process::Pid::from_raw)
    }

    /// Has the leader ended? Leaves its exit status for later.
    #[cfg(unix)]
    fn has_leader_ended(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.id().is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None)))
    }

    /// Kills all processes of the group. Fails only if there are none.
    #[cfg(unix)]
    fn signal_members(&self) {
        use rustix::process::{Signal, kill_process_group};
        if let Some(id) = self.id() {
            let _ = kill_process_group(id, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn has_leader_ended(&mut self) -> bool {
        !matches!(self.leader.try_wait(), Ok(None))
    }

    #[cfg(not(unix))]
    fn signal_members(&self) {}
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if self.status.is_none() {
            self.signal_members();
            // Both fail if the process has ended by itself.
            let _ = self.leader.kill();
            let _ = self.leader.wait();
        }
    }
}
