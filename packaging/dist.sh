#!/usr/bin/env bash
# Builds the engine for each platform and packs one archive per platform into target/dist, and with them a
# Debian package and Python wheels.
#
#     packaging/dist.sh [TARGET...]      Linux and Windows, or only the given ones
#
# Needs Python, the Rust targets (rustup target add TARGET), and for Windows Debian's gcc-mingw-w64-x86-64 and
# zip; for the Debian package dpkg-dev, for the wheels Python's package wheel. The Linux programs are static;
# they need no C compiler for their platform. The targets of macOS are built on macOS, with GNU's tar.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

targets=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-pc-windows-gnu)
[ $# = 0 ] || targets=("$@")

# macOS has GNU's tar under another name, and may have no sha256sum.
if command -v gtar >/dev/null; then tar() { gtar "$@"; }; fi
command -v sha256sum >/dev/null || sha256sum() { shasum -a 256 "$@"; }

fail() { echo "dist: $1" >&2; exit 1; }

# The platform in the name of a target's archive.
platform() {
    case $1 in
        x86_64-unknown-linux-musl) echo linux-x86_64 ;;
        aarch64-unknown-linux-musl) echo linux-aarch64 ;;
        x86_64-pc-windows-gnu) echo windows-x86_64 ;;
        x86_64-apple-darwin) echo macos-x86_64 ;;
        aarch64-apple-darwin) echo macos-aarch64 ;;
        *) fail "unknown target: $1" ;;
    esac
}

sysroot=$(rustc --print sysroot)
for target in "${targets[@]}"; do
    platform "$target" >/dev/null
    [ -d "$sysroot/lib/rustlib/$target/lib" ] || fail "missing target: rustup target add $target"
    if [[ $target = *-windows-* ]]; then
        for program in x86_64-w64-mingw32-gcc zip; do
            command -v $program >/dev/null || fail "$program is missing: apt install gcc-mingw-w64-x86-64 zip"
        done
    fi
done

build=${CARGO_TARGET_DIR:-target}
dist=target/dist
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# Every file gets the date of the commit, so that the same commit makes the same archives.
export TZ=UTC
date=$(git log -1 --date=format-local:%Y%m%d%H%M.%S --format=%cd 2>/dev/null || date +%Y%m%d%H%M.%S)

# Rust's own linker links for aarch64. Panic messages must not show the folder of the crates.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
export RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
# The page for the browser, if it can be made.
if command -v npm >/dev/null && [ -d "$sysroot/lib/rustlib/wasm32-unknown-unknown/lib" ]; then
    (unset RUSTFLAGS; web/page/build.sh web/page/out/trebuchet.html)
    export TREBUCHET_PAGE=web/page/out/trebuchet.html
else
    echo "The page for the browser is not made anew: npm or the target wasm32-unknown-unknown is missing."
fi
# One call builds all targets: the last step of each uses one processor, so these steps run in parallel.
${CARGO:-cargo} build --release --locked --bin trebuchet "${targets[@]/#/--target=}"

rm -rf $dist
for target in "${targets[@]}"; do
    name=trebuchet-$version-$(platform "$target")
    folder=$dist/$name
    mkdir -p "$folder"
    cp LICENSE packaging/trebuchet.6 "$folder"
    packaging/docs.py "$folder"
    packaging/licences.py "$target" >"$folder/third-party.txt"
    if [[ $target = *-windows-* ]]; then
        cp "$build/$target/release/trebuchet.exe" "$folder"
    else
        cp "$build/$target/release/trebuchet" "$folder"
    fi
    chmod -R u=rwX,go=rX "$folder"
    find "$folder" -exec touch -t "$date" {} +
    if [[ $target = *-windows-* ]]; then
        (cd $dist && find "$name" | LC_ALL=C sort | zip -q -X -@ "$name.zip")
    else
        tar -C $dist --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
    fi
    rm -r "$folder"
done
# The other packages, where their tools are there: a Debian package of the program for this machine, and
# wheels of the static programs.
if command -v dpkg-shlibdeps >/dev/null; then
    ${CARGO:-cargo} build --release --locked --bin trebuchet
    packaging/deb.sh
else
    echo "No Debian package: dpkg-dev is missing."
fi
python=${TREBUCHET_PYTHON:-python3}
if "$python" -c 'import wheel.wheelfile' 2>/dev/null; then
    for target in "${targets[@]}"; do
        [[ $target != *-unknown-linux-musl ]] || "$python" packaging/make_wheel.py "$build/$target/release/trebuchet" "${target%%-*}"
    done
else
    echo "No wheels: the Python package wheel is missing."
fi
cd $dist
sha256sum -- *.tar.gz *.zip *.deb *.whl 2>/dev/null >SHA256SUMS || true
ls -l
