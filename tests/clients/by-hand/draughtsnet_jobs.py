#!/usr/bin/env python3
"""Runs move and analysis jobs with draughtsnet's own functions, in each variant that it plays.

Usage: draughtsnet_jobs.py ENGINE DRAUGHTSNET.PY (from github.com/RoepStoep/draughtsnet)
"""

import importlib.util
import logging
import sys

TEN = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"
FRYSK = "W" + "b" * 5 + "e" * 40 + "w" * 5
JOBS = {"normal": TEN, "bt": TEN, "losing": TEN, "killer": TEN, "frisian": FRYSK, "frysk!": FRYSK}


class Complaints(logging.Handler):
    """Collects what draughtsnet warns about."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def load(path):
    spec = importlib.util.spec_from_file_location("draughtsnet", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hub(move):
    """Two squares of two digits, as draughtsnet gives a quiet move, in Hub notation."""
    return f"{int(move[:2])}-{int(move[2:])}"


def main():
    engine, client = sys.argv[1], load(sys.argv[2])
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    for variant, start in JOBS.items():
        process = client.open_process(f"{engine} hub", ".")
        info, variants = client.uci(process)
        assert info["name"] == "Soffio" and {"normal", "bt", "frisian", "losing"} <= variants, (info, variants)
        for name, value in [("threads", 1), ("tt-size", 16), ("variant", variant), ("bb-size", 4)]:
            client.setoption(process, name, value)
        client.init(process)
        client.ping(process)
        client.send(process, "new-game")
        moves = []
        for _ in range(4):
            part = client.go(process, start, " ".join(moves), movetime=0.1, depth=4, handicap=3, pst=1,
                             searchnodes=5000, bookply=4, bookmargin=4, ply=2)
            if part["taken"]:
                break
            moves.append(hub(part["bestmove"]))
        client.send(process, "new-game")
        for ply in range(len(moves), -1, -1):
            part = client.go(process, start, " ".join(moves[:ply]), movetime=1, analysisnodes=20000)
            assert part["score"] and part["depth"] > 1 and part["nodes"] >= 20000 and part["pv"], part
        assert client.go(process, "W" + start[1:21] + "e" * 30, [])["score"] == {"win": 0}, "no legal move"
        client.ping(process)
        client.kill_process(process)
        print(f"{variant}: {len(moves)} moves, {len(moves) + 1} analyses")
    assert not complaints.lines, complaints.lines[:10]
    print("ok")


if __name__ == "__main__":
    main()
