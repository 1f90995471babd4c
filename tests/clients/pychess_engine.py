"""Drives an engine through the part of PyChess that talks to engines, without its window.

    pychess_engine.py game VARIANT SECONDS ENGINE...
    pychess_engine.py analysis VARIANT ENGINE...

A game is one of the engine against itself. VARIANT is `normal` or `3check`. Needs Debian's package `pychess`,
the system's own Python, and a screen. Ends with status 0 if all went as it should.
"""

import asyncio
import logging
import os
import sys
import traceback

import gi
import psutil

gi.require_version("Gtk", "3.0")
gi.require_version("GtkSource", "3.0")

from gi.repository import GLib
from pychess.Players.engineNest import discoverer
from pychess.System.Log import log
from pychess.Utils import const
from pychess.Utils.GameModel import GameModel
from pychess.Utils.Move import parseAny
from pychess.Utils.TimeModel import TimeModel
from pychess.Variants import variants

VARIANTS = {"normal": const.NORMALCHESS, "3check": const.THREECHECKCHESS}
FAIR_WINS = {const.WON_MATE, const.WON_RESIGN, const.WON_THREECHECK}
FAIR_DRAWS = {const.DRAW_STALEMATE, const.DRAW_REPETITION, const.DRAW_50MOVES, const.DRAW_INSUFFICIENT, const.DRAW_AGREE}

# PyChess gives an engine that analyses the priority 15, with which it hardly gets a turn beside other tests.
psutil.Process.nice = lambda _process, _value=None: 0


class Complaints(logging.Handler):
    """Collects what PyChess finds odd about the engine."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def engine_of(command):
    """A command as PyChess's list of engines has it."""
    return {
        "name": "engine",
        "protocol": "xboard",
        "protover": 2,
        "command": command[0],
        "args": command[1:],
        "workingDirectory": os.getcwd(),
        "md5": "",
        "options": [],
    }


async def glib_events():
    """Lets GLib's signals through while asyncio has the thread."""
    context = GLib.MainContext.default()
    while True:
        while context.pending():
            context.iteration(False)
        await asyncio.sleep(0.01)


async def game(variant, seconds, command):
    players = []
    for color in (const.WHITE, const.BLACK):
        player = await discoverer.initPlayerEngine(
            engine_of(command), color, 19, variant, secs=seconds, forcePonderOff=color == const.BLACK
        )
        players.append(player)
    model = GameModel(TimeModel(seconds, 0), variant)
    model.setPlayers(players)
    over = asyncio.Event()
    model.connect("game_ended", lambda _model, _reason: over.set())
    model.start()
    await asyncio.wait_for(over.wait(), 30 + 3 * seconds)
    summary = f"status {model.status}, reason {model.reason}, {model.ply} plies"
    print(summary)
    fair = FAIR_DRAWS if model.status == const.DRAW else FAIR_WINS
    assert model.status in (const.DRAW, const.WHITEWON, const.BLACKWON) and model.reason in fair, summary
    assert not any(player.invalid_move for player in players), [player.invalid_move for player in players]
    assert model.ply > 6, summary


async def analysis(variant, command):
    engine = await discoverer.initAnalyzerEngine(engine_of(command), const.ANALYZING, variant)
    told = []
    engine.connect("analyze", lambda _engine, lines: told.extend(lines))
    is_dead = set()
    ready = asyncio.Event()
    engine.start(ready, is_dead)
    await asyncio.wait_for(ready.wait(), 10)
    assert not is_dead, "the engine is dead"
    board = variant(setup=True)
    for text in ("e2e4", "e7e5", "d1h5", "b8c6"):
        before = len(told)
        engine.setBoard(board)
        # First the engine is stopped, which takes PyChess a tenth of a second. A busy machine may need longer.
        await asyncio.sleep(1.2)
        for _ in range(100):
            if len(told) > before:
                break
            await asyncio.sleep(0.1)
        assert len(told) > before, board.asFen()
        ply, moves, score, depth, _nps = told[-1]
        parseAny(board, moves[0])
        assert ply == board.ply and abs(score) < 2000 and int(depth) > 0, told[-1]
        board = board.move(parseAny(board, text))
    print(len(told), "lines of analysis")


async def run():
    kind, name, *rest = sys.argv[1:]
    complaints = Complaints()
    log.logger.addHandler(complaints)
    if kind == "game":
        await game(variants[VARIANTS[name]], int(rest[0]), rest[1:])
    else:
        await analysis(variants[VARIANTS[name]], rest)
    odd = [line for line in complaints.lines if "__parseLine" in line]
    assert not odd, "\n".join(odd[:10])


async def main():
    """Leaves at once: PyChess's own tasks and threads would neither end nor be cancelled."""
    events = asyncio.create_task(glib_events())
    status = 0
    try:
        await run()
    except BaseException:
        traceback.print_exc()
        status = 1
    del events
    sys.stdout.flush()
    os._exit(status)


asyncio.run(main())
