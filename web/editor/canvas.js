// The canvas: nodes that are moved and connected with a pointer or the keyboard, on the parts that @xyflow/system has
// for panning, dragging and connecting. Positions are styles set by script, which the content security policy allows.

import { ConnectionMode, Position, XYDrag, XYHandle, XYPanZoom, getBezierPath } from "@xyflow/system";
import { h, icon, say } from "./dom.js";
import { word } from "./words.js";

export const width = 240, headHeight = 58, portHeight = 28, footHeight = 8, gap = 64;
const lib = "ed", flow = "graph", least = 0.25, largest = 2;
const readable = 0.8; // showing everything never makes the nodes smaller than that
const margin = 20; // between what is shown and the border of the view
const spread = 1.25; // how much further apart nodes are drawn than their positions say, which were made for smaller ones
/** @type {[[number, number], [number, number]]} */
const infinite = [[-Infinity, -Infinity], [Infinity, Infinity]];

// Positions of the graph, and of the drawing.
export const toView = ({ x, y }) => ({ x: x * spread, y: y * spread });
export const toGraph = ({ x, y }) => ({ x: Math.round(x / spread), y: Math.round(y / spread) });

// stateLine is how a node stands in one short line: of what is done, what it took and cost.
function stateLine({ word, detail, tone }) {
  if (!detail) return word;
  return tone === "ok" ? `✓ ${detail}` : `${word} · ${detail}`;
}

// previewHeights are how high the results of the last run stand in their nodes, where there is room.
const previewHeights = { image: 140, video: 140, text: 66, audio: 28 }, leastPreview = { image: 72, video: 72, text: 26, audio: 28 };
const previewHeight = ({ kind, text }) => (kind === "text" && text.length < 54 ? (text.length < 26 ? 26 : 46) : previewHeights[kind]);

// nodeSize is that of a node without its result, or with it where results are given.
export function nodeSize(graph, node, feeds, results) {
  const result = results?.get(node.id);
  return { width, height: headHeight + graph.inputs(node, feeds).length * portHeight + footHeight + (result ? previewHeight(result) + 8 : 0) };
}

export class Canvas {
  constructor(root, graph, { readOnly, states, problems, results }) {
    this.root = root;
    this.graph = graph;
    this.readOnly = readOnly;
    this.states = states;
    this.problems = problems;
    this.results = results;
    this.keys = new Map(); // ids of nodes to keys, which are safe in selectors
    this.cards = new Map(); // elements by id
    this.lookup = new Map(); // nodes as the library wants them, by key
    /** @type {[number, number, number]} */
    this.transform = [0, 0, 1];
    this.line = null; // the connection that is being drawn
    this.edges = h("svg.ed-edges", { "aria-hidden": "true", focusable: "false" });
    this.view = h("div.ed-view", {}, this.edges);
    root.append(this.view);
    this.startPanning();
    root.addEventListener("click", (e) => { if (e.target === root || e.target === this.view) graph.select([]); });
    root.addEventListener("dragover", (e) => { if (!readOnly && e.dataTransfer.types.includes("application/x-atelier-node")) e.preventDefault(); });
    root.addEventListener("drop", (e) => this.drop(e));
    new ResizeObserver(() => { if (this.waiting) this.fit(); }).observe(root);
  }

  // ---- panning and zooming

  startPanning() {
    this.pan = XYPanZoom({
      domNode: this.root, minZoom: least, maxZoom: largest, translateExtent: infinite, viewport: { x: 0, y: 0, zoom: 1 },
      onDraggingChange: (dragging) => this.root.classList.toggle("dragging", dragging),
    });
    this.pan.update({
      noWheelClassName: "nowheel", noPanClassName: "nopan", preventScrolling: true, panOnScroll: true, panOnDrag: true,
      panOnScrollMode: /** @type {any} */ ("free"), panOnScrollSpeed: 0.8, userSelectionActive: false, zoomOnPinch: true, zoomOnScroll: false,
      zoomOnDoubleClick: false, zoomActivationKeyPressed: false, lib, connectionInProgress: false, paneClickDistance: 4,
      onTransformChange: (transform) => {
        this.transform = transform;
        const [x, y, zoom] = transform;
        this.view.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
        this.root.style.setProperty("--ed-grid-x", `${x}px`);
        this.root.style.setProperty("--ed-grid-y", `${y}px`);
        this.root.style.setProperty("--ed-grid", `${zoom < 0.7 ? 48 * zoom : 24 * zoom}px`);
      },
    });
  }

