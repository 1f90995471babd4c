//! `trebuchet diagram`.

mod diagram;
