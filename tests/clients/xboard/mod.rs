//! The engine under a real xboard: whole games against Debian's engines, and a person at xboard's window.

mod annotation;
mod games;
mod gui;
mod lesson;
mod matches;
mod window;
