#!/usr/bin/env python3
"""Plays games against an engine through pydraughts' DXPEngine, with the engine as the follower; and has the engine ask
pydraughts' DXP classes, which have no follower of their own, for games.

Usage: pydraughts_dxp.py ENGINE
"""

import random
import re
import socket
import subprocess
import sys
import threading

import draughts
import draughts.engine
from draughts.engines.dxp_communication.dxp_classes import DamExchange, MySocket

LONGEST = 120


def start(engine, *args):
    """Starts a follower; returns its process and its port."""
    command = [engine, "dxp", "--listen", "127.0.0.1:0", "--nodes", "500", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    port = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line).group(1)
    return process, port


def follow(engine, rng, engine_first, variant):
    """pydraughts asks for a game and plays the other side by chance; returns the board."""
    args = ["-v", "frisian"] if variant == "frisian" else []
    process, port = start(engine, *args)
    dxp = draughts.engine.DXPEngine(options={"ip": "127.0.0.1", "port": port, "initial-time": 300, "max-moves": 0})
    board = draughts.Board(variant=variant)
    engine_to_move = engine_first
    while not board.is_over() and len(board.move_stack) < LONGEST:
        if engine_to_move:
            move = dxp.play(board).move
            assert move is not None, "the engine has ended the game"
            assert move.hub_move in {legal.hub_move for legal in board.legal_moves()}, move.hub_move
        else:
            move = rng.choice(board.legal_moves())
        board.push(move)
        engine_to_move = not engine_to_move
    assert dxp.id["name"].startswith("Soffio "), dxp.id
    dxp.quit()
    process.kill()
    process.wait()
    process.stdout.close()
    return board


def take_back(engine):
    """pydraughts takes a move of the engine back, and gets another."""
    process, port = start(engine)
    dxp = draughts.engine.DXPEngine(options={"ip": "127.0.0.1", "port": port, "initial-time": 300})
    board = draughts.Board()
    board.push(dxp.play(board).move)
    accepted, board, answer = dxp.takeback(1, draughts.WHITE)
    assert accepted and answer.move is not None
    board.push(answer.move)
    dxp.quit()
    process.kill()
    process.wait()
    process.stdout.close()


def be_asked(engine, rng):
    """The engine asks for two games; messages are made and read by pydraughts' classes."""
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    command = [engine, "dxp", "--connect", address, "--nodes", "500", "--games", "2", "--minutes", "9", "--moves", "30"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    wire, words = MySocket(), DamExchange()
    wire.sock, _ = listener.accept()
    wire.sock.settimeout(60)
    plies = 0
    for game in range(2):
        asked = words.parse(wire.receive())
        assert asked["type"] == "R" and asked["name"].startswith("Soffio "), asked
        assert (asked["gameTime"], asked["numMoves"], asked["posInd"]) == ("009", "030", "A"), asked
        assert asked["fColor"] == "ZW"[game], asked
        wire.send("A" + "pydraughts".ljust(32) + "0")
        board = draughts.Board()
        engine_to_move = game == 0
        while True:
            if engine_to_move:
                message = words.parse(wire.receive())
                if message["type"] == "E":
                    wire.send(words.msg_gameend("0")[:2] + "0")
                    break
                squares = [message["from"], message["to"], *sorted(message["captures"])]
                found = [move for move in board.legal_moves() if move.hub_position_move == "".join(squares)]
                assert len(found) == 1, message
                board.push(found[0])
            elif board.is_over():
                wire.send("E10")
                assert words.parse(wire.receive())["type"] == "E"
                break
            else:
                move = rng.choice(board.legal_moves())
                board.push(move)
                wire.send(words.msg_move(move.steps_move, move.captures, 1))
            engine_to_move = not engine_to_move
        assert len(board.move_stack) <= 61, "moves beyond the number asked for"
        plies += len(board.move_stack)
    report, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and report.splitlines()[-1].startswith("2 games: "), report
    wire.closed = True
    wire.sock.close()
    listener.close()
    return plies


def main():
    engine = sys.argv[1]
    rng = random.Random(1)
    watchdog = threading.Timer(600, lambda: (print("stuck", flush=True), __import__("os")._exit(1)))
    watchdog.daemon = True
    watchdog.start()
    for engine_first, variant in [(True, "standard"), (False, "standard"), (True, "frisian")]:
        board = follow(engine, rng, engine_first, variant)
        print(f"follower, {variant}: {len(board.move_stack)} plies", flush=True)
    take_back(engine)
    print("taken back", flush=True)
    print(f"initiator: 2 games, {be_asked(engine, rng)} plies", flush=True)
    print("ok")


if __name__ == "__main__":
    main()
