#!/usr/bin/env bash
# Packs the release build of this machine as a Debian package into target/dist.
#
#     cargo build --release && packaging/deb.sh
#
# Needs dpkg-dev. The package has the program, the manual page, the plug-in file with which xboard finds the
# engine, a desktop entry for the game in a terminal, the documentation, and all licences.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=${CARGO_TARGET_DIR:-target}/release/trebuchet
[ -x "$program" ] || { echo "deb: build first: cargo build --release" >&2; exit 1; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
arch=$(dpkg --print-architecture)
# Whoever publishes the package puts an address that answers here.
maintainer=${DEB_MAINTAINER:-The Trebuchet authors <trebuchet@example.org>}
# Every file gets the date of the commit, so that the same commit makes the same package.
date=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH=$date
umask 022
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# Debian has games in /usr/games.
make --silent install DESTDIR="$root" PREFIX=/usr BINDIR=/usr/games
strip --strip-unneeded "$root/usr/games/trebuchet"
gzip -9n "$root/usr/share/man/man6/trebuchet.6"
doc=$root/usr/share/doc/trebuchet
install -d "$root/usr/share/applications" "$doc" "$root/DEBIAN"
install -m 644 packaging/trebuchet.desktop "$root/usr/share/applications"
packaging/docs.py "$doc"

# The licences of the program and of the board and the pieces in it, then those of the crates.
cat >"$doc/copyright" <<'COPYRIGHT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: trebuchet

Files: *
Copyright: 2026 The Trebuchet authors
License: GPL-3+
Comment: The licences of the linked crates are in third-party.txt.gz beside this file.

Files: workbench/src/report/html/page/* workbench/page/trebuchet.html
Copyright: 2026 The Trebuchet authors
 Lichess, for the board chessground
License: GPL-3+

Files: workbench/src/report/pieces/*
Copyright: Colin M.L. Burnett, for the pieces cburnett
License: GPL-2+

License: GPL-2+
 On Debian systems, the text of the GNU General Public License, version 2, is in
 /usr/share/common-licenses/GPL-2.

License: GPL-3+
 On Debian systems, the text of the GNU General Public License, version 3, is in
 /usr/share/common-licenses/GPL-3.
COPYRIGHT
packaging/licences.py | gzip -9n >"$doc/third-party.txt.gz"
{
    printf 'trebuchet (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in the source.\n\n' "$version"
    printf ' -- %s  %s\n' "$maintainer" "$(date -Ru -d "@$date")"
} | gzip -9n >"$doc/changelog.gz"
find "$doc" -type f -exec chmod 644 {} +
find "$doc" -type d -exec chmod 755 {} +

# dpkg-shlibdeps wants the folder of a source package.
mkdir -p "$root.source/debian"
printf 'Source: trebuchet\n\nPackage: trebuchet\nArchitecture: any\n' >"$root.source/debian/control"
depends=$(cd "$root.source" && dpkg-shlibdeps -O "$root/usr/games/trebuchet" 2>/dev/null | sed 's/^shlibs:Depends=//')
rm -r "$root.source"
cat >"$root/DEBIAN/control" <<CONTROL
Package: trebuchet
Version: $version
Section: games
Priority: optional
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: $depends
Recommends: xboard
Description: chess engine that plays several variants and coaches
 Trebuchet plays standard chess, three-check, King of the Hill, Chess960, Racing
 Kings, Horde, Antichess, Suicide, Giveaway, Atomic and Crazyhouse under xboard
 and every other program that speaks CECP or UCI, and in a terminal. It has
 levels from beginner to master, judges a learner's moves, writes reports on
 games, plays matches between engines and grades bots.
CONTROL
find "$root" -exec touch --no-dereference --date="@$date" {} +
mkdir -p target/dist
dpkg-deb --root-owner-group -Zxz --build "$root" "target/dist/trebuchet_${version}_$arch.deb"
