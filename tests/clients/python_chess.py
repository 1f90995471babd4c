"""Drives an engine through python-chess, as lichess-bot does.

    python_chess.py PROTOCOL SCENARIO VARIANT ENGINE...

PROTOCOL is cecp or uci, SCENARIO is one of the functions below, VARIANT a key of `BOARDS`, which are CECP names. Ends with status 0 if all went as it
should; python-chess's own warnings count as failures. Needs the package `chess` (1.11.2).
"""

import logging
import pathlib
import random
import sys

import chess
import chess.engine
import chess.variant

from chess.engine import INFO_ALL, Limit, Mate, Opponent


def chess960(fen=chess.STARTING_FEN):
    return chess.Board(fen, chess960=True)


class AntichessBoard(chess.variant.AntichessBoard):
    """Antichess by its own name: over CECP python-chess plays it as `giveaway` with a FEN without castling."""

    xboard_variant = "antichess"


class SuicideBoard(chess.variant.SuicideBoard):
    """Suicide without castling, as servers and xboard play it; python-chess castles if its FEN says so."""

    starting_fen = chess.variant.AntichessBoard.starting_fen

    def __init__(self, fen=starting_fen, chess960=False):
        super().__init__(fen, chess960=chess960)

    def reset(self):
        super().reset()
        self.castling_rights = chess.BB_EMPTY