  async panBy({ x, y }) {
    const [tx, ty, zoom] = this.transform;
    await this.pan.setViewport({ x: tx + x, y: ty + y, zoom });
    return true;
  }

  zoom(factor) {
    return this.pan.scaleBy(factor);
  }

  // fit shows the whole graph as large as it can be read, else where it begins; once the canvas has a size, where it has
  // none yet.
  fit() {
    const box = this.root.getBoundingClientRect();
    this.waiting = box.width === 0;
    if (this.waiting || !this.lookup.size) return;
    const { left, top, width: w, height: ht } = this.bounds(), room = 2 * margin;
    const zoom = Math.min(1, Math.max(readable, Math.min((box.width - room) / w, (box.height - room) / ht)));
    const x = w * zoom + room <= box.width + 1 ? (box.width - w * zoom) / 2 : margin;
    const first = this.lookup.get(this.keys.get(this.graph.inOrder()[0].id)).internals.positionAbsolute.y - top;
    const y = ht * zoom + room <= box.height + 1 ? (box.height - ht * zoom) / 2 : Math.max(box.height - margin - ht * zoom, Math.min(margin, box.height / 3 - first * zoom));
    this.pan.setViewport({ x: x - left * zoom, y: y - top * zoom, zoom });
  }

  bounds() {
    const all = [...this.lookup.values()].map((n) => ({ ...n.internals.positionAbsolute, ...n.measured }));
    const left = Math.min(...all.map((n) => n.x)), top = Math.min(...all.map((n) => n.y));
    return { left, top, width: Math.max(...all.map((n) => n.x + n.width)) - left, height: Math.max(...all.map((n) => n.y + n.height)) - top };
  }

  // fits tells whether the whole graph can be shown and read.
  fits() {
    const box = this.root.getBoundingClientRect(), { width: w, height: ht } = this.bounds(), room = 2 * margin;
    return w * readable + room <= box.width + 1 && ht * readable + room <= box.height + 1;
  }

  // free is the spot for a node of a size that is nearest to a place and on no other node; at is its upper left corner.
  // Beside a node it looks to the right and below alone.
  free(at, size, beside = false) {
    const taken = [...this.lookup.values()].map((n) => ({ ...n.internals.positionAbsolute, ...n.measured })), air = 24;
    const isFree = ({ x, y }) => !taken.some((n) => x < n.x + n.width + air && x + size.width + air > n.x && y < n.y + n.height + air && y + size.height + air > n.y);
    const step = 32, spots = [];
    for (let i = beside ? 0 : -30; i <= 30; i++) {
      for (let j = -30; j <= 30; j++) spots.push({ x: at.x + i * step, y: at.y + j * step, far: beside ? 3 * i + Math.abs(j) + (j < 0 ? 0.5 : 0) : Math.hypot(i, j) });
    }
    spots.sort((a, b) => a.far - b.far);
    const lowest = Math.max(...taken.map((n) => n.y + n.height), at.y);
    return spots.find(isFree) ?? { x: at.x, y: lowest + air };
  }

