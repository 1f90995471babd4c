"""Plays many games of every variant and looks for faults; `.ci/soak` says which.

    soak.py PROGRAM GAMES [VARIANT...]

PROGRAM is a build of Trebuchet. Prints one line for each variant. Needs Linux and the package `chess` (1.11.2).
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import chess.pgn

VARIANTS = [
    "normal", "3check", "kingofthehill", "fischerandom", "racingkings", "horde",
    "antichess", "suicide", "giveaway", "atomic", "crazyhouse",
]  # fmt: skip
# Games at a time: an engine that thinks gets only a share of a processor.
CONCURRENCY = 8
# MiB of each transposition table: small, so that it has been filled after `SETTLED` games.
HASH = 4
# After so many games the memory is measured for the first time.
SETTLED = 100
# How much memory may grow after that.
GROWTH = 1.1


def resident(pids):
    """The resident memory of processes in KiB."""
    lines = (pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() for pid in pids)
    return sum(int(line.split()[1]) for status in lines for line in status if line.startswith("VmRSS"))


def engines(match):
    """The process ids of all engines that a match has started, whatever thread of it started them."""
    threads = pathlib.Path(f"/proc/{match}/task").iterdir()
    return [pid for thread in threads for pid in (thread / "children").read_text().split()]


def count_games(pgn):
    return pgn.read_text().count("[Event ") if pgn.exists() else 0


def play(program, server, port, variant, games, folder):
    """Plays a match. Returns its summary, and the memory of engines and server after `SETTLED` games and at the end,
    in KiB."""
    pgn, summary = folder / "games.pgn", folder / "match.json"
    direct = f"name=process {program} option.Hash={HASH} env.TREBUCHET_LOG={folder}"
    served = f"name=session bash arg=-c arg='exec 3<>/dev/tcp/127.0.0.1/{port}; cat <&3 & exec cat >&3' option.Hash={HASH}"
    command = [
        program, "match", "--quiet", "--no-adjudication", "--shuffle", "--variant", variant, "--games", str(games),
        "--tc", "0.5+0.01", "--concurrency", str(CONCURRENCY), "--engine", direct, "--engine", served,
        "--pgn", str(pgn), "--json", str(summary),
    ]  # fmt: skip
    settled = last = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as match:
        while match.poll() is None:
            time.sleep(1)
            played = count_games(pgn)
            # The last games run on fewer engines.
            if SETTLED <= played <= games - CONCURRENCY:
                try:
                    last = resident([server, *engines(match.pid)])
                except OSError:
                    continue
                settled = settled or last
    return json.loads(summary.read_text()), settled, last


def drawn_by_claim(board):
    return board.is_repetition(3) or board.is_fifty_moves()


def contradictions(pgn):
    """What python-chess finds wrong in the games of a file."""
    found = []
    with pgn.open() as text:
        while game := chess.pgn.read_game(text):
            headers = game.headers
            name = f"game {headers['Round']}"
            if game.errors:
                found.append(f"{name}: {game.errors[0]}")
                continue
            board = game.end().board()
            outcome = board.outcome()
            expected = outcome.result() if outcome else "1/2-1/2" if drawn_by_claim(board) else "*"
            if headers["Result"] != expected:
                found.append(f"{name}: {headers['Result']} by {headers.get('Ending')}, not {expected}: {board.fen()}")
    return found


def panics(folder):
    """The lines about panics in the logs of a folder."""
    found = []
    for log in folder.glob("*.log"):
        with log.open(errors="replace") as lines:
            found += [line.strip() for line in lines if "panicked" in line]
    return found


def examine(program, server, port, variant, games, folder):
    """The faults of a match; prints one line about it."""
    started = time.monotonic()
    summary, settled, last = play(program, server, port, variant, games, folder)
    faults = contradictions(folder / "games.pgn") + panics(folder)
    for player in summary["players"]:
        faults += [f"{player['name']}: {count} {fault}" for fault, count in player["faults"].items()]
    if summary["games"] < games:
        faults.append(f"only {summary['games']} games")
    if last > GROWTH * settled:
        faults.append(f"memory grew from {settled} to {last} KiB")
    # A short soak has too few games for it.
    memory = "memory not measured"
    if settled:
        memory = f"{settled // 1024} MiB after {SETTLED} games and {last // 1024} MiB at the end"
    seconds = time.monotonic() - started
    print(f"{variant}: {summary['games']} games in {seconds:.0f} s, {memory}, {len(faults)} faults", flush=True)
    return faults


def soak(program, server, variants, games, top):
    """Plays the matches of all variants; prints their faults, and returns whether there are any."""
    port = server.stdout.readline().rsplit(":", 1)[1].split()[0].strip(".")
    found = False
    for variant in variants:
        folder = top / variant
        folder.mkdir()
        for fault in examine(program, server.pid, port, variant, games, folder)[:20]:
            found = True
            print(f"  {fault}", flush=True)
        for file in folder.iterdir():
            file.unlink()
    return found


def main():
    program, games, *variants = sys.argv[1:]
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        command = [program, "serve", "--listen", "127.0.0.1:0", "--connections", "64", "--log", str(top)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                found = soak(program, server, variants or VARIANTS, int(games), top)
            finally:
                # The end of this block waits for the server, also after an error.
                server.terminate()
        for panic in panics(top):
            found = True
            print(f"  the server: {panic}")
    sys.exit(found)


main()
