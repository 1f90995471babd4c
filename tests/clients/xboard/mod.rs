//! The engine under a real xboard: whole games against Debian's engines, and a person at xboard's window.

mod annotation;
mod games;
pub mod gui;
mod lesson;
pub mod matches;
mod other_games;
mod scenes;
mod window;