  // freeFor is how far a part of a graph has to be moved to stand on a free spot near where it stood, or in the middle of
  // the view where that cannot be seen.
  freeFor({ nodes }) {
    const boxes = nodes.map((node) => ({ ...toView(node.position ?? { x: 0, y: 0 }), ...nodeSize(this.graph, node) }));
    const x = Math.min(...boxes.map((box) => box.x)), y = Math.min(...boxes.map((box) => box.y));
    const size = { width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
    const [tx, ty, zoom] = this.transform, view = this.root.getBoundingClientRect(), middle = this.middle();
    const seen = x * zoom + tx > 0 && y * zoom + ty > 0 && x * zoom + tx < view.width && y * zoom + ty < view.height;
    const at = toGraph(this.free(seen ? { x: x + 32, y: y + 32 } : { x: middle.x - size.width / 2, y: middle.y - size.height / 2 }, size)), from = toGraph({ x, y });
    return { x: at.x - from.x, y: at.y - from.y };
  }

  // spot is where a new node of a kind stands: beside a node, or near a place of the drawing.
  /** @param {string} type @param {{beside?: string, near?: {x: number, y: number}}} where */
  spot(type, { beside, near }) {
    const size = nodeSize(this.graph, { id: "", type, data: {} }, []);
    const from = beside && this.cards.get(beside)?.at;
    if (from) return this.free({ x: from.x + width + gap, y: from.y }, size, true);
    const middle = near ?? this.middle(), at = { x: middle.x - width / 2, y: middle.y - size.height / 2 };
    return this.free(near ? this.inside(at, size) : at, size);
  }

  // inside moves a place so far that what stands there is in the view.
  inside({ x, y }, size) {
    const box = this.root.getBoundingClientRect(), least = this.place(box.left + margin, box.top + margin), most = this.place(box.right - margin, box.bottom - margin);
    return { x: Math.max(least.x, Math.min(x, most.x - size.width)), y: Math.max(least.y, Math.min(y, most.y - size.height)) };
  }

  // reveal pans so that a node can be seen.
  reveal(id) {
    const node = this.lookup.get(this.keys.get(id));
    const box = this.root.getBoundingClientRect();
    if (!node || !box.width) return;
    const [tx, ty, zoom] = this.transform, at = node.internals.positionAbsolute;
    const x = at.x * zoom + tx, y = at.y * zoom + ty, w = node.measured.width * zoom, ht = node.measured.height * zoom;
    const dx = x < 12 ? 24 - x : x + w > box.width - 12 ? box.width - 24 - x - w : 0;
    const dy = y < 12 ? 24 - y : y + ht > box.height - 12 ? box.height - 24 - y - ht : 0;
    if (dx || dy) this.panBy({ x: dx, y: dy });
  }

  // sees tells whether a node is in the view as a whole.
  sees(id) {
    const node = this.lookup.get(this.keys.get(id)), box = this.root.getBoundingClientRect();
    if (!node || !box.width) return true;
    const [tx, ty, zoom] = this.transform, { x, y } = node.internals.positionAbsolute;
    const left = x * zoom + tx, top = y * zoom + ty;
    return left >= 0 && top >= 0 && left + node.measured.width * zoom <= box.width && top + node.measured.height * zoom <= box.height;
  }

  // middle is the place in the graph that is in the middle of the view.
  middle() {
    const box = this.root.getBoundingClientRect();
    return this.place(box.left + box.width / 2, box.top + box.height / 2);
  }

  place(clientX, clientY) {
    const box = this.root.getBoundingClientRect(), [x, y, zoom] = this.transform;
    return { x: (clientX - box.left - x) / zoom, y: (clientY - box.top - y) / zoom };
  }

  drop(e) {
    const type = e.dataTransfer.getData("application/x-atelier-node");
    if (this.readOnly || !this.graph.kinds.get(type)) return;
    e.preventDefault();
    this.graph.add(type, toGraph(this.spot(type, { near: this.place(e.clientX, e.clientY) })));
    say(word("added", this.graph.kinds.label(type)));
  }

  // ---- drawing

  draw() {
    const { graph } = this, feeds = graph.feeds();
    const unplaced = graph.nodes.filter((node) => !node.position);
    this.lookup.clear();
    graph.nodes.forEach((node, i) => {
      if (!this.keys.has(node.id)) this.keys.set(node.id, "n" + this.keys.size);
      this.put(node, toView(node.position ?? { x: (unplaced.indexOf(node) % 4) * 260, y: Math.floor(i / 4) * 140 }), feeds);
    });
    this.showResults();
    for (const [id, card] of this.cards) {
      if (graph.node(id)) continue;
      card.drag?.destroy();
      card.el.remove();
      this.cards.delete(id);
    }
    this.drawEdges(feeds);
  }

  put(node, position, feeds) {
    const key = this.keys.get(node.id), inputs = this.graph.inputs(node, feeds), size = nodeSize(this.graph, node, feeds);
    const handle = (type, id, pos, x, y) => ({ id, nodeId: key, type, position: pos, x: x - 6, y: y - 6, width: 12, height: 12 });
    this.lookup.set(key, {
      id: key, position, selected: this.graph.selected.has(node.id), data: {}, measured: size,
      internals: {
        z: 0, positionAbsolute: position, userNode: { id: key, position, data: {} },
        handleBounds: {
          source: [handle("source", "out", Position.Right, width, headHeight / 2)],
          target: inputs.map((_, i) => handle("target", "i" + i, Position.Left, 0, headHeight + (i + 0.5) * portHeight)),
        },
      },
    });
    let card = this.cards.get(node.id);
    if (!card) {
      card = { el: h("div", { role: "button", tabindex: "0" }) };
      card.el.append(card.head = h("div.ed-head"), card.ports = h("div.ed-ports"), card.result = h("div.ed-result", { hidden: true }));
      card.el.addEventListener("click", (e) => this.clicked(node.id, e));
      card.el.addEventListener("dblclick", () => this.root.dispatchEvent(new CustomEvent("inspect", { detail: node.id })));
      card.el.addEventListener("keydown", (e) => this.pressed(node.id, e));
      card.el.addEventListener("focus", () => { if (card.el.matches(":focus-visible")) this.reveal(node.id); });
      this.cards.set(node.id, card);
      this.view.append(card.el);
      this.makeMovable(card, key);
    }
    card.inputs = inputs;
    this.fill(card, node, feeds, key);
    this.moveCard(card, position);
  }

  // showResults puts what the last run made into the nodes, as high as the room above the next node allows.
  showResults() {
    const all = [...this.lookup.values()];
    for (const [id, card] of this.cards) {
      const node = this.lookup.get(this.keys.get(id)), result = this.results.get(id);
      if (!node || !this.graph.node(id)) continue;
      const { x, y } = node.internals.positionAbsolute, bottom = y + node.measured.height;
      const below = all.filter((n) => n !== node && n.internals.positionAbsolute.y >= bottom - 4 && Math.abs(n.internals.positionAbsolute.x - x) < width).map((n) => n.internals.positionAbsolute.y);
      const room = Math.min(...below) - bottom - 24, height = result ? Math.min(previewHeight(result), room) : 0;
      const shown = result && height >= leastPreview[result.kind];
      card.result.hidden = !shown;
      card.el.classList.toggle("has-result", Boolean(shown));
      if (result && card.drawn !== result.key) card.result.replaceChildren(...resultParts(result));
      card.drawn = result?.key;
      if (!shown) continue;
      card.result.style.height = `${height}px`;
      card.result.dataset.kind = result.kind;
      node.measured = { width, height: node.measured.height + height + 8 };
    }
  }

  moveCard(card, { x, y }) {
    card.at = { x, y };
    card.el.style.transform = `translate(${x}px, ${y}px)`;
  }

  fill(card, node, feeds, key) {
    const { graph } = this, kind = graph.kinds.get(node.type), selected = graph.selected.has(node.id);
    const state = this.states.get(node.id), wrong = this.problems.get(node.id);
    card.el.className = `ed-node ${lib}-flow__node nopan ed-${kind?.outputType ?? "data"}${selected ? " selected" : ""}${wrong ? " wrong" : ""}${state ? " state-" + state.tone : ""}`;
    card.el.setAttribute("aria-pressed", String(selected));
    card.el.dataset.node = node.id;
    const second = state ? stateLine(state) : graph.name(node) === kind?.label ? summary(node) : kind?.label ?? node.type;
    card.head.replaceChildren(
      h("b", {}, graph.name(node)), h("span", {}, wrong ? word("wrong") : second), h("span.sr", {}, this.describe(node, feeds, wrong)),
      this.handle("source", key, "out", true));
    card.ports.replaceChildren(...card.inputs.map((field, i) => {
      const fed = feeds.some((feed) => feed.target === node.id && feed.field === field);
      return h("div.ed-port" + (fed ? ".fed" : ""), {}, this.handle("target", key, "i" + i, fed), h("span", {}, field ? graph.kinds.title(node.type, field) : word("everything")));
    }));
  }

  handle(type, key, id, fed) {
    const el = h(`span.${lib}-flow__handle.${type}.nodrag.nopan` + (this.readOnly ? "" : ".connectable.connectableend") + (fed ? ".fed" : ""), {
      "data-nodeid": key, "data-handleid": id, "data-handlepos": type === "source" ? "right" : "left", "data-id": `${flow}-${key}-${id}-${type}`,
    });
    if (this.readOnly) return el;
    const start = (e) => this.startLine(e, el, key, id, type);
    el.addEventListener("mousedown", (e) => { if (e.button === 0) start(e); });
    el.addEventListener("touchstart", start, { passive: true });
    el.addEventListener("click", (e) => e.stopPropagation());
    return el;
  }

  // describe says what the drawing shows.
  describe(node, feeds, wrong) {
    const { graph } = this, to = feeds.filter((f) => f.source === node.id).map((f) => graph.node(f.target)).filter(Boolean);
    const words = [graph.kinds.label(node.type) + " " + node.id], result = this.results.get(node.id);
    if (to.length) words.push(word("feedsAll", [...new Set(to.map((n) => graph.call(n)))].join(", ")));
    if (wrong) words.push(wrong[0].message);
    if (result) words.push(word({ image: "madeImage", video: "madeVideo", audio: "madeAudio" }[result.kind] ?? "madeText"));
    return ". " + words.join(". ") + ". ";
  }

  drawEdges(feeds = this.graph.feeds()) {
    const paths = this.groups();
    for (const feed of feeds) {
      const from = this.cards.get(feed.source), to = this.cards.get(feed.target);
      if (!from || !to) continue;
      const row = Math.max(0, to.inputs.indexOf(feed.field));
      const d = curve(from.at.x + width, from.at.y + headHeight / 2, to.at.x, to.at.y + headHeight + (row + 0.5) * portHeight);
      const picked = this.graph.edge === feed.id || this.graph.selected.has(feed.source) || this.graph.selected.has(feed.target);
      const state = this.states.get(feed.source);
      paths.push(h("path.ed-edge" + (picked ? ".selected" : "") + (feed.edge ? "" : ".mapped") + (state ? ".state-" + state.tone : ""), { d }));
      paths.push(h("path.ed-hit.nopan", { d, onclick: (e) => { e.stopPropagation(); this.graph.select([], feed.id); this.root.focus(); } }));
    }
    if (this.line) paths.push(h("path.ed-edge.ed-line", { d: this.line }));
    this.edges.replaceChildren(...paths);
  }

  // groups are frames around what a group holds, and the group itself.
  groups() {
    const { graph } = this, out = [];
    for (const group of graph.nodes.filter((node) => node.type === "group")) {
      const members = graph.nodes.filter((node) => node.parentId === group.id || node === group).map((node) => this.lookup.get(this.keys.get(node.id))).filter(Boolean);
      if (members.length < 2) continue;
      const at = members.map((m) => ({ ...m.internals.positionAbsolute, ...m.measured }));
      const x = Math.min(...at.map((m) => m.x)) - 20, y = Math.min(...at.map((m) => m.y)) - 20;
      out.push(h("rect.ed-group", { x, y, rx: 14, width: Math.max(...at.map((m) => m.x + m.width)) + 20 - x, height: Math.max(...at.map((m) => m.y + m.height)) + 20 - y }));
    }
    return out;
  }

  // ---- moving

  makeMovable(card, key) {
    if (this.readOnly) return;
    card.drag = XYDrag({
      onNodeMouseDown: (k) => { const id = this.idOf(k); if (!this.graph.selected.has(id)) this.graph.select([id]); },
      getStoreItems: () => ({
        nodes: [...this.lookup.values()], nodeLookup: this.lookup, edges: [], nodeExtent: infinite, snapGrid: [8, 8], snapToGrid: true,
        nodeOrigin: [0, 0], multiSelectionActive: false, domNode: this.root, transform: this.transform, autoPanOnNodeDrag: true, autoPanSpeed: 12,
        nodesDraggable: true, selectNodesOnDrag: true, nodeDragThreshold: 3, panBy: (by) => this.panBy(by), unselectNodesAndEdges: () => {},
        updateNodePositions: (items, dragging) => this.dragged(items, dragging),
      }),
    });
    card.drag.update({ domNode: card.el, nodeId: key, noDragClassName: "nodrag", isSelectable: true, nodeClickDistance: 4 });
  }

  idOf(key) {
    for (const [id, k] of this.keys) if (k === key && this.graph.node(id)) return id;
    return undefined;
  }

  dragged(items, dragging) {
    const places = new Map();
    for (const [key, item] of items) {
      const id = this.idOf(key), card = this.cards.get(id), known = this.lookup.get(key);
      if (!card || !known) continue;
      known.position = known.internals.positionAbsolute = item.position;
      this.moveCard(card, item.position);
      places.set(id, item.position);
    }
    if (dragging) this.drawEdges();
    else this.graph.move(new Map([...places].map(([id, at]) => [id, toGraph(at)])));
  }

  clicked(id, e) {
    if (e.shiftKey || e.ctrlKey || e.metaKey) this.graph.toggle(id);
    else this.graph.select([id]);
    this.cards.get(id)?.el.focus({ preventScroll: true });
  }

  pressed(id, e) {
    const steps = { ArrowLeft: [-16, 0], ArrowRight: [16, 0], ArrowUp: [0, -16], ArrowDown: [0, 16] };
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      this.graph.select([id]);
      if (e.key === "Enter") this.root.dispatchEvent(new CustomEvent("inspect", { detail: id }));
    } else if (steps[e.key] && !this.readOnly && !e.altKey) {
      e.preventDefault();
      if (!this.graph.selected.has(id)) this.graph.select([id]);
      const [dx, dy] = steps[e.key];
      const to = (moved) => { const at = this.graph.node(moved).position ?? toGraph(this.cards.get(moved).at); return { x: at.x + dx, y: at.y + dy }; };
      this.graph.move(new Map([...this.graph.selected].map((moved) => [moved, to(moved)])), "keys");
      this.reveal(id);
    }
  }

