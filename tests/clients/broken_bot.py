"""A bot for a course, of the stage `pawns` or `random`, with one fault: broken_bot.py STAGE FAULT.

The fault `none` is a bot without faults. The faults are those of students: what was forgotten, misread or
only half done. `FAULTS` names them all. It needs python-chess.
"""

import random
import sys
import time

import chess

FAULTS = {
    # What the bot says.
    "bare-move": "writes its moves without `move`",
    "upper-case": "writes squares in capital letters",
    "no-flush": "does not flush its output",
    "no-newline": "does not end its lines",
    "asks-back": "prints a prompt instead of a move",
    "two-moves": "moves twice when it is asked once",
    # What the bot obeys.
    "silent": "never moves",
    "late": "thinks for a quarter of a minute",
    "no-pong": "does not answer `ping`",
    "ends-at-force": "ends when it reads `force`",
    "crashes-on-time": "crashes when it reads `time`",
    "ignores-force": "answers moves in force mode",
    "ignores-new": "keeps the old game after `new`",
    "keeps-its-side": "keeps its side after `new`",
    "refuses": "calls every move illegal",
    "old-moves": "does not know `usermove`",
    "slow-start": "declares its features late",
    "only-white": "waits for `go` as Black",
    "ignores-go": "plays Black alone, whatever `go` says",
    # What the bot knows of chess.
    "illegal": "moves a rook over its own pawn",
    "ignores-check": "does not see that its king is in check",
    "moves-of-others": "moves the opponent's men",
    "no-en-passant": "does not know en passant",
    "late-en-passant": "captures en passant a move too late",
    "never-castles": "does not know castling",
    "castles-through-check": "castles through check",
    "castles-long-only": "knows castling to the queen's side alone",
    "underpromotes": "makes a knight of each pawn",
    "pushes": "pushes a pawn although another can capture",
    "moves-pieces": "moves a piece when a pawn could move",
    "never-resigns": "moves a piece when no pawn can move",
    "resigns-at-once": "resigns when it is asked for the first move",
    "plays-after-mate": "captures the king when the game is over",
    "claims-win": "claims a win instead of a move",
}


