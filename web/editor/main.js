// The workflow editor. The page (web/flow/editor.templ) brings the frame, the graph and the catalogue; everything that is
// saved, checked and run goes through the console.

import { $, all, h, icon, later, say } from "./dom.js";
import { Kinds, showCatalogue } from "./catalogue.js";
import { choices } from "./fields.js";
import { Graph } from "./graph.js";
import { Canvas, toGraph } from "./canvas.js";
import { Clipboard } from "./clipboard.js";
import { Draft } from "./draft.js";
import { Inspector } from "./inspector.js";
import { arrange } from "./layout.js";
import { drawList } from "./list.js";
import { startJSON } from "./json.js";
import { Panels } from "./panels.js";
import { Runner, askInputs } from "./run.js";
import { ask, post, upload } from "./server.js";
import { count, digits, learn, word } from "./words.js";

const root = $("#editor");
if (root) {
  learn(JSON.parse(root.dataset.words));
  start(root, JSON.parse(root.dataset.editor));
}

function start(root, data) {
  const kinds = new Kinds(data.kinds), graph = new Graph(data, kinds), states = new Map(), problems = new Map(), results = new Map();
  const readOnly = !data.canEdit;
  let version = data.version, saving = null;
  const draft = new Draft(data, graph, { readOnly, restored: (from) => { version = from; } });
  choices.workflow = data.workflows ?? [];
  choices.credential = data.credentials ?? [];
  root.hidden = false;
  document.body.classList.add("editing");

  const canvas = new Canvas($("[data-canvas]", root), graph, { readOnly, states, problems, results });
  const inspector = new Inspector($("#ed-panel-node"), graph, {
    readOnly, problems, tryNode: data.canRun && tryNode, duplicate: () => duplicate(), space: data.base.match(/^\/workspaces\/([^/]+)\//)?.[1] ?? "",
    upload: data.uploads && ((file) => { const form = new FormData(); form.append("file", file); return upload(`${data.base}/upload`, form); }),
  });
  startJSON($("#ed-panel-json"), graph, readOnly);
  ask(`${data.base}/choices`).then((found) => { Object.assign(choices, found); inspector.draw(); }, () => {});
  const runner = new Runner($("#ed-panel-run"), { base: data.base, states, results, changed: () => draw() });

  // ---- drawing

  const list = $("[data-list]", root);
  const buttons = new Map(all("[data-do]").map((button) => [button.dataset.do, button]));
  for (const button of buttons.values()) button.hidden = false; // without script they would do nothing
  const runKeys = buttons.get("run")?.title ?? "";

  function draw() {
    canvas.draw();
    drawList(list, graph, { states, problems, inspect });
    $("[data-empty]", root).hidden = graph.nodes.length > 0;
    enable("undo", graph.past.length > 0);
    enable("redo", graph.future.length > 0);
    enable("copy", graph.selected.size > 0);
    enable("duplicate", graph.selected.size > 0 && !readOnly);
    enable("delete", (graph.selected.size > 0 || Boolean(graph.edge)) && !readOnly);
    enable("arrange", graph.nodes.length > 0 && !readOnly);
    enable("run", graph.nodes.length > 0);
    buttons.get("run")?.setAttribute("title", graph.nodes.length > 0 ? runKeys : word("addFirst"));
    showSaved();
  }

  function enable(what, on) {
    const button = buttons.get(what);
    if (button) button.setAttribute("aria-disabled", String(!on));
  }

  function showSaved() {
    const place = $("[data-saved]");
    if (saving) return;
    place.textContent = readOnly ? word("readOnly") : graph.dirty ? word("unsaved") : word("saved", digits(version));
    place.classList.toggle("dirty", graph.dirty);
  }

  graph.addEventListener("select", () => {
    draw();
    if (!graph.only || $("#ed-panel-run").hidden) return;
    if (states.get(graph.only.id)?.tone === "bad" || !runner.reveal(graph.only.id)) tab("node");
  });
  graph.addEventListener("change", (e) => {
    if (e.detail !== "canvas" && e.detail !== "keys" && e.detail !== "arrange") runner.forget();
    draw();
    check();
  });

  // ---- checking, as saving does

  let asked = 0;
  const check = later(500, async () => {
    const mine = ++asked;
    try {
      const found = await post(`${data.base}/check`, { graph: graph.text() });
      if (mine === asked) showProblems(found);
    } catch (err) {
      if (mine === asked) status(err.message, "bad");
    }
  });

  function showProblems({ problems: refused, warnings = [], cost }) {
    const list = [...refused, ...warnings];
    problems.clear();
    for (const problem of list) if (problem.nodeId) problems.set(problem.nodeId, [...(problems.get(problem.nodeId) ?? []), problem]);
    const place = $("[data-problems]", root);
    place.replaceChildren(...list.map((problem) => h("li", {}, problem.nodeId
      ? h("button.ed-link", { type: "button", onclick: () => { graph.select([problem.nodeId]); inspect(); } }, problem.message) : problem.message)));
    place.hidden = list.length === 0;
    const said = refused.length ? count("problems", refused.length) : warnings.length ? count("warnings", warnings.length) : word("valid", cost);
    status(graph.nodes.length ? said : "", refused.length ? "bad" : warnings.length ? "warn" : "ok");
    inspector.mark();
    draw();
  }

  function status(words, tone) {
    const el = $("[data-check]", root);
    if (el.textContent !== words) el.textContent = words;
    el.dataset.tone = tone;
  }

  // ---- saving

  async function save() {
    if (readOnly) return false;
    if (!graph.dirty) { say(word("nothingToSave")); return true; }
    if (saving) return saving;
    const text = graph.text();
    $("[data-saved]").textContent = word("saving");
    saving = post(`${data.base}/save`, { graph: text, version }).then((saved) => {
      version = saved.version;
      graph.saved = text;
      draft.saved(version);
      say(word("savedAs", digits(version)));
      return true;
    }, (err) => {
      if (err.code === "stale_version") showStale(err.body.stale);
      else status(err.message, "bad"), say(err.message);
      return false;
    }).finally(() => { saving = null; showSaved(); });
    return saving;
  }

  // showStale shows what somebody else saved meanwhile beside what is here.
  function showStale(stale) {
    const dialog = $("#ed-stale");
    $("[data-stale-version]", dialog).textContent = digits(stale.version);
    $("[data-stale-changes]", dialog).replaceChildren(...stale.changes.map((change) => h("tr", {},
      h("th", { scope: "row" }, change.name), h("td", {}, h("pre", {}, change.before || "—")), h("td", {}, h("pre", {}, change.after || "—")))));
    $("[data-stale-mine]", dialog).onclick = () => { version = draft.version = stale.version; graph.saved = ""; dialog.close(); save(); };
    $("[data-stale-theirs]", dialog).onclick = () => {
      version = stale.version;
      graph.replace({ nodes: stale.nodes, edges: stale.edges }, "stale");
      graph.saved = graph.text();
      draft.saved(version);
      dialog.close();
      draw();
    };
    dialog.showModal();
  }

  addEventListener("beforeunload", (e) => { if (graph.dirty && !readOnly) e.preventDefault(); });

  // ---- running

  async function run() {
    if (!data.canRun) return;
    if (graph.nodes.length === 0) { say(word("addFirst")); return; }
    if (!(await save())) return;
    try {
      await askInputs($("#ed-run"), { base: data.base, started: (id) => { tab("run"); panels.show("side"); runner.follow(id); say(word("started")); } });
    } catch (err) {
      status(err.message, "bad");
    }
  }

  async function tryNode(node) {
    tab("run");
    panels.show("side");
    try {
      const { run: id } = await post(`${data.base}/try`, { type: node.type, settings: JSON.stringify(node.data) });
      runner.follow(id);
      say(word("alone", graph.name(node)));
    } catch (err) {
      $("[data-run-body]").replaceChildren(h("p.note.bad", { role: "alert" }, err.message));
    }
  }

  // ---- adding

  // add puts a node beside the selected one, on a free spot. Who does it by keyboard goes on in its form.
  function add(type, byKeyboard) {
    if (readOnly) return;
    const id = graph.add(type, toGraph(canvas.spot(type, { beside: graph.only?.id })));
    show(id);
    tab("node");
    say(word("addedHere", kinds.label(type)));
    if (byKeyboard) inspect();
    else panels.added();
  }

  // show brings a node into the view: with the whole graph where that can be read.
  function show(id) {
    if (canvas.sees(id)) return;
    if (canvas.fits()) canvas.fit();
    else canvas.reveal(id);
  }

  showCatalogue($("[data-catalogue]", root), kinds, add);

  // ---- the panels beside the canvas

  const panels = new Panels(root);
  const tabs = all("[role=tab]", root);

  function tab(name) {
    for (const t of tabs) {
      const on = t.dataset.tab === name;
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on ? 0 : -1;
      document.getElementById(t.getAttribute("aria-controls")).hidden = !on;
    }
  }

  for (const t of tabs) {
    t.addEventListener("click", () => { tab(t.dataset.tab); panels.show("side"); });
    t.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!step) return;
      const next = tabs[(tabs.indexOf(t) + step + tabs.length) % tabs.length];
      tab(next.dataset.tab);
      next.focus();
    });
  }

  function inspect() {
    tab("node");
    panels.show("side");
    inspector.focus();
  }

  canvas.root.addEventListener("inspect", inspect);

  // ---- canvas or list; phones begin with the list

  function view(name) {
    for (const button of all("[data-view]", root)) button.setAttribute("aria-pressed", String(button.dataset.view === name));
    $("[data-canvas-box]", root).hidden = name !== "canvas";
    $("[data-list-box]", root).hidden = name !== "list";
    root.classList.toggle("as-list", name === "list");
    if (name === "canvas") { canvas.draw(); if (canvas.waiting) canvas.fit(); }
  }

  for (const button of all("[data-view]", root)) button.addEventListener("click", () => view(button.dataset.view));

  // ---- the tools, and their keys

  const tools = {
    undo: () => graph.undo(), redo: () => graph.redo(), duplicate, delete: () => { graph.remove(); say(word("deleted")); },
    copy: () => clipboard.copyByButton().then(() => said("copied")), paste: () => clipboard.pasteByButton(),
    arrange: () => { arrange(graph, results); canvas.fit(); }, fit: () => canvas.fit(), in: () => canvas.zoom(1.25), out: () => canvas.zoom(0.8), save, run,
    add: search, catalogue: () => panels.toggle("catalogue"), side: () => panels.toggle("side"), keys: () => $("#help")?.showModal(), menu: () => panels.toggle("menu"),
  };

  function search() {
    panels.show("catalogue");
    $("[data-catalogue] input", root).focus();
  }

  // ---- copies of nodes, here and through the clipboard

  const said = (what) => say(count(what, graph.selected.size));

  function duplicate() {
    const part = graph.part();
    if (part.nodes.length) place(part, "duplicated");
  }

  // place puts a part of a graph on a free spot, near where it stood, and selects it.
  function place(part, what) {
    const ids = graph.insert(part, canvas.freeFor(part));
    show(ids[0]);
    tab("node");
    said(what);
  }

  const clipboard = new Clipboard({
    part: () => graph.part(),
    paste: (part) => { if (!readOnly) place(part, "pasted"); },
    remove: () => { if (!readOnly) removeSelected(); },
    applies: () => !$("dialog[open]") && !typing(document.activeElement),
    failed: () => status(word("noClipboard"), "bad"),
  });

  for (const [what, button] of buttons) {
    button.addEventListener("click", () => { if (button.getAttribute("aria-disabled") !== "true") tools[what](); });
  }

  const typing = (el) => el instanceof Element && (el.matches("input:not([type=checkbox],[type=range],[type=color]), textarea, select") || el.isContentEditable);

  document.addEventListener("keydown", (e) => {
    if ($("dialog[open]")) return;
    const control = e.ctrlKey || e.metaKey, key = e.key.toLowerCase();
    if (control && key === "s") { e.preventDefault(); save(); return; }
    if (control && e.key === "Enter") { e.preventDefault(); run(); return; }
    if (typing(e.target)) return;
    if (e.key === "/" && !control && !readOnly && lettersOn()) { e.preventDefault(); search(); return; }
    if (e.key === "Escape" && panels.escape()) return;
    const onCanvas = $("[data-canvas-box]", root).contains(e.target) || list.contains(e.target), anywhere = onCanvas || e.target === document.body;
    if (control && key === "a" && anywhere) { e.preventDefault(); graph.select(graph.nodes.map((node) => node.id)); return; }
    if (!control && !e.altKey && (key === "+" || key === "-" || key === "0") && onCanvas) { e.preventDefault(); tools[{ "+": "in", "-": "out", 0: "fit" }[key]](); return; }
    if (readOnly) return;
    const what = control && key === "z" ? (e.shiftKey ? "redo" : "undo") : control && key === "y" ? "redo" : control && key === "d" ? "duplicate" : "";
    if (what) { e.preventDefault(); tools[what](); return; }
    if ((e.key === "Delete" || e.key === "Backspace") && anywhere) { e.preventDefault(); removeSelected(); }
    if (e.key === "Escape" && anywhere) graph.select([]);
  });

  // lettersOn tells whether keys without Control do something here; the sheet of keys switches them off.
  function lettersOn() { try { return localStorage.getItem("atelier.shortcuts") !== "off"; } catch { return true; } }

  // removeSelected leaves the focus on what is near, so that the keyboard is not lost.
  function removeSelected() {
    const order = graph.inOrder().map((node) => node.id), at = order.findIndex((id) => graph.selected.has(id));
    const inList = list.contains(document.activeElement);
    graph.remove();
    say(word("deleted"));
    const next = graph.inOrder()[Math.max(0, at - 1)];
    if (!next) return canvas.root.focus();
    if (inList) $(`[data-node="${CSS.escape(next.id)}"]`, list)?.focus();
    else canvas.focus(next.id);
  }

  // Escape in a form leads back to its node.
  $("#ed-panel-node").addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !graph.only) return;
    const inList = !$("[data-list-box]", root).hidden;
    if (inList) $(`[data-node="${CSS.escape(graph.only.id)}"]`, list)?.focus();
    else canvas.focus(graph.only.id);
  });

  // The keys of the editor stand in the sheet of all keys.
  $("#help dl")?.before(...$("#ed-keys").content.children);

  draw();
  view(matchMedia("(max-width: 640px)").matches ? "list" : "canvas");
  if (graph.nodes.length && graph.nodes.every((node) => !node.position)) { arrange(graph, results); graph.past = []; graph.saved = graph.text(); draw(); }
  canvas.fit();
  check();
  draft.offer($("[data-draft]"));
  if (data.lastRun) runner.follow(data.lastRun);
  root.dataset.ready = "true";
}