  focus(id) { this.cards.get(id)?.el.focus(); }

  // ---- connecting

  startLine(e, el, key, id, type) {
    e.stopPropagation();
    let from = null;
    XYHandle.onPointerDown(e, {
      handleDomNode: el, handleId: id, nodeId: key, isTarget: type === "target", domNode: this.root, nodeLookup: this.lookup, lib, flowId: flow,
      connectionMode: ConnectionMode.Strict, connectionRadius: 28, autoPanOnConnect: true, autoPanSpeed: 12, dragThreshold: 2,
      panBy: (by) => this.panBy(by), getTransform: () => this.transform, getFromHandle: () => from,
      isValidConnection: (c) => this.graph.mayFeed(this.idOf(c.source), this.idOf(c.target)),
      updateConnection: (c) => {
        from = c.fromHandle ?? null;
        if (!this.root.classList.contains("connecting")) this.markUnfit(this.idOf(key), id, type);
        this.root.classList.add("connecting");
        this.line = this.lineTo(c, type);
        this.drawEdges();
      },
      onConnect: (c) => this.connected(c.source, c.target, c.targetHandle),
      onConnectEnd: (event, c) => { if (!c.toHandle) this.droppedOn(event, key, type); },
      cancelConnection: () => {
        from = this.line = null;
        this.root.classList.remove("connecting");
        for (const port of this.root.querySelectorAll(".unfit")) port.classList.remove("unfit");
        this.drawEdges();
      },
    });
  }

