#!/usr/bin/env bash
# Makes the script and the style sheet of the HTML report anew, with their SHA-256 sums, in
# workbench/src/report/html/page. Needs node 20 or newer and npm. Building Trebuchet does not need this: the
# files are part of the source.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

PAGE=../../workbench/src/report/html/page
npm ci --no-audit --no-fund --silent
npx tsc
bundle() {
    npx esbuild "$1" --bundle --tsconfig=tsconfig.json --minify --charset=utf8 --legal-comments=none --target=es2020,safari15 \
        --loader:.svg=dataurl --log-level=warning --banner:"$2"="$(cat "$3")" --outfile="$PAGE/$4"
}
bundle src/main.ts js src/banner.js page.js
bundle src/page.css css src/banner.js page.css
for file in page.js page.css; do
    # A file that ends the element around it would break the page.
    if grep -qi '</script\|</style\|<!--' "$PAGE/$file"; then
        echo "$file ends its element" >&2
        exit 1
    fi
    openssl dgst -sha256 -binary "$PAGE/$file" | base64 >"$PAGE/$file.sha256"
done
wc -c "$PAGE"/page.*
