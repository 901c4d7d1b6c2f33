#!/usr/bin/env python3
"""Plays whole games with lidraughts-bot's own code, in each variant that it accepts, on a lidraughts that is made up here:
no network. The opponent moves at random. The bot's default configuration holds but for the engine.

Usage: lidraughts_bot_games.py ENGINE CHECKOUT (of github.com/AttackingOrDefending/lidraughts-bot, with its requirements.txt
installed)
"""

import importlib
import json
import logging
import os
import queue
import random
import sys
import tempfile
import threading
import time

VARIANTS = ["Standard", "Breakthrough", "Antidraughts", "Frisian", "Frysk!", "Brazilian", "Russian"]
BOT, OTHER = "bot", "somebody"
# Seconds on the clock and a move; the default move_overhead takes 2 s of each thought.
CLOCK, INCREMENT = 8, 0.5
MOST_MOVES = 160


class Listener(logging.Handler):
    """Keeps what is said to the engine and by it, and complaints."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines, self.complaints = [], []

    def emit(self, record):
        text = record.getMessage()
        if record.name == "pydraughts" and (" << " in text or " >> " in text):
            # ENGINE %s << %s PID LINE
            self.lines.append(text.split(" ", 5)[-1])
            if "error message" in text:
                self.complaints.append(text)
        elif record.levelno >= logging.WARNING:
            self.complaints.append(text)


class Site:
    """What the bot calls of lidraughts, with one game on it."""

    baseUrl = "http://localhost/"

    def __init__(self, draughts, variant, white):
        self.draughts, self.variant, self.white = draughts, variant, white
        self.board = draughts.Game(variant.lower())
        self.parts = []
        self.clocks = [CLOCK * 1000, CLOCK * 1000]
        self.states = queue.Queue()
        self.asked = time.monotonic()
        self.resigned, self.flags = False, 0

    def get_game_stream(self, _):
        return self

    def iter_lines(self):
        names = (BOT, OTHER) if self.white else (OTHER, BOT)
        players = {side: {"id": name, "name": name} for side, name in zip(("white", "black"), names)}
        game = {"id": "dryrun", "variant": {"key": self.variant.lower(), "name": self.variant},
                "clock": {"initial": CLOCK * 1000, "increment": int(INCREMENT * 1000)}, "speed": "blitz",
                "perf": {"name": "Blitz"}, "rated": False, "initialFen": "startpos", "type": "gameFull",
                "state": self.state("started"), **players}
        yield json.dumps(game).encode()
        if not self.white:
            self.answer()
        while (state := self.states.get()) is not None:
            yield json.dumps(state).encode()

    def state(self, status):
        increment = int(INCREMENT * 1000)
        return {"type": "gameState", "moves": " ".join(self.parts), "wtime": int(self.clocks[0]),
                "btime": int(self.clocks[1]), "winc": increment, "binc": increment, "status": status}

    def make_move(self, _, best):
        """The bot has moved."""
        mine = 0 if self.white else 1
        if len(self.board.move_stack) > 1:
            self.clocks[mine] -= 1000 * (time.monotonic() - self.asked - INCREMENT)
        if self.clocks[mine] < 0:
            # On a machine that has much else to do the bot itself takes long; the game goes on, without time.
            self.flags, self.clocks[mine] = self.flags + 1, 0
        self.push(best.move.li_api_move)
        self.states.put(self.state("started"))
        # Not at once: a stop that overtakes the go ponder of the bot's other thread leaves it waiting for ever.
        threading.Timer(random.choice([0.2, 0.4, 0.8]), self.answer).start()

    def answer(self):
        """The opponent moves, unless the game is over."""
        over = self.board.is_over() or len(self.board.move_stack) >= MOST_MOVES
        if not over:
            moves, _ = self.board.legal_moves()
            self.push([f"{a:02}{b:02}" for a, b in random.choice(moves)])
            over = self.board.is_over()
        self.asked = time.monotonic()
        self.states.put(self.state("mate" if over else "started"))
        if over:
            self.states.put(None)

    def push(self, parts):
        for part in parts:
            self.board.push_str_move(part)
        self.parts += parts

    def resign(self, _):
        self.resigned = True
        self.states.put(None)

    def get_ongoing_games(self):
        return []

    def chat(self, *_):
        pass

    def abort(self, _):
        raise AssertionError("the bot has aborted the game")


def configure(folder, engine, checkout, load_config):
    """The default configuration with an engine section as in the README."""
    import yaml
    with open(os.path.join(checkout, "config.yml.default")) as file:
        config = yaml.safe_load(file)
    config["token"] = "none"
    directory, name = os.path.split(os.path.abspath(engine))
    hub = {"threads": 1, "tt-size": 18, "bb-size": "auto", "book-ply": 20, "go_commands": {"movetime": 300}}
    config["engine"].update(dir=directory, name=name, working_dir=folder, hub_options=hub)
    path = os.path.join(folder, "config.yml")
    with open(path, "w") as file:
        yaml.safe_dump(config, file)
    return load_config(path)


def main():
    engine, checkout = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    variants = sys.argv[3:] or VARIANTS
    sys.path.insert(0, checkout)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    bot, draughts = importlib.import_module("lidraughts-bot"), importlib.import_module("draughts")
    load_config = importlib.import_module("config").load_config
    listener = Listener()
    logging.getLogger().addHandler(listener)
    logging.getLogger("pydraughts").setLevel(logging.DEBUG)
    random.seed(1)
    for number, variant in enumerate(variants):
        listener.lines.clear()
        config = configure(folder, engine, checkout, load_config)
        site = Site(draughts, variant, white=number % 2 == 0)
        bot.play_game.__wrapped__(site, "dryrun", queue.Queue(), {"username": BOT}, config, [], queue.Queue(), None,
                                  lambda *_: None, logging.INFO)
        said = listener.lines
        ponders, hits = said.count("go ponder"), said.count("ponder-hit")
        captures = max(line.count("x") for line in said if line.startswith("done"))
        assert ponders and "quit" in said, said[-5:]
        side = 2 if site.white else 1
        print(f"{variant}: {len(site.board.move_stack)} plies, winner {site.board.get_winner()} (the bot is {side}), "
              f"{ponders} ponders, {hits} hits, most captured {max(captures - 1, 0)}, flags {site.flags}", flush=True)
    assert not listener.complaints, listener.complaints[:10]
    print("ok")


if __name__ == "__main__":
    main()