  // markUnfit shows which ends a line that begins here does not suit.
  markUnfit(from, handle, type) {
    for (const [id, card] of this.cards) {
      const field = (place) => card.inputs[place];
      if (type === "source") [...card.ports.children].forEach((port, i) => port.classList.toggle("unfit", !this.graph.suits(from, id, field(i))));
      else card.head.classList.toggle("unfit", !this.graph.suits(id, from, this.cards.get(from).inputs[Number(handle.slice(1))]));
    }
  }

  lineTo(c, type) {
    const [tx, ty, zoom] = this.transform;
    const to = { x: (c.to.x - tx) / zoom, y: (c.to.y - ty) / zoom };
    return type === "source" ? curve(c.from.x + 6, c.from.y, to.x, to.y) : curve(to.x, to.y, c.from.x - 6, c.from.y);
  }

  connected(sourceKey, targetKey, handle) {
    const source = this.idOf(sourceKey), target = this.idOf(targetKey);
    const field = this.cards.get(target)?.inputs[Number(handle.slice(1))] ?? "";
    if (!this.graph.connect(source, target, field)) return;
    const names = [source, target].map((id) => this.graph.name(this.graph.node(id)));
    say(this.graph.suits(source, target, field) ? word("feeds", ...names) : word("unfit", this.graph.kinds.title(this.graph.node(target).type, field), names[1], names[0]));
  }

