//! The data of the search threads: of as many threads as were asked for and as there is memory for.

use std::sync::Arc;

use crate::eval::network::Network;
use crate::threads::SEARCH_STACK;

use super::available_memory::available_memory;
use super::memory::has_room;
use super::rules::SearchRules;
use super::worker::ThreadData;

/// What the data of one thread takes, in bytes, rounded up.
const THREAD_DATA: usize = 4 << 20;
/// What must be left when all threads have their data and stacks, in bytes: for the threads that read
/// and write, for lines and moves.
const SPARE: usize = 16 << 20;

/// What the threads keep from one search to the next.
pub struct ThreadPool<V: SearchRules> {
    /// One for each thread, the main one first.
    threads: Vec<ThreadData<V>>,
    /// The network that evaluates; `None` for the classic evaluation.
    network: Option<Arc<Network>>,
}

impl<V: SearchRules> ThreadPool<V> {
    /// The data of one thread, which evaluates with this network or with the classic evaluation alone.
    pub fn new(network: Option<Arc<Network>>) -> ThreadPool<V> {
        ThreadPool { threads: vec![ThreadData::new(network.clone())], network }
    }

    /// The number of threads, at least 1.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Adds or removes threads until there are this many; 0 counts as 1. If there is not enough memory,
    /// there are fewer.
    pub fn resize(&mut self, threads: usize) {
        let wanted = threads.max(1);
        self.threads.truncate(wanted);
        let missing = wanted - self.threads.len();
        if missing == 0 {
            return;
        }
        let affordable = (available_memory() / (THREAD_DATA + SEARCH_STACK)).min(missing);
        for _ in 0..affordable {
            // The stacks are not allocated before the search starts.
            let stacks = (self.threads.len() + 1) * SEARCH_STACK;
            if !has_room(THREAD_DATA + stacks + SPARE) {
                break;
            }
            self.threads.push(ThreadData::new(self.network.clone()));
        }
    }

    /// Replaces the network. Forgets everything.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.clear();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let threads = self.threads.len();
        // Free the old data first: there may be no room for both.
        self.threads.clear();
        self.threads.resize_with(threads, || ThreadData::new(self.network.clone()));
    }

    /// The main thread's data, and that of the others.
    pub fn split(&mut self) -> (&mut ThreadData<V>, &mut [ThreadData<V>]) {
        let Some(split) = self.threads.split_first_mut() else {
            unreachable!("`resize` keeps at least one thread");
        };
        split
    }
}
