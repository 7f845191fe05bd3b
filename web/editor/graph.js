// The graph that is being edited: nodes, edges, what is selected, and the way back.

const most = 200; // steps that can be undone

export class Graph extends EventTarget {
  constructor({ nodes, edges }, kinds) {
    super();
    this.kinds = kinds;
    this.nodes = nodes;
    this.edges = edges;
    this.selected = new Set(); // ids of nodes
    this.edge = null; // id of the selected edge
    this.past = [];
    this.future = [];
    this.lastMerge = "";
    this.saved = this.text();
  }

  // text is the graph as JSON, the way it is saved and shown.
  text() { return JSON.stringify({ nodes: this.nodes, edges: this.edges }, null, 2); }

  get dirty() { return this.text() !== this.saved; }

  node(id) { return this.nodes.find((node) => node.id === id); }

  // change does something that can be undone. Changes that follow each other with the same merge are one step. by says
  // which part of the editor changed it, so that it need not draw itself again.
  change(act, { merge = "", by = "" } = {}) {
    const before = JSON.stringify([this.nodes, this.edges]);
    act();
    if (JSON.stringify([this.nodes, this.edges]) === before) return;
    if (!merge || merge !== this.lastMerge) this.past.push(before);
    if (this.past.length > most) this.past.shift();
    this.lastMerge = merge;
    this.future = [];
    this.tidy();
    this.tell("change", by);
  }

  undo() { this.step(this.past, this.future); }
  redo() { this.step(this.future, this.past); }

  step(from, to) {
    if (!from.length) return;
    to.push(JSON.stringify([this.nodes, this.edges]));
    [this.nodes, this.edges] = JSON.parse(from.pop());
    this.lastMerge = "";
    this.tidy();
    this.tell("change", "history");
  }

  // tidy forgets the selection of what is gone.
  tidy() {
    for (const id of this.selected) if (!this.node(id)) this.selected.delete(id);
    if (!this.edges.some((edge) => edge.id === this.edge)) this.edge = null;
  }

  tell(kind, by = "") { this.dispatchEvent(new CustomEvent(kind, { detail: by })); }

  select(ids, edge = null) {
    const same = !edge && !this.edge && ids.length === this.selected.size && ids.every((id) => this.selected.has(id));
    if (same) return;
    this.selected = new Set(ids);
    this.edge = edge;
    this.lastMerge = "";
    this.tell("select");
  }

  toggle(id) {
    const ids = new Set(this.selected);
    if (!ids.delete(id)) ids.add(id);
    this.select([...ids]);
  }

  // only is the one selected node, undefined with none or several.
  get only() { return this.selected.size === 1 ? this.node([...this.selected][0]) : undefined; }

  // ---- names

  name(node) {
    for (const key of ["label", "title", "name"]) if (typeof node.data[key] === "string" && node.data[key]) return node.data[key];
    return this.kinds.label(node.type);
  }

  // call is the name, with the id where several nodes share it.
  call(node) {
    const name = this.name(node);
    return this.nodes.some((other) => other !== node && this.name(other) === name) ? `${name} (${node.id})` : name;
  }

