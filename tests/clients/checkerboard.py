#!/usr/bin/env python3
"""Loads the CheckerBoard library as the GUI does, by its functions, structures and square numbers, and plays whole games.

For each of the six games a copy of the library plays both sides; every move is found in the library's list of moves as the
GUI finds it, and the referee of ENGINE judges the game. Usage: checkerboard.py ENGINE, with the library beside it.
"""

import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

WHITE, BLACK, MAN, KING, FREE = 1, 2, 4, 8, 0
DRAW, WIN, LOSS, UNKNOWN = 0, 1, 2, 3
EXACT = 2
GAMES = {21: "english", 22: "italian", 24: "spanish", 25: "russian", 26: "brazilian", 29: "czech"}
LONGEST = 160


class Coor(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class CBmove(ctypes.Structure):
    _fields_ = [
        ("jumps", ctypes.c_int),
        ("newpiece", ctypes.c_int),
        ("oldpiece", ctypes.c_int),
        ("from_", Coor),
        ("to", Coor),
        ("path", Coor * 12),
        ("del_", Coor * 12),
        ("delpiece", ctypes.c_int * 12),
    ]


Board8x8 = (ctypes.c_int * 8) * 8


def number(x, y, gametype):
    """The GUI's coorstonumber."""
    if gametype == 22:
        return 1 + 4 * y + x // 2
    if gametype == 24:
        return 1 + 4 * (7 - y) + (7 - x) // 2
    if gametype == 29:
        return 32 - (4 * y + x // 2)
    return 4 * (y + 1) - x // 2


def coors(n, gametype):
    """The GUI's numbertocoors; for Czech the inverse of the above, which the GUI's is not."""
    return next((x, y) for x in range(8) for y in range(8) if (x + y) % 2 == 0 and number(x, y, gametype) == n)


class Library:
    """A loaded engine."""

    def __init__(self, path):
        # WINAPI is the platform's own convention but on 32-bit Windows.
        self.dll = (ctypes.WinDLL if os.name == "nt" else ctypes.CDLL)(str(path))
        text, pointer = ctypes.c_char_p, ctypes.POINTER
        self.dll.getmove.argtypes = [
            Board8x8, ctypes.c_int, ctypes.c_double, text, pointer(ctypes.c_int), ctypes.c_int, ctypes.c_int, pointer(CBmove),
        ]
        self.dll.enginecommand.argtypes = [text, text]
        self.dll.islegal.argtypes = [Board8x8, ctypes.c_int, ctypes.c_int, ctypes.c_int, pointer(CBmove)]
        self.status = ctypes.create_string_buffer(1024)
        self.playnow = ctypes.c_int(0)

    def command(self, text):
        """The reply, or None if the command was not handled."""
        reply = ctypes.create_string_buffer(1024)
        return reply.value.decode() if self.dll.enginecommand(text.encode(), reply) else None

    def getmove(self, board, color, seconds, info=0, moreinfo=0):
        """Plays on the board; returns the claim and the move."""
        move = CBmove()
        claim = self.dll.getmove(
            board, color, seconds, self.status, ctypes.byref(self.playnow), info, moreinfo, ctypes.byref(move)
        )
        return claim, move


def start_board():
    """The GUI's InitCheckerBoard, the same for all games."""
    board = Board8x8()
    for x in range(8):
        for y in range(8):
            if (x + y) % 2 == 0:
                board[x][y] = BLACK | MAN if y < 3 else WHITE | MAN if y > 4 else FREE
    return board


def flat(board):
    return [board[x][y] for x in range(8) for y in range(8)]


def fen(board, color, gametype):
    """The GUI's board8toFEN."""
    sides = []
    for side in (WHITE, BLACK):
        squares = [
            ("K" if board[x][y] & KING else "") + str(number(x, y, gametype))
            for y in range(8)
            for x in range(7, -1, -1)
            if board[x][y] & side
        ]
        sides.append(",".join(squares))
    return f"{'B' if color == BLACK else 'W'}:W{sides[0]}:B{sides[1]}"


def read_list(reply, gametype):
    """The GUI's get_movelist_from_engine: moves, and whether the list ends where it should."""
    assert reply.startswith("movelist "), reply
    count, _, rest = reply[9:].partition(",")
    if count == "0":
        assert reply == "movelist 0", reply
        return [], True
    assert int(count) <= 28, "the GUI has room for 28 moves"
    texts = rest.split(";")
    moves = []
    for text in texts[: int(count)]:
        fields = [int(field) for field in text.split(",")]
        jumps, oldpiece, newpiece, origin, target = fields[:5]
        assert len(fields) == 5 + 3 * jumps, text
        taken = [coors(n, gametype) for n in fields[6::3]]
        moves.append((coors(origin, gametype), coors(target, gametype), oldpiece, newpiece, taken, fields[7::3]))
    return moves, texts[int(count) :] == [""]


def apply(board, move):
    """The GUI's domove."""
    origin, target, _, newpiece, taken, _ = move
    after = Board8x8(*[(ctypes.c_int * 8)(*column) for column in board])
    after[origin[0]][origin[1]] = FREE
    after[target[0]][target[1]] = newpiece
    for x, y in taken:
        after[x][y] = FREE
    return after


def described(move):
    """A CBmove in the same form."""
    jumps = range(move.jumps)
    taken = [(move.del_[i].x, move.del_[i].y) for i in jumps]
    pieces = [move.delpiece[i] for i in jumps]
    return (move.from_.x, move.from_.y), (move.to.x, move.to.y), move.oldpiece, move.newpiece, taken, pieces


def own_number(square, gametype):
    """The number in Soffio's own notation: all but Czech as the GUI's."""
    return number(*square, 25 if gametype == 29 else gametype)


def hub(move, gametype):
    origin, target, _, _, taken, _ = move
    squares = [own_number(square, gametype) for square in (origin, target)]
    captured = sorted(own_number(square, gametype) for square in taken)
    return ("x" if taken else "-").join(str(n) for n in squares) + "".join(f"x{n}" for n in captured)


def game(library, gametype, seconds):
    """A whole game of the library against itself; returns its moves in Hub notation."""
    board = start_board()
    color = BLACK if gametype == 21 else WHITE
    history_board, history, moves = fen(board, color, gametype), [], []
    while len(moves) < LONGEST:
        reply = library.command(f"get movelist {fen(board, color, gametype)}")
        legal, complete = read_list(reply, gametype)
        if not legal:
            break
        assert library.command(f"set gamehist {history_board} {' '.join(history)}".strip()) is not None
        before, after = flat(board), Board8x8(*[(ctypes.c_int * 8)(*column) for column in board])
        claim, move = library.getmove(after, color, seconds)
        assert claim in (DRAW, WIN, LOSS, UNKNOWN)
        found = [listed for listed in legal if flat(apply(board, listed)) == flat(after)]
        assert found or not complete, f"{described(move)} is in no list: {legal}"
        chosen = described(move)
        assert not found or chosen in found, f"{chosen} is none of {found}"
        assert flat(apply(board, chosen)) == flat(after) != before
        if chosen[4]:
            landings = [(move.path[i].x, move.path[i].y) for i in range(1, move.jumps + 1)]
            assert landings[-1] == chosen[1], landings
        squares = [number(*square, gametype) for square in chosen[:2]]
        answer = CBmove()
        assert library.dll.islegal(board, color, *squares, ctypes.byref(answer)) == 1
        assert described(answer)[:2] == chosen[:2]
        assert library.status.value.startswith(b"best:"), library.status.value
        board, color = after, color ^ (WHITE | BLACK)
        moves.append(hub(chosen, gametype))
        if chosen[2] & KING and not chosen[4]:
            history.append(f"{squares[0]}-{squares[1]}")
        else:
            history_board, history = fen(board, color, gametype), []
        if claim == DRAW:
            break
    return moves


def judge(engine, gametype, moves):
    command = [engine, "referee", "-v", GAMES[gametype], "-"]
    line = json.dumps({"moves": moves})
    verdict = json.loads(subprocess.run(command, input=line, capture_output=True, text=True, check=True).stdout)
    assert "error" not in verdict, verdict
    return verdict


def words(library, gametype):
    """The commands of the GUI."""
    assert library.command("get gametype") == str(gametype)
    assert library.command("get protocolversion") == "2"
    assert library.command("name").startswith("Soffio ")
    assert library.command("about") and library.command("help")
    for name, value in [
        ("hashsize", 16), ("dbpath", "C:\\db"), ("dbmbytes", 100), ("max_dbpieces", 6), ("enable_wld", 1), ("enable_mtc", 1),
        ("mtcpath", "C:\\mtc"), ("book", 2), ("bookfile", "b.odb"), ("searchthreads", 2), ("allscores", 0), ("solve", 1),
    ]:
        assert library.command(f"set {name} {value}") is not None, name
        assert library.command(f"get {name}") == str(value), name
    library.command("set searchthreads 1")
    assert library.command("fly") is None and library.command("get fly") is None
    # The GUI reads Czech numbers two too high, so that it must not ask for lists.
    assert library.command("get movelist B:W1:B") == (None if gametype == 29 else "movelist 0")


def times(library, gametype):
    """Exact times, clocks, the flag and the status line."""
    color = BLACK if gametype == 21 else WHITE
    took = []
    for seconds, info, moreinfo in [(0.2, EXACT, 0), (0.0, 0, 0), (9.0, 1 << 2, 500 << 16 | 100), (9.0, 3 << 2, 1 << 16)]:
        asked = time.monotonic()
        library.getmove(start_board(), color, seconds, info, moreinfo)
        took.append(time.monotonic() - asked)
    assert all(seconds < limit for seconds, limit in zip(took, [0.7, 0.5, 0.7, 0.6])), took
    assert took[0] > 0.15, took
    library.status.value = b""
    lines = []

    def press():
        time.sleep(0.3)
        lines.append(library.status.value.decode())
        library.playnow.value = 1
        lines.append(time.monotonic())

    threading.Thread(target=press).start()
    library.getmove(start_board(), color, 60.0)
    waited = time.monotonic() - lines[1]
    library.playnow.value = 0
    assert lines[0].startswith("best:") and " pv " in lines[0], lines[0]
    assert waited < 0.5, f"{waited} s after the flag"
    return waited


def published(library):
    """The examples of the GUI's documentation."""
    for position, answer in [
        ("B:W31:B3", "movelist 2,0,6,6,3,6;0,6,6,3,7;"),
        ("B:W11,13,19,21:B6,9", "movelist 2,2,6,6,9,25,18,13,5,25,21,5;2,6,6,6,22,15,11,5,22,19,5;"),
    ]:
        assert library.command(f"get movelist {position}") == answer


def nonsense(library):
    """What a GUI should not ask."""
    for text in ["", " ", "set", "get", "get movelist", "get movelist x", "set gamehist", "\xff", "set gamehist W:W1 x", "a" * 900]:
        library.command(text)
    board = start_board()
    board[1][0] = 99
    before = flat(board)
    claim, _ = library.getmove(board, 7, 0.1)
    assert claim == UNKNOWN and flat(board) == before
    assert library.getmove(Board8x8(), WHITE, 0.1)[0] == LOSS
    assert library.dll.islegal(start_board(), WHITE, -1, 99, None) == 0


def main():
    engine = sys.argv[1]
    folder = pathlib.Path(engine).resolve().parent
    names = ["libsoffio_checkerboard.so", "libsoffio_checkerboard.dylib", "soffio_checkerboard.dll"]
    library = next(folder / name for name in names if (folder / name).exists())
    with tempfile.TemporaryDirectory() as copies:
        for gametype, name in GAMES.items():
            copy = pathlib.Path(copies) / f"Soffio_{name.title()}64{library.suffix}"
            shutil.copy(library, copy)
            loaded = Library(copy)
            words(loaded, gametype)
            moves = game(loaded, gametype, 0.02)
            verdict = judge(engine, gametype, moves)
            waited = times(loaded, gametype)
            nonsense(loaded)
            if gametype == 22:
                published(loaded)
            print(f"{name}: {len(moves)} plies, {verdict['reason']}; flag to move {waited * 1000:.0f} ms", flush=True)
        # One copy for all, as pydraughts has it; and without a name the environment chooses.
        os.environ["SOFFIO_VARIANT"] = "brazilian"
        other = Library(shutil.copy(library, pathlib.Path(copies) / f"other{library.suffix}"))
        assert other.command("get gametype") == "26"
        assert other.command("set gametype 25") is not None and other.command("get gametype") == "25"
        assert other.command("set gametype 20") is None
        judge(engine, 25, game(other, 25, 0.01)[:40])
    print("ok")


if __name__ == "__main__":
    main()