class Bot:
    def __init__(self, stage, fault):
        self.stage = stage
        self.fault = fault
        self.board = chess.Board()
        self.side = chess.BLACK
        self.random = random.Random(7)

    def has(self, fault):
        return self.fault == fault

    def say(self, line):
        print(line, end="" if self.has("no-newline") else "\n", flush=not self.has("no-flush"))

    # Choosing a move.

    def is_allowed(self, move):
        board = self.board
        if self.has("no-en-passant") and board.is_en_passant(move):
            return False
        if board.is_castling(move):
            if self.has("never-castles"):
                return False
            if self.has("castles-long-only") and board.is_kingside_castling(move):
                return False
        return True

    def legal(self):
        if self.has("ignores-check"):
            castling = [move for move in self.board.legal_moves if self.board.is_castling(move)]
            return castling or list(self.board.pseudo_legal_moves)
        return [move for move in self.board.legal_moves if self.is_allowed(move)]

    def through_check(self):
        """Castling that ignores attacked squares; the way is free."""
        board = self.board
        rank = 0 if board.turn == chess.WHITE else 7
        king = chess.square(4, rank)
        if board.king(board.turn) != king or board.is_check():
            return None
        rook = chess.square(7, rank)
        free = all(board.piece_at(chess.square(file, rank)) is None for file in (5, 6))
        if free and board.castling_rights & chess.BB_SQUARES[rook]:
            return chess.Move(king, chess.square(6, rank))
        return None

    def late_en_passant(self):
        """A capture en passant of a pawn that has not just moved."""
        board = self.board
        us, them = board.turn, not board.turn
        rank = 4 if us == chess.WHITE else 3
        step = 8 if us == chess.WHITE else -8
        for square in board.pieces(chess.PAWN, us):
            if chess.square_rank(square) != rank:
                continue
            for side in (-1, 1):
                if not 0 <= chess.square_file(square) + side < 8:
                    continue
                beside, target = square + side, square + side + step
                if board.piece_at(beside) == chess.Piece(chess.PAWN, them) and not board.piece_at(target):
                    if target != board.ep_square:
                        return chess.Move(square, target)
        return None

    def choose(self):
        board = self.board
        if self.has("illegal") and board.piece_at(chess.A1) and board.turn == chess.WHITE:
            return chess.Move(chess.A1, chess.A3)
        if self.has("moves-of-others"):
            board.push(chess.Move.null())
            moves = list(board.pseudo_legal_moves)
            board.pop()
            return moves[0]
        if self.has("late-en-passant") and (move := self.late_en_passant()):
            return move
        if self.has("castles-through-check") and (move := self.through_check()):
            return move
        moves = self.legal()
        if not moves:
            return None
        if self.stage == "random":
            for is_special in (board.is_castling, board.is_en_passant):
                special = [move for move in moves if is_special(move)]
                if special:
                    return special[0]
            return self.random.choice(moves)
        pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        pieces = [move for move in moves if move not in pawns]
        if self.has("moves-pieces") and pieces and not board.is_check():
            return self.random.choice(pieces)
        if not pawns:
            return self.random.choice(moves) if self.has("never-resigns") else None
        captures = [move for move in pawns if board.is_capture(move)]
        pushes = [move for move in pawns if not board.is_capture(move)]
        pawns = pushes if self.has("pushes") and pushes else captures or pawns
        kind = chess.KNIGHT if self.has("underpromotes") else chess.QUEEN
        pawns = [move for move in pawns if move.promotion in (None, kind)]
        return self.random.choice(pawns)

    def written(self, move):
        text = move.uci()
        return text.upper() if self.has("upper-case") else text

    def play(self):
        if self.board.is_checkmate() and self.has("plays-after-mate"):
            return self.say(f"move {chess.square_name(chess.H5)}{chess.square_name(chess.E1)}")
        if self.board.is_game_over():
            return None
        if self.has("silent"):
            return None
        if self.has("late"):
            time.sleep(15)
        if self.has("resigns-at-once"):
            return self.say("resign")
        if self.has("claims-win"):
            return self.say("1-0 {I win}" if self.board.turn == chess.WHITE else "0-1 {I win}")
        if self.has("asks-back"):
            return self.say("Enter move:")
        move = self.choose()
        if move is None:
            return self.say("resign")
        text = self.written(move)
        self.say(text if self.has("bare-move") else f"move {text}")
        if self.has("two-moves"):
            self.say(f"move {text}")
        self.board.push(move)

    # Obeying.

    def obey(self, line):
        words = line.split()
        if not words:
            return
        command = words[0]
        if command == "protover":
            if self.has("slow-start"):
                time.sleep(11)
            self.say("feature ping=1 setboard=1 usermove=1 sigint=0 sigterm=0 colors=0 done=1")
        elif command == "ping" and not self.has("no-pong"):
            self.say(f"pong {words[1]}")
        elif command == "new":
            if not self.has("ignores-new"):
                self.board.reset()
            if not self.has("keeps-its-side"):
                self.side = chess.BLACK
        elif command == "setboard":
            self.board.set_fen(" ".join(words[1:]))
        elif command == "force":
            if self.has("ends-at-force"):
                sys.exit(0)
            if not self.has("ignores-force"):
                self.side = None
        elif command == "time" and self.has("crashes-on-time"):
            raise RuntimeError("time")
        elif command == "go":
            if self.has("ignores-go") and self.board.turn == chess.WHITE:
                return
            self.side = self.board.turn
            self.play()
        elif command == "usermove":
            self.take(words[1])
        elif command == "quit":
            sys.exit(0)

    def take(self, text):
        move = chess.Move.from_uci(text)
        if self.has("old-moves"):
            return self.say(f"Error (unknown command): usermove {text}")
        if self.has("refuses") or move not in self.board.legal_moves:
            return self.say(f"Illegal move: {text}")
        self.board.push(move)
        if self.side == self.board.turn and not (self.has("only-white") and self.side == chess.BLACK):
            self.play()


def main():
    stage, fault = sys.argv[1:]
    if fault != "none" and fault not in FAULTS:
        sys.exit(f"unknown fault {fault}")
    bot = Bot(stage, fault)
    for line in sys.stdin:
        bot.obey(line)


if __name__ == "__main__":
    main()
