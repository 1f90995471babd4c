#!/usr/bin/env bash
# Installs the Debian package in target/dist in a bare Debian with xboard beside it. There xboard must find
# the engine by itself, and play a game with it. Needs root, debootstrap, and the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mirror=$(find /etc/apt -name '*.list' -o -name '*.sources' | sort | xargs \
    sed -n -e 's/^URIs: *//p' -e 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' | head -n 1)
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
rm "$root.log"
cp /etc/resolv.conf "$root/etc/"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
cp target/dist/*.deb "$root/opt/"

cat >"$root/opt/install" <<'INSTALL'
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq -y --no-install-recommends install xboard xvfb xauth /opt/*.deb >/dev/null
INSTALL
# At its first start xboard adds the engines that it finds to the user's settings; then they have names.
cat >"$root/opt/play" <<'PLAY'
set -e
timeout 5 xboard -ncp -saveSettingsOnExit true || true
grep -x /usr/games/trebuchet ~/.xboardrc
timeout 300 xboard -fe trebuchet -se trebuchet -mg 1 -tc 5 -inc 1 -depth 2 -mm -xexit -noGUI -soundProgram true \
    -saveSettingsOnExit false -saveGameFile ~/game.pgn
grep '^\[White "Trebuchet' ~/game.pgn
grep '^\[Result "[01]' ~/game.pgn
PLAY
chroot "$root" bash /opt/install
PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/games HOME=/root chroot "$root" xvfb-run -a bash /opt/play
