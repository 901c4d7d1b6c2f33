#!/usr/bin/env python3
"""Runs draughtsnet, the whole program, against a lidraughts that is made up here on the loopback interface: a game by the
moves of all eight levels in each variant, its analysis, and a comment on it.

Usage: draughtsnet_run.py ENGINE DRAUGHTSNET.PY (from github.com/RoepStoep/draughtsnet; it needs requests)
"""

import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

TEN = "W" + "b" * 20 + "e" * 10 + "w" * 20
FRYSK = "W" + "b" * 5 + "e" * 40 + "w" * 5
GAMES = {"standard": TEN, "breakthrough": TEN, "antidraughts": TEN, "frisian": TEN, "frysk": FRYSK}
STUCK = "W" + TEN[1:21] + "e" * 30
PATIENCE = 600


def hub(result):
    """A move as draughtsnet reports it, in Hub notation."""
    squares = [result["bestmove"][i:i + 2] for i in (0, 2)]
    taken = result["taken"]
    sign = "x" if taken else "-"
    return sign.join(str(int(square)) for square in squares + [taken[i:i + 2] for i in range(0, len(taken), 2)])


class Site:
    """The jobs, one after the other, and what comes of them."""

    def __init__(self):
        self.jobs = self.work()
        self.expect = None
        self.done, self.faults = [], []
        self.over = threading.Event()

    def work(self):
        """Yields jobs, is sent their results."""
        for variant, position in GAMES.items():
            moves = []
            for level in range(1, 9):
                clock = {"wtime": 3000 if level % 2 else 400, "btime": 500, "inc": level % 2}
                result = yield self.job(variant, position, moves, type="move", level=level, clock=clock)
                moves.append(hub(result["move"]))
            result = yield self.job(variant, position, moves, nodes=100_000, skipPositions=[2], type="analysis")
            analysis = result["analysis"]
            # Of breakthrough the last ply is left out where it may end the game.
            assert len(moves) <= len(analysis) <= len(moves) + 1 and analysis[2] == {"skipped": True}, analysis
            for part in analysis[:2] + analysis[3:]:
                assert part["score"] and part["depth"] > 1 and part["nodes"] >= 1 and part["pv"] and "time" in part, part
            result = yield self.job(variant, position, moves, nodes=100_000, type="commentary")
            assert result["commentary"]["score"] and result["commentary"]["pv"], result
            self.done.append(f"{variant}: {' '.join(moves)}")
        result = yield self.job("standard", STUCK, [], type="commentary")
        assert result["commentary"]["score"] == {"win": 0}, result

    def job(self, variant, position, moves, nodes=None, skipPositions=(), **work):
        self.expect = work["type"]
        work["id"] = "job"
        return {"work": work, "game_id": "dryrun", "position": position, "variant": variant,
                "moves": " ".join(moves), "nodes": nodes, "skipPositions": list(skipPositions)}

    def answer(self, path, request):
        """The next job, or None."""
        kind = path.split("/")[2]
        try:
            assert request["draughtsnet"]["version"] and request["scan"]["name"] == "Soffio", request
            if kind == "acquire":
                return next(self.jobs) if self.expect is None else None
            if kind == "analysis" and None in request["analysis"]:
                return None
            assert kind == self.expect, (path, request)
            return self.jobs.send(request)
        except StopIteration:
            self.over.set()
        except Exception as fault:
            self.faults.append(repr(fault))
            self.over.set()


def serve(site):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            job = site.answer(self.path, json.loads(body))
            text = json.dumps(job).encode() if job else b""
            self.send_response(202 if job else 204)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main():
    engine, client = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    site = Site()
    port = serve(site)
    command = [sys.executable, "-u", client, "-v", "--no-conf", "--endpoint", f"http://127.0.0.1:{port}/draughtsnet/",
               "--scan-command", f"{engine} hub", "--engine-dir", tempfile.mkdtemp(), "--cores", "1", "--memory", "64",
               "--fixed-backoff", "run"]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        ended = site.over.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        code = process.wait(60)
        log.seek(0)
        text = log.read()
    complaints = [line for line in text.splitlines() if any(word in line for word in ("Unexpected", "WARNING:", "ERROR"))]
    # The jobs are small, and not to be sent anywhere.
    expected = ("not using https", "Very low time reported")
    complaints = [line for line in complaints if not any(text in line for text in expected)]
    print("\n".join(site.done))
    assert ended and not site.faults and code == 0 and not complaints, (site.faults, code, complaints[:5], text[-2000:])
    print("ok")


if __name__ == "__main__":
    main()
