"""Plays games at random by the rules of python-chess, and prints what it knows of each position.

    random_games.py VARIANT GAMES SEED

VARIANT is a key of `BOARDS`. Each position is one line of fields between `|`: the FEN; the result (`1-0`, `0-1`, `1/2-1/2`, or `*` if
the game goes on, repetition and fifty moves aside); the legal moves in coordinates, sorted; the move that is played, and the same in
SAN. The last two are empty at the end of a game, and the next line begins another. Needs the package `chess` (1.11.2).
"""

import random
import sys

import chess
import chess.variant


class SuicideBoard(chess.variant.SuicideBoard):
    """Suicide without castling, as servers and xboard play it; python-chess castles if its FEN says so."""

    starting_fen = chess.variant.AntichessBoard.starting_fen

    def __init__(self, fen=starting_fen, chess960=False):
        super().__init__(fen, chess960=chess960)

    def reset(self):
        super().reset()
        self.castling_rights = chess.BB_EMPTY


BOARDS = {
    "suicide": SuicideBoard,
    "giveaway": chess.variant.GiveawayBoard,
    "antichess": chess.variant.AntichessBoard,
}
LONGEST = 300


def result(board):
    outcome = board.outcome()
    drawn = (chess.Termination.SEVENTYFIVE_MOVES, chess.Termination.FIVEFOLD_REPETITION)
    return "*" if outcome is None or outcome.termination in drawn else outcome.result()


def choose(board, moves, choices):
    """A move at random; castling, which is rare, more often."""
    castlings = [move for move in moves if board.is_castling(move)]
    return choices.choice(castlings if castlings and choices.random() < 0.5 else moves)


def play(board, choices):
    for _ in range(LONGEST):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        fields = [board.fen(en_passant="legal"), result(board), " ".join(map(chess.Move.uci, moves))]
        if fields[1] != "*" or not moves:
            print("|".join(fields + ["", ""]))
            return
        move = choose(board, moves, choices)
        print("|".join(fields + [move.uci(), board.san(move)]))
        board.push(move)
    print("|".join([board.fen(en_passant="legal"), result(board), "?", "", ""]))


def main():
    variant, games, seed = sys.argv[1:]
    choices = random.Random(int(seed))
    for _ in range(int(games)):
        play(BOARDS[variant](), choices)


main()
