//! Gives the module the stack of a search: that of a thread that searches in the program.

const STACK: usize = 8 << 20;

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
