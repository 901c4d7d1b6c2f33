#!/usr/bin/env python3
"""Opens a report of `soffio analyze --format html` in a headless Chromium, without a network, clicks through it and takes
screenshots.

Usage: report_page.py REPORT.html [DIRECTORY FOR SCREENSHOTS]   (it needs playwright, and Chromium as `chromium`)
"""

import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

REPORT = pathlib.Path(sys.argv[1]).resolve()
SHOTS = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")


def pieces(page):
    """What stands on the board, as the drawing has it."""
    circles = page.locator("#board .pieces circle[r='21']")
    return sorted(circles.evaluate_all("all => all.map(c => c.getAttribute('cx') + ' ' + c.getAttribute('cy'))"))


def check(found, what):
    print("ok  " if found else "FAIL", what)
    return bool(found)


def walk(page):
    """Goes through a game with buttons, keys, the graph, the lists."""
    said = lambda: page.inner_text("#said")
    moves = page.locator("#moves button")
    count = moves.count()
    start = pieces(page)
    yield check(count > 5, f"{count} moves are listed")
    page.click("#forth")
    yield check(pieces(page) != start and page.inner_text("#moves [aria-current]"), f"forward: {said()}")
    page.click("#back")
    yield check(pieces(page) == start, "back at the start")
    page.keyboard.press("End")
    yield check(page.is_disabled("#forth") and pieces(page) != start, f"End: {said()}")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    yield check(moves.nth(0).get_attribute("aria-current") == "true", "arrow keys")
    moves.nth(count - 1).click()
    yield check(moves.nth(count - 1).get_attribute("aria-current") == "true", "a click in the list of moves")
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + box["height"] / 2)
    yield check(page.is_disabled("#back"), "a click at the left of the graph is the start")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    yield check(not page.is_disabled("#back") and not page.is_disabled("#forth"), f"its middle: {said()}")
    before = pieces(page)
    page.keyboard.press("f")
    yield check(pieces(page) != before and len(pieces(page)) == len(before), "the board is turned")
    page.screenshot(path=SHOTS / "turned.png", full_page=True)
    page.keyboard.press("f")
    yield check(pieces(page) == before, "and turned back")
    errors = page.locator("#errors tbody button")
    if errors.count():
        errors.nth(0).click()
        yield check("loses" in said(), f"the first error: {said()}")
        page.keyboard.press("n")
        page.screenshot(path=SHOTS / "error.png", full_page=True)


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True)
        page = context.new_page()
        faults, asked = [], []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(REPORT.as_uri())
        good = []
        games = page.locator("#chosen option").count()
        print(page.title(), f"({games} games)")
        for game in range(min(games, 3)):
            page.select_option("#chosen", index=game)
            good += list(walk(page))
        if games > 1:
            title = page.inner_text("#title")
            page.click("#earlier-game")
            good.append(check(page.inner_text("#title") != title, "another game"))
        page.set_viewport_size({"width": 390, "height": 800})
        page.screenshot(path=SHOTS / "narrow.png", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        good.append(check(wide <= 390, f"it fits a telephone ({wide} px)"))
        unnamed = page.evaluate(
            "[...document.querySelectorAll('button, select, svg[role], [role=img]')]"
            ".filter(e => !e.getAttribute('aria-label') && !e.textContent.trim() && !(e.labels || []).length).length"
        )
        good.append(check(unnamed == 0, "everything has a name for screen readers"))
        outside = [url for url in asked if not url.startswith(("file:", "data:"))]
        good.append(check(not outside, f"nothing is asked of a network {outside}"))
        good.append(check(not faults, f"no fault of the script {faults}"))
        browser.close()
    sys.exit(0 if all(good) else 1)


main()
