//! The kinds of nodes, known at compile time.
//!
//! A *PV node* has an open window: its exact score matters. Every other node is searched with a
//! null window and only asked whether it beats a bound; there most pruning applies. The root is a
//! PV node that also keeps account of each move.

/// A kind of node.
pub trait Node {
    /// Is the window open?
    const PV: bool;
    /// Is this the root?
    const ROOT: bool;
}

pub struct Root;
pub struct Pv;
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