BOARDS = {
    "normal": chess.Board,
    "3check": chess.variant.ThreeCheckBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "racingkings": chess.variant.RacingKingsBoard,
    "horde": chess.variant.HordeBoard,
    "antichess": AntichessBoard,
    "suicide": SuicideBoard,
    "giveaway": chess.variant.GiveawayBoard,
    "atomic": chess.variant.AtomicBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "fischerandom": chess960,
}
FOLDERS = {
    "normal": "standard",
    "3check": "three_check",
    "kingofthehill": "king_of_the_hill",
    "racingkings": "racing_kings",
    "horde": "horde",
    "antichess": "antichess",
    "suicide": "suicide",
    "giveaway": "giveaway",
    "atomic": "atomic",
    "crazyhouse": "crazyhouse",
    "fischerandom": "chess960",
}
# The arrays of Chess960 that are played, by their numbers. In some, king or rook stands on its target.
ARRAYS = (0, 357, 959)
# Positions of Chess960 with the castling moves as python-chess has them: the king takes its rook.
CASTLINGS = (
    ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1"),
    ("4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "c1a1"),
    ("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1", "b1h1"),
    ("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R b KQkq - 0 1", "b8a8"),
    ("1r1rk1rr/pppppppp/8/8/8/8/PPPPPPPP/1R1RK1RR w GDgd - 0 1", "e1g1"),
)
VARIANTS = pathlib.Path(__file__).parents[2] / "variants"


# Complaints that are expected. python-chess asks for stat01 itself, with "." at the end of an analysis; it
# insists on SIGTERM; it knows a game without the `setup` line that xboard needs; and it waits for no answer to an
# option, so it finds the coach's colours odd if they come before its next command.
EXPECTED = (
    "stat01: ",
    "Rejecting feature sigterm=0",
    "Unexpected engine output: 'setup (",
    "Unexpected engine output: 'highlight ",
)


def push(board, text):
    """Plays a move of chess; the first legal move in a game that does not allow it."""
    move = chess.Move.from_uci(text)
    board.push(move if move in board.legal_moves else next(iter(board.legal_moves)))


def castles(variant):
    """Do both sides castle in this game?"""
    board = BOARDS[variant]()
    return all(board.has_castling_rights(color) for color in chess.COLORS)


class Complaints(logging.Handler):
    """Collects what python-chess finds odd about the engine."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        line = record.getMessage()
        if not any(text in line for text in EXPECTED):
            self.lines.append(line)


def handshake(engine, variant):
    """What is declared at the start: what the bridge needs."""
    assert engine.id["name"].startswith("Trebuchet")
    if PROTOCOL == "uci":
        names = ("Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_LimitStrength", "UCI_Elo", "UCI_ShowWDL")
        for name in names + ("Clear Hash", "Move Overhead", "SyzygyPath", "Stage"):
            assert name in engine.options, name
        variants = engine.options["UCI_Variant"]
        assert variants.default == "chess" and BOARDS[variant]().uci_variant in variants.var, variants
    else:
        cecp_handshake(engine, variant)
    engine.ping()


def cecp_handshake(engine, variant):
    features = engine.protocol.features
    for name in ("ping", "setboard", "usermove", "done"):
        assert features[name] == 1, name
    assert variant in features["variants"].split(",")
    for name in engine.options:
        assert " " not in name or name.startswith("egtpath "), name
    for name in ("Stage", "memory", "cores"):
        assert name in engine.options, name


def play(engine, variant):
    """Whole games against itself by the clock, with information about every move."""
    boards = [BOARDS[variant]()]
    if variant == "fischerandom":
        boards = [chess.Board.from_chess960_pos(number) for number in ARRAYS]
    for number, board in enumerate(boards):
        play_game(engine, board, ("play", number))


def play_game(engine, board, game):
    clock = {chess.WHITE: 3.0, chess.BLACK: 3.0}
    seen = 0
    while not board.is_game_over(claim_draw=True):
        limit = Limit(white_clock=clock[True], black_clock=clock[False], white_inc=0.05, black_inc=0.05)
        result = engine.play(board, limit, game=game, info=INFO_ALL)
        if result.resigned:
            break
        assert result.move in board.legal_moves, (board.fen(), result)
        seen += "score" in result.info and "depth" in result.info
        if result.info.get("pv"):
            assert result.info["pv"][0] == result.move, (board.fen(), result)
        board.push(result.move)
        clock[not board.turn] = max(0.1, clock[not board.turn] - 0.03)
    assert len(board.move_stack) > 8, board.fen()
    assert seen >= len(board.move_stack) // 2, "few moves came with a score and a depth"
    # The engine is still there.
    engine.ping()


def castling(engine, variant):
    """Chess960: castling is found, told and understood. The other games castle as in chess."""
    if not castles(variant):
        return
    castlings = (("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", "e1g1"), ("r3k2r/p6p/8/8/8/8/P6P/R3K2R b KQkq - 0 1", "e8c8"))
    for fen, text in CASTLINGS if variant == "fischerandom" else castlings:
        board = BOARDS[variant](fen)
        move = chess.Move.from_uci(text)
        assert board.is_castling(move) and move in board.legal_moves, (fen, text)
        info = engine.analyse(board, Limit(depth=3), game=object(), root_moves=[move])
        assert info["pv"][0] == move, (fen, info)
        # The game goes on after castling, and is taken back before it.
        game = object()
        engine.play(board, Limit(depth=2), game=game)
        board.push(move)
        result = engine.play(board, Limit(depth=2), game=game)
        assert result.move in board.legal_moves, (fen, result)
        board.push(result.move)
        engine.analyse(board, Limit(depth=2), game=game)
        board.pop()
        board.pop()
        result = engine.play(board, Limit(depth=2), game=game)
        assert result.move in board.legal_moves, (fen, result)


def has_unread_castling(board):
    """In Giveaway, a pawn may have become a king. It does not castle, but python-chess takes the right when it moves."""
    kings = (len(board.pieces(chess.KING, color)) for color in chess.COLORS)
    return bool(board.castling_rights) and max(kings) > 1


def limits(engine, variant):
    """Seconds, plies, and single positions out of order: every move is legal."""
    for fen in epd("bench.epd"):
        board = BOARDS[variant](fen)
        if board.is_game_over() or has_unread_castling(board):
            continue
        for limit in (Limit(time=0.05), Limit(depth=4), Limit(time=0.05, depth=2)):
            result = engine.play(board, limit, game=object(), info=INFO_ALL)
            assert result.resigned or result.move in board.legal_moves, (fen, result)
            assert limit.depth is None or result.info.get("depth", 0) <= limit.depth, (fen, result)


def ponder(engine, variant):
    """Games in which the engine thinks on the opponent's time, right or wrong."""
    board = BOARDS[variant]()
    for ply in range(16):
        if board.is_game_over():
            break
        # python-chess keeps the board: with one that changes, it takes the last ping for a ponder hit.
        result = engine.play(board.copy(), Limit(time=0.1), game="ponder", info=INFO_ALL, ponder=True)
        assert result.move in board.legal_moves, (board.fen(), result)
        board.push(result.move)
        if board.is_game_over():
            break
        is_legal = result.ponder is not None and result.ponder in board.legal_moves
        expected = result.ponder if ply % 3 == 0 and is_legal else None
        board.push(expected or next(iter(board.legal_moves)))
    engine.ping()


def answered(board):
    """The boards after each answer."""
    boards = []
    for move in board.legal_moves:
        boards.append(board.copy())
        boards[-1].push(move)
    return boards


def mates(engine, variant):
    """Short wins: the score says in how many moves, and the move keeps it."""
    for fen, moves in mates_in(2):
        board = BOARDS[variant](fen)
        # Not the last line: before it stops, the next iteration may have lost the win again for a while.
        with engine.analysis(board, Limit(time=10, mate=moves), game=object()) as running:
            scores = [info["score"].relative for info in running if "score" in info]
        assert Mate(moves) in scores, (fen, moves, scores)
        if moves == 1:
            wins = "1-0" if board.turn == chess.WHITE else "0-1"
            result = engine.play(board, Limit(time=0.2), game=object(), info=INFO_ALL)
            assert result.info["score"].relative == Mate(1), (fen, result)
            board.push(result.move)
            # In Antichess the opponent's captures may end the game, whichever it is.
            for ended in [board] if board.is_game_over() else answered(board):
                assert ended.is_game_over() and ended.result() == wins, (fen, ended.fen())


def analysis(engine, variant):
    """Analysis that deepens, follows moves made and taken back, and keeps to the moves it is given."""
    board = BOARDS[variant]()
    for moves in (["e2e4"], ["e2e4", "e7e5"], ["e2e4"], ["d2d4", "g8f6"], []):
        board = BOARDS[variant]()
        for move in moves:
            push(board, move)
        with engine.analysis(board, game="analysis") as running:
            depths = []
            for info in running:
                if "depth" in info:
                    depths.append(info["depth"])
                if info.get("pv"):
                    assert info["pv"][0] in board.legal_moves, (moves, info)
                if depths and depths[-1] >= 6:
                    break
            assert depths == sorted(depths), depths
    info = engine.analyse(BOARDS[variant](), Limit(time=0.3), game=object())
    # Nobody has won at the start. In Horde White stands far better.
    assert abs(info["score"].white().score(mate_score=10_000)) < 600, info
    only = list(BOARDS[variant]().legal_moves)[-2:]
    info = engine.analyse(BOARDS[variant](), Limit(depth=5), game=object(), root_moves=only)
    assert info["pv"][0] in only, info


def options(engine, variant):
    """Every option takes its default, its extremes and its choices, and the engine still plays."""
    for name, option in engine.options.items():
        if option.is_managed() or option.name in ("random", "computer", "name") or "rating" in name:
            continue
        if option.type == "check":
            values = [not option.default, option.default]
        elif option.type == "spin" and option.name not in ("memory", "cores", "Threads"):
            values = [option.min, option.max, option.default] if option.name != "Hash" else [1, 32]
        elif option.type == "combo":
            values = [*option.var, option.default]
        else:
            values = []
        for value in values:
            engine.configure({name: value})
            engine.ping()
    hash_option, threads = ("Hash", "Threads") if PROTOCOL == "uci" else ("memory", "cores")
    engine.configure({hash_option: 32, threads: 1})
    engine.configure({hash_option: 8, threads: 2})
    board = BOARDS[variant]()
    for stage in ("pawns", "random", "full"):
        engine.configure({"Stage": stage})
        result = engine.play(board, Limit(time=0.05), game=stage)
        if stage == "pawns" and not board.pawns:
            assert result.move is None, result
            continue
        assert result.move in board.legal_moves, stage
        if stage == "pawns":
            assert board.piece_type_at(result.move.from_square) == chess.PAWN, result


def opponent(engine, variant):
    """What a bridge tells about the opponent, draw offers, and the end of a game."""
    for number, someone in enumerate((
        Opponent(name="stockfish", title="BOT", rating=3500, is_engine=True),
        Opponent(name="A. Person", title=None, rating=1500, is_engine=False),
    )):
        board = BOARDS[variant]()
        for ply in range(6):
            result = engine.play(
                board, Limit(time=0.05), game=number, opponent=someone if ply == 0 else None, draw_offered=ply == 4
            )
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
        engine.send_game_result(board, chess.WHITE, "Black resigns")
        engine.ping()


def takeback(engine, variant):
    """Going back and forth in a game, over checks too."""
    lines = (
        "e2e4 f7f6 d1h5 g7g6 h5g6 h7g6",
        "e2e4 f7f6 d1h5",
        "e2e4 f7f6 d1h5 g7g6 h5h4",
        "e2e4",
        "e2e4 e7e5 f1c4 b8c6 c4f7 e8f7",
    )
    for line in lines:
        board = BOARDS[variant]()
        for move in line.split():
            # In Atomic a king may explode on the way.
            if not board.is_game_over():
                push(board, move)
        if board.is_game_over():
            continue
        result = engine.play(board, Limit(time=0.05), game="takeback", info=INFO_ALL)
        assert result.move in board.legal_moves, (line, result)


def bridge(engine, variant):
    """Whole games as lichess-bot plays them: its options, clocks, pondering, draw offers, and a take-back."""
    engine.configure(dict(sample_options()))
    choices = random.Random(20260)
    for side in chess.COLORS:
        board = BOARDS[variant]()
        game = ("bridge", side)
        clock = {chess.WHITE: 4.0, chess.BLACK: 4.0}
        has_taken_back = False
        while not board.is_game_over(claim_draw=True):
            if board.turn != side:
                board.push(choices.choice(list(board.legal_moves)))
                continue
            limit = Limit(white_clock=clock[True], black_clock=clock[False], white_inc=0.1, black_inc=0.1)
            result = engine.play(
                board, limit, game=game, info=INFO_ALL, ponder=True, draw_offered=board.fullmove_number % 5 == 4
            )
            if result.resigned:
                break
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
            clock[side] = max(0.2, clock[side] - 0.05)
            # The opponent takes a move back, with the engine's answer before it.
            if not has_taken_back and board.fullmove_number == 6 and len(board.move_stack) >= 4:
                has_taken_back = True
                for _ in range(3):
                    board.pop()
        assert not result.resigned, "the engine resigns against random moves"
        winner = board.outcome(claim_draw=True).winner
        engine.send_game_result(board, winner, "the game is over")
        engine.ping()


def sample_options():
    """The options of the sample configuration."""
    lines = iter((VARIANTS.parent / "docs" / "lichess-bot.yml").read_text().splitlines())
    for line in lines:
        if line == f"  {'uci' if PROTOCOL == 'uci' else 'xboard'}_options:":
            break
    for line in lines:
        if not line.startswith("    "):
            break
        name, value = line.strip().split(": ")
        yield name.strip('"'), value.strip('"')


def evaluations(engine, variant):
    """The chances of a win, a draw and a loss, how full the table is, and several lines, as Lichess' external engine
    asks for them."""
    engine.configure({"UCI_ShowWDL": True, "Hash": 16})
    board = BOARDS[variant]()
    lines = engine.analyse(board, Limit(depth=8), multipv=3, game=object())
    assert [line["multipv"] for line in lines] == [1, 2, 3], lines
    for line in lines:
        assert sum(line["wdl"].relative) == 1000, line
        assert {"depth", "seldepth", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"} <= line.keys(), line
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1000})
    result = engine.play(board, Limit(time=1), game=object())
    assert result.move in board.legal_moves, result
    engine.configure({"UCI_LimitStrength": False})
    if not castles(variant):
        return
    # Shredder-FEN, and a position of Chess960 in another game.
    board = BOARDS[variant]("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1")
    board.chess960 = True
    move = chess.Move.from_uci("e1h1")
    info = engine.analyse(board, Limit(depth=3), game=object(), root_moves=[move])
    assert info["pv"][0] == move, info


