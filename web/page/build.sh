#!/usr/bin/env bash
# Makes the page, one HTML file with the engine inside: web/page/out/trebuchet.html, or the file that the
# first argument names. Needs node 20 or newer, npm, and Rust's target wasm32-unknown-unknown. Building
# Trebuchet does not need this.
set -euo pipefail
absolute() { node -p 'path.resolve(process.argv[1])' -- "$1"; }
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
OUT=$(absolute "${1:-$HERE/out/trebuchet.html}")
cd "$HERE"
BUILD=$(absolute "${CARGO_TARGET_DIR:-../../target}")

# Panic messages must not show the folder of the crates: the same sources give the same page everywhere.
RUSTFLAGS="-C target-feature=+simd128 --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" \
    cargo build --quiet --locked -p trebuchet-web --target wasm32-unknown-unknown --profile web
npm ci --no-audit --no-fund --silent
npx tsc
mkdir -p out "$(dirname "$OUT")"
cp "$BUILD/wasm32-unknown-unknown/web/trebuchet_web.wasm" out/engine.wasm
bundle() {
    npx esbuild "$1" --bundle --minify --charset=utf8 --legal-comments=none --target=es2022,safari16.4 \
        --loader:.svg=dataurl --log-level=warning --banner:"$2"="$(cat src/banner.js)" --outfile="out/$3"
}
bundle src/main.ts js page.js
bundle src/worker.ts js worker.js
bundle src/page.css css page.css
npx esbuild src/module.ts --format=esm --log-level=warning --outfile=out/module.mjs
node assemble.mjs "$OUT"
