#!/usr/bin/env python3
"""Plays whole games of an engine against itself through pydraughts' HubEngine.

A move that pydraughts does not find legal, a line it does not understand (it logs a warning), a game that the engine
does not answer in time or a `ponder` move that does not follow fails the run. Usage: pydraughts_games.py ENGINE [GAMES]
"""

import logging
import random
import sys
import threading

import draughts
import draughts.engine

VARIANTS = ["italian", "russian", "english", "brazilian", "turkish", "frisian", "standard"]
# pydraughts names them otherwise, or leaves the engine's own name.
ENGINE_NAME = {"standard": "normal"}
LONGEST = 300


class Complaints(logging.Handler):
    """Collects what pydraughts warns about."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def limit(rng):
    """One of the ways in which pydraughts can ask."""
    return rng.choice(
        [
            draughts.engine.Limit(movetime=0.01),
            draughts.engine.Limit(depth=5),
            draughts.engine.Limit(nodes=2000),
            draughts.engine.Limit(time=0.5, inc=0.01),
            draughts.engine.Limit(time=0.2),
            draughts.engine.Limit(time=0.1, inc=0.2),  # sends a negative time
        ]
    )


def play_in_time(engine, board, asked, ponder=False):
    """The engine's answer; a watchdog kills an engine that hangs."""
    watchdog = threading.Timer(20, engine.kill_process)
    watchdog.start()
    try:
        return engine.play(board, asked, ponder)
    finally:
        watchdog.cancel()


def game(engine, variant, rng):
    """Plays one game; returns its moves."""
    board = draughts.Board(variant=variant)
    for _ in range(rng.randrange(8)):
        board.push(rng.choice(board.legal_moves()))
        if board.is_over():
            return board
    while not board.is_over() and board.legal_moves() and len(board.move_stack) < LONGEST:
        result = play_in_time(engine, board, limit(rng))
        for key in ["depth", "mean-depth", "score", "nodes", "time", "pv"]:
            assert key in result.info, f"no {key} in the info: {result.info}"
        legal = {move.hub_move for move in board.legal_moves()}
        assert result.move.hub_move in legal, f"{result.move.hub_move} is not legal: {legal}"
        board.push(result.move)
    return board


def ponder(engine, variant):
    """A search on the opponent's time, once hit and once stopped."""
    for end in [engine.ponderhit, engine.stop]:
        board = draughts.Board(variant=variant)
        results = []
        asked = draughts.engine.Limit(time=1, inc=0.1)
        thread = threading.Thread(target=lambda: results.append(play_in_time(engine, board, asked, True)))
        engine._last_sent = ""
        thread.start()
        while engine._last_sent != "go ponder":
            pass
        thread.join(0.3)
        assert thread.is_alive(), "a ponder search ends on its own clock"
        end()
        thread.join(10)
        assert results, "no answer after ponder-hit or stop"
        engine.stop()  # a spare one
        engine.ping()


def main():
    path, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    complaints = Complaints()
    logging.getLogger("pydraughts").addHandler(complaints)
    rng = random.Random(1)
    for variant in VARIANTS:
        engine = draughts.engine.HubEngine([path, "hub"])
        assert engine.id["name"] == "Soffio", engine.id
        name = ENGINE_NAME.get(variant, variant)
        assert name in engine.variants, f"{name} is not declared"
        engine.configure({"variant": name, "numbering": "pydraughts", "tt-size": 16, "initial-time": 60, "threads": 1})
        engine.init()
        engine.ping()
        plies = [len(game(engine, variant, rng).move_stack) for _ in range(games)]
        ponder(engine, variant)
        engine.quit()
        engine.p.wait(5)
        engine.p.stdin.close()
        engine.p.stdout.close()
        print(f"{variant}: {games} games, {sum(plies)} plies")
    assert not complaints.lines, complaints.lines[:10]
    print("ok")


if __name__ == "__main__":
    main()