  freeID(wanted, taken) {
    if (!taken.has(wanted)) return wanted;
    const base = wanted.replace(/-\d+$/, "");
    for (let n = 2; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`;
  }

  // ---- nodes

  add(type, position) {
    const id = this.freeID(type, new Set(this.nodes.map((node) => node.id)));
    this.change(() => this.nodes.push({ id, type, position: round(position), data: {} }));
    this.select([id]);
    return id;
  }

  remove() {
    if (this.edge) return this.disconnect(this.edge);
    const gone = this.selected;
    if (!gone.size) return;
    this.change(() => {
      this.nodes = this.nodes.filter((node) => !gone.has(node.id)).map((node) => withoutFeedsOf(node, gone));
      this.edges = this.edges.filter((edge) => !gone.has(edge.source) && !gone.has(edge.target));
    });
    this.tell("select");
  }

  // part is what is selected, with the connections inside of it.
  part() {
    const nodes = this.nodes.filter((node) => this.selected.has(node.id)), ids = new Set(nodes.map((node) => node.id));
    return structuredClone({ nodes, edges: this.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target)) });
  }

  // insert adds copies of nodes and of the connections between them, moved by an offset, under ids that are free. Of
  // what led out of the part, what is here stays. It selects the copies and yields their ids.
  insert({ nodes, edges }, { x, y }) {
    const taken = new Set(this.nodes.map((node) => node.id)), ids = new Map();
    for (const node of nodes) {
      const id = this.freeID(node.id, taken);
      taken.add(id);
      ids.set(node.id, id);
    }
    this.change(() => {
      const here = (id) => ids.get(id) ?? (this.node(id) ? id : undefined);
      for (const node of nodes) this.nodes.push(copied(node, ids.get(node.id), here, { x, y }));
      const known = new Set(this.edges.map((edge) => edge.id));
      for (const edge of edges.filter((e) => ids.has(e.source) && ids.has(e.target))) {
        const id = this.freeID(edge.id, known);
        known.add(id);
        this.edges.push({ ...edge, id, source: ids.get(edge.source), target: ids.get(edge.target) });
      }
    });
    this.select([...ids.values()]);
    return [...ids.values()];
  }

  // rename gives a node another id, everywhere.
  rename(from, to) {
    this.change(() => {
      for (const node of this.nodes) {
        if (node.id === from) node.id = to;
        if (node.parentId === from) node.parentId = to;
        for (const mapping of Object.values(node.data.fieldMappings ?? {})) if (mapping?.nodeId === from) mapping.nodeId = to;
      }
      for (const edge of this.edges) {
        if (edge.source === from) edge.source = to;
        if (edge.target === from) edge.target = to;
      }
      this.selected = new Set([...this.selected].map((id) => (id === from ? to : id)));
    });
  }

  move(positions, by = "canvas") {
    this.change(() => {
      for (const [id, position] of positions) {
        const node = this.node(id);
        if (node) node.position = round(position);
      }
    }, { by });
  }

  // set changes a field of a node; undefined removes it. A dot leads into an object.
  set(id, field, value, by) {
    this.change(() => setPath(this.node(id).data, field.split("."), value), { merge: `${id} ${field}`, by });
  }

  replace({ nodes, edges }, by) {
    this.change(() => { this.nodes = nodes; this.edges = edges; }, { merge: by, by });
    this.tell("select", by);
  }

  // ---- connections

  // feeds are all flows of values: drawn edges, and field mappings.
  feeds() {
    const out = this.edges.map((edge) => ({
      id: edge.id, source: edge.source, target: edge.target, edge,
      output: edge.sourceHandle ?? "", field: this.fieldOf(edge),
    }));
    for (const node of this.nodes) {
      for (const [field, mapping] of Object.entries(node.data.fieldMappings ?? {})) {
        if (mapping?.nodeId) out.push({ id: `${node.id}.${field}`, source: mapping.nodeId, target: node.id, output: mapping.output ?? "", field });
      }
    }
    return out;
  }

  fieldOf(edge) {
    const target = this.node(edge.target);
    return target?.type === "group" ? "" : edge.targetHandle || this.kinds.mainInput(target?.type);
  }

  // inputs are the fields of a node that are shown as places to connect to.
  inputs(node, feeds = this.feeds()) {
    if (node.type === "group") return [""];
    const names = new Set(), main = this.kinds.mainInput(node.type);
    if (main) names.add(main);
    for (const field of this.kinds.fields(node.type)) {
      if (field.name !== main && (field.needed || ["image", "video", "audio"].includes(field["x-control"] ?? field.items?.["x-control"]))) names.add(field.name);
    }
    for (const name of placeholders(node)) names.add("values." + name);
    for (const feed of feeds) if (feed.target === node.id) names.add(feed.field);
    if (!main && !this.kinds.get(node.type)) names.add("");
    return [...names];
  }

  // connect feeds a field of the target. What fed it before goes, unless it takes many. It reports whether it could.
  connect(source, target, field, by = "") {
    if (!this.mayFeed(source, target)) return false;
    const to = this.node(target), isList = this.kinds.isList(to.type, field);
    const id = this.freeID("e1", new Set(this.edges.map((edge) => edge.id)));
    const edge = { id, source, target };
    if (field && field !== this.kinds.mainInput(to.type)) edge.targetHandle = field;
    this.change(() => {
      if (!isList && field) this.unfeed(to, field);
      if (!this.edges.some((e) => e.source === source && e.target === target && this.fieldOf(e) === field)) this.edges.push(edge);
    }, { by });
    return true;
  }

  // unfeed removes whatever feeds a field.
  unfeed(node, field) {
    this.edges = this.edges.filter((edge) => edge.target !== node.id || this.fieldOf(edge) !== field);
    if (node.data.fieldMappings?.[field]) setPath(node.data, ["fieldMappings", field], undefined);
  }

  disconnect(id, by = "") {
    this.change(() => {
      this.edges = this.edges.filter((edge) => edge.id !== id);
      for (const node of this.nodes) {
        for (const field of Object.keys(node.data.fieldMappings ?? {})) {
          if (`${node.id}.${field}` === id) setPath(node.data, ["fieldMappings", field], undefined);
        }
      }
    }, { by });
  }

  // mayFeed is false where a node would wait for its own result.
  mayFeed(source, target) {
    if (source === target || !this.node(source) || !this.node(target)) return false;
    const next = new Map();
    const link = (from, to) => next.set(from, [...(next.get(from) ?? []), to]);
    for (const feed of this.feeds()) link(feed.source, feed.target);
    for (const node of this.nodes) if (node.parentId) { link(node.parentId, node.id); }
    const seen = new Set(), open = [target];
    while (open.length) {
      const id = open.pop();
      if (id === source) return false;
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(next.get(id) ?? []));
    }
    return true;
  }

  // suits is false where the main output of a node cannot be what a field takes: a text is no picture. A text that is
  // an address may be one of a file.
  suits(source, target, field) {
    const from = this.node(source), to = this.node(target), wanted = this.kinds.takes(to?.type, field);
    const wrong = { image: ["text", "audio"], video: ["text", "audio"], audio: ["text", "image"] }[wanted] ?? [];
    const yields = this.kinds.get(from?.type)?.outputType;
    return !wrong.includes(yields) || (yields === "text" && /^http|\{\{/.test(from.data.text ?? ""));
  }

  // inOrder are the nodes so that each stands behind what feeds it.
  inOrder() {
    const feeds = this.feeds(), placed = new Set(), out = [];
    const place = (node, way) => {
      if (!node || placed.has(node.id) || way.has(node.id)) return;
      way.add(node.id);
      for (const feed of feeds) if (feed.target === node.id) place(this.node(feed.source), way);
      way.delete(node.id);
      if (placed.has(node.id)) return;
      placed.add(node.id);
      out.push(node);
    };
    for (const node of this.nodes) place(node, new Set());
    return out;
  }
}

function round({ x, y }) { return { x: Math.round(x), y: Math.round(y) }; }

// copied is a node under its new id. It keeps its group and its mappings where here knows what they name.
function copied(node, id, here, { x, y }) {
  const copy = structuredClone(node);
  copy.id = id;
  copy.position = round({ x: (node.position?.x ?? 0) + x, y: (node.position?.y ?? 0) + y });
  if (copy.parentId) {
    copy.parentId = here(copy.parentId);
    if (!copy.parentId) delete copy.parentId;
  }
  for (const [field, mapping] of Object.entries(copy.data.fieldMappings ?? {})) {
    const source = here(mapping?.nodeId);
    if (source) mapping.nodeId = source;
    else setPath(copy.data, ["fieldMappings", field], undefined);
  }
  return copy;
}

function withoutFeedsOf(node, gone) {
  if (gone.has(node.parentId)) delete node.parentId;
  for (const [field, mapping] of Object.entries(node.data.fieldMappings ?? {})) {
    if (gone.has(mapping?.nodeId)) setPath(node.data, ["fieldMappings", field], undefined);
  }
  return node;
}

// placeholders are the names in the template of a node.
export function placeholders(node) {
  if (node.type !== "template-text" || typeof node.data.template !== "string") return [];
  return [...new Set([...node.data.template.matchAll(/\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_.-]*)\s*\}\}/gu)].map((match) => match[1]))].slice(0, 40);
}

// setPath sets a value deep inside an object, and removes objects that became empty.
export function setPath(object, path, value) {
  const [head, ...rest] = path;
  if (rest.length) {
    const inner = object[head] && typeof object[head] === "object" ? object[head] : {};
    setPath(inner, rest, value);
    value = Object.keys(inner).length ? inner : undefined;
  }
  if (value === undefined) delete object[head];
  else object[head] = value;
}

export function getPath(object, path) {
  return path.reduce((at, key) => (at && typeof at === "object" ? at[key] : undefined), object);
}