  // droppedOn connects to a node as a whole: to its first input that nothing feeds.
  droppedOn(event, key, type) {
    const point = event.changedTouches?.[0] ?? event;
    const under = document.elementFromPoint(point.clientX, point.clientY)?.closest(".ed-node");
    if (!under || under.dataset.node === this.idOf(key)) return;
    const [source, target] = type === "source" ? [this.idOf(key), under.dataset.node] : [under.dataset.node, this.idOf(key)];
    const field = freeInput(this.graph, this.graph.node(target));
    if (field !== undefined && this.graph.connect(source, target, field)) say(word("connected"));
  }
}

// freeInput is the field of a node that a connection to the node as a whole feeds: the first that nothing feeds and
// that nobody filled in.
export function freeInput(graph, node) {
  const feeds = graph.feeds(), inputs = graph.inputs(node, feeds);
  const open = inputs.filter((field) => graph.kinds.isList(node.type, field) || !feeds.some((feed) => feed.target === node.id && feed.field === field));
  return open.find((field) => node.data[field] === undefined) ?? open[0] ?? inputs[0];
}

function curve(sourceX, sourceY, targetX, targetY) {
  return getBezierPath({ sourceX, sourceY, sourcePosition: Position.Right, targetX, targetY, targetPosition: Position.Left })[0];
}

// resultParts draw a result: a picture, the first image of a video, the beginning of a text.
function resultParts({ kind, address, text }) {
  switch (kind) {
    case "image": return [h("img", { src: address, alt: "", loading: "lazy", decoding: "async", draggable: "false" })];
    case "video": return [h("video", { src: address + "#t=0.1", preload: "metadata", muted: true, playsinline: true, tabindex: "-1", "aria-hidden": "true" }), h("span.ed-play", { "aria-hidden": "true" }, icon("run"))];
    case "audio": return [h("p", {}, word("sound"))];
  }
  return [h("p", { dir: "auto" }, text)];
}

// summary is a line that tells nodes of one kind apart.
function summary(node) {
  for (const key of ["text", "prompt", "template", "url"]) if (typeof node.data[key] === "string" && node.data[key].trim()) return node.data[key].trim().slice(0, 80);
  return node.id;
}
