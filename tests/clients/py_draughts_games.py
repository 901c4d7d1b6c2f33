#!/usr/bin/env python3
"""Plays games of an engine against itself through py-draughts' HubEngine (international draughts only).

py-draughts sets no parameter, so the variant comes by SOFFIO_VARIANT; it is stuck when two lines arrive together, and
raises on an illegal move or an `error` line. Usage: py_draughts_games.py ENGINE [GAMES]
"""

import os
import signal
import sys

os.environ["SOFFIO_VARIANT"] = "international"

from loguru import logger  # noqa: E402

logger.remove()  # it says every line at length

from draughts import StandardBoard  # noqa: E402
from draughts.engines.hub import HubEngine  # noqa: E402


def main():
    path, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    signal.alarm(60 + 60 * games)  # a client that is stuck does not come back by itself
    plies = 0
    for number in range(games):
        limits = {"time_limit": 0.02} if number % 2 == 0 else {"depth_limit": 5}
        with HubEngine(path, init_timeout=4.0, **limits) as engine:
            assert engine.info.name == "Soffio", engine.info
            assert engine.params["variant"].value == "normal", engine.params["variant"]
            assert engine.ping()
            engine.new_game()
            board = StandardBoard()
            while not board.game_over and plies < (number + 1) * 200:
                move, score = engine.get_best_move(board, with_evaluation=True)
                assert abs(score) <= 100, score
                board.push(move)
                plies += 1
        print(f"game {number + 1}: {board.result}")
    print(f"{games} games, {plies} plies: ok")


if __name__ == "__main__":
    main()
