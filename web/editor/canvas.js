// The canvas: nodes that are moved and connected with a pointer or the keyboard, on the parts that @xyflow/system has
// for panning, dragging and connecting. Positions are styles set by script, which the content security policy allows.

import { ConnectionMode, Position, XYDrag, XYHandle, XYPanZoom, getBezierPath, getViewportForBounds } from "@xyflow/system";
import { h, say } from "./dom.js";

export const width = 216, headHeight = 52, portHeight = 24, footHeight = 8;
const lib = "ed", flow = "graph", least = 0.25, largest = 2;
const infinite = [[-Infinity, -Infinity], [Infinity, Infinity]];

export function nodeSize(graph, node, feeds) {
  return { width, height: headHeight + graph.inputs(node, feeds).length * portHeight + footHeight };
}

export class Canvas {
  constructor(root, graph, { readOnly, states, problems }) {
    Object.assign(this, { root, graph, readOnly, states, problems });
    this.keys = new Map(); // ids of nodes to keys, which are safe in selectors
    this.cards = new Map(); // elements by id
    this.lookup = new Map(); // nodes as the library wants them, by key
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
      panOnScrollMode: "free", panOnScrollSpeed: 0.8, userSelectionActive: false, zoomOnPinch: true, zoomOnScroll: false,
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

  // fit shows the whole graph; once the canvas has a size, where it has none yet.
  fit() {
    const box = this.root.getBoundingClientRect();
    this.waiting = box.width === 0;
    if (this.waiting || !this.lookup.size) return;
    const all = [...this.lookup.values()].map((n) => ({ ...n.internals.positionAbsolute, ...n.measured }));
    const left = Math.min(...all.map((n) => n.x)), top = Math.min(...all.map((n) => n.y));
    const bounds = { x: left, y: top, width: Math.max(...all.map((n) => n.x + n.width)) - left, height: Math.max(...all.map((n) => n.y + n.height)) - top };
    this.pan.setViewport(getViewportForBounds(bounds, box.width, box.height, least, 1, 0.08));
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
    const at = this.place(e.clientX, e.clientY);
    this.graph.add(type, { x: at.x - width / 2, y: at.y - headHeight / 2 });
    say(`${this.graph.kinds.label(type)} added`);
  }

  // ---- drawing

  draw() {
    const { graph } = this, feeds = graph.feeds();
    const unplaced = graph.nodes.filter((node) => !node.position);
    this.lookup.clear();
    graph.nodes.forEach((node, i) => {
      if (!this.keys.has(node.id)) this.keys.set(node.id, "n" + this.keys.size);
      const position = node.position ?? { x: (unplaced.indexOf(node) % 4) * 260, y: Math.floor(i / 4) * 140 };
      this.put(node, position, feeds);
    });
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
      card.el.append(card.head = h("div.ed-head"), card.ports = h("div.ed-ports"));
      card.el.addEventListener("click", (e) => this.clicked(node.id, e));
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
    const second = state ? `${state.word}${state.detail ? " · " + state.detail : ""}` : graph.name(node) === kind?.label ? summary(node) : kind?.label ?? node.type;
    card.head.replaceChildren(
      h("b", {}, graph.name(node)), h("span", {}, wrong ? "Needs a look" : second), h("span.sr", {}, this.describe(node, feeds, wrong)),
      this.handle("source", key, "out", true));
    card.ports.replaceChildren(...card.inputs.map((field, i) => {
      const fed = feeds.some((feed) => feed.target === node.id && feed.field === field);
      return h("div.ed-port" + (fed ? ".fed" : ""), {}, this.handle("target", key, "i" + i, fed), h("span", {}, field ? graph.kinds.title(node.type, field) : "Everything in it"));
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
    const words = [graph.kinds.label(node.type) + " " + node.id];
    if (to.length) words.push("feeds " + [...new Set(to.map((n) => graph.call(n)))].join(", "));
    if (wrong) words.push(wrong[0].message);
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
    else this.graph.move(places);
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
      this.graph.move(new Map([...this.graph.selected].map((moved) => [moved, { x: this.cards.get(moved).at.x + dx, y: this.cards.get(moved).at.y + dy }])), "keys");
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
        this.root.classList.add("connecting");
        this.line = this.lineTo(c, type);
        this.drawEdges();
      },
      onConnect: (c) => this.connected(c.source, c.target, c.targetHandle),
      onConnectEnd: (event, c) => { if (!c.toHandle) this.droppedOn(event, key, type); },
      cancelConnection: () => {
        from = this.line = null;
        this.root.classList.remove("connecting");
        this.drawEdges();
      },
    });
  }

  lineTo(c, type) {
    const [tx, ty, zoom] = this.transform;
    const to = { x: (c.to.x - tx) / zoom, y: (c.to.y - ty) / zoom };
    return type === "source" ? curve(c.from.x + 6, c.from.y, to.x, to.y) : curve(to.x, to.y, c.from.x - 6, c.from.y);
  }

  connected(sourceKey, targetKey, handle) {
    const source = this.idOf(sourceKey), target = this.idOf(targetKey);
    const field = this.cards.get(target)?.inputs[Number(handle.slice(1))] ?? "";
    if (this.graph.connect(source, target, field)) say(`${this.graph.name(this.graph.node(source))} feeds ${this.graph.name(this.graph.node(target))}`);
  }

  // droppedOn connects to a node as a whole: to its first input that nothing feeds.
  droppedOn(event, key, type) {
    const point = event.changedTouches?.[0] ?? event;
    const under = document.elementFromPoint(point.clientX, point.clientY)?.closest(".ed-node");
    if (!under || under.dataset.node === this.idOf(key)) return;
    const [source, target] = type === "source" ? [this.idOf(key), under.dataset.node] : [under.dataset.node, this.idOf(key)];
    const field = freeInput(this.graph, this.graph.node(target));
    if (field !== undefined && this.graph.connect(source, target, field)) say("Connected");
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

// summary is a line that tells nodes of one kind apart.
function summary(node) {
  for (const key of ["text", "prompt", "template", "url"]) if (typeof node.data[key] === "string" && node.data[key].trim()) return node.data[key].trim().slice(0, 80);
  return node.id;
}
