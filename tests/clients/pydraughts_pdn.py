#!/usr/bin/env python3
"""Reads the games that `soffio match` writes with pydraughts' PDNReader and replays them on its boards.

Usage: pydraughts_pdn.py ENGINE
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import draughts
from draughts.PDN import PDNReader

# pydraughts' names of the rule sets.
VARIANTS = {
    "italian": "italian",
    "english": "english",
    "international": "standard",
    "russian": "russian",
    "brazilian": "brazilian",
    "turkish": "turkish",
    "frisian": "frisian",
}
MATCH = ["--engine", "name=a nodes=300", "--engine", "name=b nodes=200", "--rounds", "3", "--maxmoves", "80"]


def bare(text):
    """Moves and result of each game of a file, without comments and move numbers."""
    games = []
    for game in re.split(r"\n\n(?=\[Event )", text.strip()):
        words = re.sub(r"\{[^}]*\}", " ", game.split("\n\n", 1)[1]).split()
        words = [word for word in words if not re.fullmatch(r"\d+\.+", word)]
        games.append((words[:-1], words[-1]))
    return games


def check(engine, variant, name, folder):
    """Plays a match and has its games read; returns their number."""
    file = folder / f"{variant}.pdn"
    subprocess.run([engine, "match", "-v", variant, *MATCH, "--pdnout", file], check=True, capture_output=True)
    written = bare(file.read_text())
    read = PDNReader(filename=str(file)).games
    assert len(read) == len(written) == 6, f"{len(read)} of {len(written)} games"
    for number, (game, (moves, result)) in enumerate(zip(read, written), 1):
        assert game.moves == moves, f"game {number}: {game.moves} instead of {moves}"
        assert game.game_ending == result, f"game {number}: {game.game_ending} instead of {result}"
        board = draughts.Board(variant=name)
        for ply, move in enumerate(moves, 1):
            try:
                # PDN writes captures of the Russian family with a colon, which pydraughts reads but does not play.
                board.push(draughts.Move(board, pdn_move=move.replace(":", "x")))
            except Exception as error:
                raise AssertionError(f"game {number}, ply {ply}: {move}: {error!r}") from error
    return len(read)


def main():
    engine = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for variant, name in VARIANTS.items():
            games = check(engine, variant, name, pathlib.Path(folder))
            print(f"{variant}: {games} games read and replayed")


main()
