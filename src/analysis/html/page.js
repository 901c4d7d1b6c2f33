"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const KINDS = ["?!", "?", "??"];
  const NAMES = ["inaccuracy", "mistake", "blunder"];
  const id = (name) => document.getElementById(name);
  const games = [...document.querySelectorAll("script.game")];
  const state = { chosen: 0, game: null, at: 0, turned: false };

  /** A new element with attributes and children. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function draw(parent, name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  const position = (at) => state.game.positions[at];
  const last = () => state.game.positions.length - 1;
  const points = (permille) => (permille / 1000).toFixed(2);
  const sign = (score) => (score > 0 ? "+" : "") + score.toFixed(2);
  const markOf = (text) => make("span", { class: "m" + (KINDS.indexOf(text) + 1) }, text);

  /** A score for people: men, or the plies to the end. */
  function scoreText(found) {
    if (found.win_in === null) return sign(found.score);
    const side = found.score > 0 ? "wins" : "loses";
    return found.win_in === 0 ? `${found.turn} ${side}` : `${found.turn} ${side} in ${Math.abs(found.win_in)} plies`;
  }

  // The board.

  function setBoard() {
    const template = document.querySelector(`template[data-board="${state.game.variant}"]`);
    state.places = JSON.parse(template.dataset.places);
    const svg = template.content.querySelector("svg").cloneNode(true);
    svg.querySelector("title").remove();
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "img");
    const texts = svg.querySelectorAll("text");
    state.caption = texts[texts.length - 1];
    state.under = draw(svg, "g", {});
    state.pieces = draw(svg, "g", { class: "pieces" });
    state.over = draw(svg, "g", {});
    state.svg = svg;
    state.box = svg.getAttribute("viewBox").split(" ").map(Number);
    id("board").replaceChildren(svg);
  }

  /** Where a square is, as the board lies. */
  function place(square) {
    const [x, y] = state.places[square];
    return state.turned ? [state.box[2] - x, state.box[3] - y] : [x, y];
  }

  function drawPiece(square, letter) {
    const [x, y] = place(square);
    const white = letter === letter.toUpperCase();
    const [fill, line] = white ? ["#fdfbf6", "#222"] : ["#222", "#fdfbf6"];
    const at = `translate(${x} ${y})`;
    draw(state.pieces, "circle", { cx: x, cy: y, r: 21, fill, stroke: "#555", "stroke-width": 2 });
    const kind = letter.toLowerCase();
    if (kind === "m") {
      draw(state.pieces, "circle", { cx: x, cy: y, r: 14, fill: "none", stroke: line, opacity: 0.4 });
    } else {
      const d = kind === "k" ? "M-12 8V-8L-6 0 0 -10 6 0 12 -8V8Z" : "M-12 -1A12 12 0 0 1 12 -1L0 12Z";
      draw(state.pieces, "path", { transform: at, d, fill: line });
    }
  }

  function drawBoard() {
    const here = position(state.at);
    for (const group of [state.under, state.pieces, state.over]) group.replaceChildren();
    for (const text of state.svg.querySelectorAll(":scope > text")) turnText(text);
    state.caption.textContent = here.turn + " to move";
    const before = state.at > 0 ? position(state.at - 1).from : null;
    for (const square of before || []) {
      const [x, y] = place(square);
      draw(state.under, "rect", { x: x - 28, y: y - 28, width: 56, height: 56, fill: "#ffe14d", opacity: 0.55 });
    }
    [...here.squares].forEach((letter, square) => letter !== "." && drawPiece(square, letter));
    if (id("hints").checked && here.best && here.best.length === 2) drawArrow(here.best);
    state.svg.setAttribute("aria-label", `${here.turn} to move: ${here.fen}`);
  }

  /** Numbers and letters go with their squares, and stay upright. */
  function turnText(text) {
    if (!text.dataset.x) {
      text.dataset.x = text.getAttribute("x");
      text.dataset.y = text.getAttribute("y");
    }
    const [x, y] = [Number(text.dataset.x), Number(text.dataset.y)];
    const small = text.getAttribute("font-size") === "10";
    // A square number stands 21 left of and 18 above the middle of its square, others 5 below the middle of theirs.
    const [dx, dy] = small ? [-21, -18] : [0, 5];
    text.setAttribute("x", state.turned ? state.box[2] - (x - dx) + dx : x);
    text.setAttribute("y", state.turned ? state.box[3] - (y - dy) + dy : y);
  }

  function drawArrow([from, to]) {
    const [x1, y1] = place(from);
    const [x2, y2] = place(to);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [ex, ey] = [x2 - ux * 16, y2 - uy * 16];
    const d = `M${x1} ${y1}L${ex} ${ey}M${x2} ${y2}L${ex - uy * 10} ${ey + ux * 10}L${ex + uy * 10} ${ey - ux * 10}Z`;
    draw(state.over, "path", { d, stroke: "#2e7d32", "stroke-width": 7, fill: "#2e7d32", opacity: 0.75 });
  }

  // The graph.

  const graphX = (at) => (last() > 0 ? (at * 600) / last() : 300);
  const graphY = (white) => 155 - white * 0.15;

  function drawGraph() {
    const graph = id("graph");
    graph.replaceChildren();
    const found = state.game.positions.filter((here) => here.white !== undefined);
    draw(graph, "path", { d: "M0 80H600", stroke: "#b9a58a", "stroke-dasharray": "6 4" });
    if (found.length > 0) {
      const line = found.map((here, at) => `${graphX(at).toFixed(1)} ${graphY(here.white).toFixed(1)}`).join("L");
      const end = graphX(found.length - 1);
      draw(graph, "path", { d: `M0 160L${line}L${end} 160Z`, fill: "#e9dcc5" });
      draw(graph, "path", { d: "M" + line, fill: "none", stroke: "#3b2a18", "stroke-width": 2 });
    }
    found.forEach((here, at) => {
      if (!here.mark) return;
      const colour = ["#c98a00", "#d65a00", "#c00020"][KINDS.indexOf(here.mark)];
      draw(graph, "circle", { cx: graphX(at), cy: graphY(here.white), r: 4, fill: colour });
    });
    state.cursor = draw(graph, "path", { stroke: "#1565c0", "stroke-width": 2 });
    const errors = found.filter((here) => here.mark).length;
    graph.setAttribute("aria-label", `Expectation of White over ${last()} moves, ${errors} of them marked as errors`);
  }

  // Lists.

  function listMoves() {
    const list = id("moves");
    list.replaceChildren();
    state.buttons = [];
    state.game.positions.forEach((here, at) => {
      if (!here.played) return;
      const button = make("button", { type: "button" }, here.played);
      if (here.mark) button.append(markOf(here.mark));
      button.addEventListener("click", () => show(at + 1));
      state.buttons[at + 1] = button;
      const item = make("li");
      if (!here.number.endsWith("...") || at === 0) item.append(make("span", { class: "n" }, here.number + " "));
      item.append(button);
      list.append(item);
    });
  }

  function listErrors() {
    const rows = state.game.positions.flatMap((here, at) => {
      if (!here.mark) return [];
      const button = make("button", { type: "button" }, `${here.number} ${here.played} `);
      button.append(markOf(here.mark));
      button.addEventListener("click", () => show(at + 1));
      const loss = here.loss === null ? "" : points(here.loss);
      return [make("tr", {}, make("td", {}, button), make("td", {}, loss), make("td", {}, here.pv.join(" ")))];
    });
    const none = make("tr", {}, make("td", { colspan: 3 }, "none"));
    id("errors").tBodies[0].replaceChildren(...(rows.length > 0 ? rows : [none]));
  }

  function listTags() {
    const tags = state.game.tags.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]);
    id("tags").replaceChildren(...tags);
  }

  // What is said of the position.

  function sayMove() {
    const before = state.at > 0 ? position(state.at - 1) : null;
    id("said").replaceChildren();
    if (!before || !before.played) {
      id("said").append(last() > 0 ? "Start of the game" : "Position");
      return;
    }
    id("said").append(`${before.number} ${before.played} `);
    if (before.mark) {
      const name = NAMES[KINDS.indexOf(before.mark)];
      id("said").append(markOf(before.mark), ` ${name}: loses ${points(before.loss)}; better ${before.pv[0]}`);
    }
  }

  function sayFound() {
    const here = position(state.at);
    const known = here.white !== undefined;
    const odds = known ? `win ${here.odds[0] / 10} %, draw ${here.odds[1] / 10} %, loss ${here.odds[2] / 10} %` : "";
    const line = known && here.pv.length > 0 ? `; best ${here.pv.join(" ")}` : "";
    id("found").textContent = known
      ? `${here.turn}: ${scoreText(here)} at depth ${here.depth} (${odds})${line}`
      : "End of the moves";
    id("fen").textContent = here.fen;
    const white = known ? here.white : position(Math.max(state.at - 1, 0)).white ?? 500;
    id("white-chance").style.height = white / 10 + "%";
    id("chances").setAttribute("aria-label", `White can expect ${points(white)} of a point`);
  }

  /** Goes to the position before the move of this number. */
  function show(at) {
    state.at = Math.min(Math.max(at, 0), last());
    drawBoard();
    sayMove();
    sayFound();
    state.cursor.setAttribute("d", `M${graphX(state.at)} 0V160`);
    for (const button of id("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = state.buttons[state.at];
    if (current) {
      current.setAttribute("aria-current", "true");
      const list = id("moves");
      const top = current.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - 60;
    } else {
      id("moves").scrollTop = 0;
    }
    id("first").disabled = id("back").disabled = state.at === 0;
    id("last").disabled = id("forth").disabled = state.at === last();
  }

  function nextError() {
    const marked = state.game.positions.map((here, at) => (here.mark ? at + 1 : 0)).filter((at) => at > 0);
    if (marked.length > 0) show(marked.find((at) => at > state.at) ?? marked[0]);
  }

  function turn() {
    state.turned = !state.turned;
    id("flip").setAttribute("aria-pressed", String(state.turned));
    id("chances").classList.toggle("turned", state.turned);
    drawBoard();
  }

  function choose(chosen) {
    state.chosen = Math.min(Math.max(chosen, 0), games.length - 1);
    state.game = JSON.parse(games[state.chosen].textContent);
    id("chosen").selectedIndex = state.chosen;
    id("title").textContent = `${state.game.title} (${state.game.rules})`;
    id("earlier-game").disabled = state.chosen === 0;
    id("later-game").disabled = state.chosen === games.length - 1;
    setBoard();
    drawGraph();
    listMoves();
    listErrors();
    listTags();
    show(0);
  }

  const KEYS = {
    ArrowLeft: () => show(state.at - 1),
    ArrowRight: () => show(state.at + 1),
    Home: () => show(0),
    End: () => show(last()),
    n: nextError,
    f: turn,
  };

  function listen() {
    const click = (name, act) => id(name).addEventListener("click", act);
    click("first", KEYS.Home);
    click("back", KEYS.ArrowLeft);
    click("forth", KEYS.ArrowRight);
    click("last", KEYS.End);
    click("next-error", nextError);
    click("flip", turn);
    click("earlier-game", () => choose(state.chosen - 1));
    click("later-game", () => choose(state.chosen + 1));
    id("chosen").addEventListener("change", () => choose(id("chosen").selectedIndex));
    id("hints").addEventListener("change", drawBoard);
    id("graph").addEventListener("click", (event) => {
      const box = id("graph").getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width) * last()));
    });
    document.addEventListener("keydown", (event) => {
      const typing = /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName);
      const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || typing || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
  }

  for (const game of games) {
    const errors = game.dataset.marks.split(" ").map((count, at) => (count > 0 ? `${count}${KINDS[at]}` : ""));
    const tail = errors.filter(Boolean).reverse().join(" ");
    id("chosen").append(make("option", {}, game.dataset.title + (tail ? `  [${tail}]` : "")));
  }
  if (games.length > 0) {
    listen();
    choose(0);
  } else {
    document.querySelector("main").textContent = "Nothing was analysed.";
  }
})();
