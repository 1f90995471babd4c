"""Prints the games of a PGN file as python-chess reads them, one on each line.

    python_chess_pgn.py FILE

A game is its comment, its moves, and its result. A move is the move without a mark for check, its glyphs, its comment
in angle brackets, and its side lines in parentheses. Ends with status 1 if python-chess complains about anything. Needs
the package `chess` (1.11.2).
"""

import sys

import chess.pgn


def words(comment):
    return " ".join(comment.split())


def line(node):
    """The moves after a node; side lines replace the first of them."""
    text = ""
    while node.variations:
        first, *others = node.variations
        text += move(first)
        for other in others:
            text += f" (<{words(other.starting_comment)}> {move(other)}; {line(other)})"
        text += "; "
        node = first
    return text


def move(node):
    nags = "".join(f" ${nag}" for nag in sorted(node.nags))
    san = "--" if not node.move else node.san()
    return f"{san.rstrip('+#')}{nags} <{words(node.comment)}>"


with open(sys.argv[1], encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        if game.errors:
            sys.exit(f"{game.headers}: {game.errors}")
        for node in game.mainline():
            # What lichess's tools look for.
            assert (node.eval() is None) == ("[%eval" not in node.comment), node.comment
        print(f"<{words(game.comment)}> {line(game)}{game.headers['Result']}")
