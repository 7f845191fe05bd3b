// What was changed and not saved yet is kept in this browser, for one account and workflow, and offered when the editor
// opens again. The service knows nothing of it.

import { $, later, say } from "./dom.js";

const prefix = "atelier.draft.";
const mostDrafts = 10, mostLength = 1_000_000, mostAge = 30 * 24 * 3600 * 1000;

export class Draft {
  // version is that of the graph which is changed; restored is told on which one a draft was made.
  constructor(data, graph, { readOnly, restored }) {
    this.key = `${prefix}${data.account}.${data.id}`;
    this.graph = graph;
    this.version = data.version;
    this.restored = restored;
    this.off = readOnly;
    tidy(this.key);
    this.waiting = readOnly ? null : read(this.key); // until the person has said what becomes of it
    const keep = later(800, () => this.keep());
    graph.addEventListener("change", keep);
    addEventListener("pagehide", () => this.keep());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.keep(); });
  }

  // keep writes what is not saved, and forgets what is. A draft that waits for its answer stays as it is.
  keep() {
    if (this.off || this.waiting || "signedOut" in document.documentElement.dataset) return;
    if (!this.graph.dirty) return forget(this.key);
    const { nodes, edges } = this.graph;
    write(this.key, { version: this.version, at: Date.now(), nodes, edges });
  }

  // saved tells that the graph is now that of a version of the service.
  saved(version) {
    this.version = version;
    this.keep();
  }

  // offer asks what becomes of a draft that differs from what was saved.
  offer(place) {
    const draft = this.waiting;
    if (!draft) return;
    const same = JSON.stringify({ nodes: draft.nodes, edges: draft.edges }, null, 2) === this.graph.saved;
    if (same) { this.answered(place); return; }
    const time = $("[data-draft-time]", place);
    time.dateTime = new Date(draft.at).toISOString();
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(draft.at);
    $("[data-draft-newer]", place).hidden = draft.version === this.version;
    $("[data-draft-restore]", place).onclick = () => {
      this.version = draft.version; // a newer one of the service refuses it at the next save, and shows both
      this.restored(draft.version);
      this.graph.replace({ nodes: draft.nodes, edges: draft.edges }, "draft");
      this.answered(place);
    };
    $("[data-draft-discard]", place).onclick = () => this.answered(place);
    place.hidden = false;
    say($("[data-draft-words]", place).textContent);
  }

  answered(place) {
    const asked = place.contains(document.activeElement);
    this.waiting = null;
    place.hidden = true;
    this.keep();
    if (asked) $("#main h1")?.focus();
  }
}

function read(key) {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? "null");
    const whole = draft && Array.isArray(draft.nodes) && Array.isArray(draft.edges) && Number.isInteger(draft.version) && Number.isFinite(draft.at);
    if (draft && !whole) forget(key);
    return whole ? draft : null;
  } catch {
    forget(key);
    return null;
  }
}

// write keeps a draft; where the browser keeps nothing, or not as much, leaving still asks first.
function write(key, draft) {
  try {
    const text = JSON.stringify(draft);
    if (text.length <= mostLength) localStorage.setItem(key, text);
  } catch { /* see above */ }
}

function forget(key) {
  try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
}

// tidy forgets drafts that are old, and the oldest where there are many; not the one of the key.
function tidy(own) {
  try {
    const others = Object.keys(localStorage).filter((key) => key.startsWith(prefix) && key !== own)
      .map((key) => ({ key, at: read(key)?.at ?? 0 })).sort((a, b) => b.at - a.at);
    others.forEach(({ key, at }, i) => { if (i >= mostDrafts - 1 || Date.now() - at > mostAge) forget(key); });
  } catch { /* nothing is kept */ }
}
