#!/usr/bin/env python3
"""Drives the UCI dialect with python-chess: all of its code for UCI works, but what looks at a chess board needs a board of
draughts, for which the class below is enough.

Usage: python_chess_uci.py ENGINE
"""

import json
import subprocess
import sys

import chess
import chess.engine

ITALIAN = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


class Move(str):
    """A move in Hub notation."""

    def uci(self):
        return str(self)


class Board:
    """What python-chess asks of a board: a FEN, the moves since, and whose turn it is. It knows no rules."""

    uci_variant = "italian"
    chess960 = False

    def __init__(self, fen=ITALIAN, moves=()):
        self.start, self.move_stack = fen, list(moves)

    @property
    def turn(self):
        return (self.start[0] == "W") == (len(self.move_stack) % 2 == 0)

    def root(self):
        return type(self)(self.start)

    def fen(self, **_):
        return self.start

    def copy(self, stack=True):
        return type(self)(self.start, self.move_stack)

    def push(self, move):
        self.move_stack.append(move)

    def parse_uci(self, text):
        return Move(text)

    def push_uci(self, text):
        self.push(Move(text))
        return self.move_stack[-1]

    def pop(self):
        return self.move_stack.pop()

    def __eq__(self, other):
        return (self.start, self.move_stack) == (other.start, other.move_stack)


class Breakthrough(Board):
    uci_variant = "breakthrough"


def verdict(path, board):
    """What the referee says of a game."""
    game = json.dumps({"fen": board.start, "moves": board.move_stack})
    command = [path, "referee", "-v", board.uci_variant]
    return json.loads(subprocess.run(command, input=game, capture_output=True, text=True, check=True).stdout)


def play(path, engine, board, limit, plies=400, **how):
    """A game of the engine against itself."""
    while verdict(path, board).get("result") is None and len(board.move_stack) < plies:
        played = engine.play(board, limit, game=board.start, info=chess.engine.INFO_ALL, **how)
        assert played.info["depth"] >= 0 and "score" in played.info, played
        board.push(played.move)
        assert "error" not in verdict(path, board), board.move_stack
    print(f"{board.uci_variant}: {len(board.move_stack)} plies, {verdict(path, board)['reason']}")


def main():
    path = sys.argv[1]
    with chess.engine.SimpleEngine.popen_uci([path, "uci"], timeout=60) as engine:
        assert engine.id["name"].startswith("Soffio "), engine.id
        options = engine.options
        assert options["UCI_Variant"].default == "italian" and "frisian" in options["UCI_Variant"].var
        assert (options["Hash"].type, options["Hash"].min, options["Hash"].max) == ("spin", 1, 16384)
        assert options["Clear Hash"].type == "button" and options["Skill Level"].max == 20
        engine.configure({"Threads": 1, "Hash": 16, "UCI_ShowWDL": True, "Move Overhead": 50, "Clear Hash": None})
        engine.ping()
        for wrong in ({"Threads": 0}, {"UCI_Variant": "italian"}, {"No Such": 1}):
            try:
                engine.configure(wrong)
                raise AssertionError(wrong)
            except chess.engine.EngineError:
                pass
        # Games, with each kind of limit.
        play(path, engine, Board(), chess.engine.Limit(nodes=2000))
        play(path, engine, Board(), chess.engine.Limit(depth=4), plies=20)
        play(path, engine, Board(), chess.engine.Limit(time=0.05), plies=10)
        clock = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
        play(path, engine, Board(), clock, plies=10)
        play(path, engine, Breakthrough("W:W31-50:B1-20"), chess.engine.Limit(nodes=1000))
        # The opponent's moves are guessed; some guesses come true.
        board = Board()
        for _ in range(8):
            played = engine.play(board, clock, game="ponder", ponder=True)
            board.push(played.move)
            board.push(played.ponder)
        assert "error" not in verdict(path, board)
        # Analysis.
        infos = engine.analyse(Board(), chess.engine.Limit(depth=8), multipv=3)
        assert [info["multipv"] for info in infos] == [1, 2, 3], infos
        for info in infos:
            assert info["depth"] == 8 and info["seldepth"] >= 8 and info["nodes"] and info["score"].relative.score() is not None, info
            assert 0 <= info["hashfull"] <= 1000 and info["time"] >= 0 and info["wdl"].relative.total() == 1000, info
        mate = engine.analyse(Board("W:W23:B19"), chess.engine.Limit(depth=4))["score"]
        assert mate.white() == chess.engine.Mate(1), mate
        with engine.analysis(Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 9:
                    break
        assert analysis.wait().move in {"21-17", "21-18", "22-18", "22-19", "23-19", "23-20", "24-20"}
        chosen = engine.play(Board(), chess.engine.Limit(depth=4), root_moves=[Move("24-20")]).move
        assert chosen == "24-20"
        over = engine.play(Board("W:W29:B22,25,26"), chess.engine.Limit(depth=4))
        assert over.move is None, over
        # A chess board is another game.
        try:
            engine.play(chess.Board(), chess.engine.Limit(depth=1))
            raise AssertionError("chess was played")
        except chess.engine.EngineError as error:
            print(str(error)[:70] + " ...")
    print("ok")


if __name__ == "__main__":
    main()