def long_game(engine, variant):
    """A position after 600 plies is replayed for each move."""
    board = BOARDS[variant]()
    for ply in range(600):
        push(board, ("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4])
        if board.is_game_over():
            board.pop()
            break
    result = engine.play(board, Limit(depth=1), game="long")
    assert result.move in board.legal_moves, result


def epd(name):
    """The positions of one of the variant's files."""
    for line in (VARIANTS / FOLDERS[VARIANT] / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line


def mates_in(most):
    for line in epd("mates.epd"):
        fen, _, moves = line.rstrip(";").rpartition(" dm ")
        if int(moves) <= most:
            yield fen, int(moves)


SCENARIOS = (handshake, play, castling, limits, ponder, mates, analysis, options, opponent, takeback, bridge)
SCENARIOS += (evaluations, long_game)
_, PROTOCOL, SCENARIO, VARIANT, *COMMAND = sys.argv
START = chess.engine.SimpleEngine.popen_uci if PROTOCOL == "uci" else chess.engine.SimpleEngine.popen_xboard
complaints = Complaints()
logging.getLogger("chess.engine").addHandler(complaints)
logging.getLogger("chess.engine").propagate = False
with START(COMMAND, timeout=60) as ENGINE:
    {scenario.__name__: scenario for scenario in SCENARIOS}[SCENARIO](ENGINE, VARIANT)
# Without pawns the stage `pawns` is refused, which python-chess finds unexpected.
expected = "has no pawns: the stage pawns cannot play it"
lines = [line for line in complaints.lines if BOARDS[VARIANT]().pawns or expected not in line]
assert not lines, "\n".join(lines[:10])
print(PROTOCOL, SCENARIO, VARIANT, "as it should be")
