// Nodes on the clipboard are text, so that they can be pasted into another tab, or into a letter and back.

import { shaped } from "./json.js";

const format = "atelier.nodes/1";

// written is a part of a graph as text.
export function written({ nodes, edges }) {
  return JSON.stringify({ format, nodes, edges }, null, 2);
}

// read is the part of a graph that a text holds: copied nodes, a graph, or an exported template; null when it holds none.
// Which key a node sends with comes along only with what this tab copied: a text may be from anybody.
export function read(text, own) {
  if (!text || !text.trimStart().startsWith("{")) return null;
  try {
    const part = shaped(JSON.parse(text));
    if (!own) for (const node of part.nodes) if (node.data) delete node.data.credentialId;
    return part.nodes.length ? part : null;
  } catch {
    return null;
  }
}

// Clipboard copies and pastes by the keys of the browser, which need no leave, and by buttons, which may.
export class Clipboard {
  constructor({ part, paste, remove, applies, failed }) {
    this.part = part;
    this.paste = paste;
    this.remove = remove;
    this.applies = applies;
    this.failed = failed;
    this.kept = ""; // where the browser gives no clipboard to a button
    document.addEventListener("copy", (e) => this.take(e));
    document.addEventListener("cut", (e) => { if (this.take(e)) this.remove(); });
    document.addEventListener("paste", (e) => {
      const text = e.clipboardData?.getData("text/plain"), found = this.applies() && read(text, text === this.kept);
      if (!found) return;
      e.preventDefault();
      this.paste(found);
    });
  }

  take(e) {
    if (!this.applies() || String(getSelection())) return false;
    const part = this.part();
    if (!part.nodes.length || !e.clipboardData) return false;
    e.preventDefault();
    e.clipboardData.setData("text/plain", this.kept = written(part));
    return true;
  }

  async copyByButton() {
    const part = this.part();
    if (!part.nodes.length) return;
    this.kept = written(part);
    try { await navigator.clipboard.writeText(this.kept); } catch { /* it stays in this tab */ }
  }

  async pasteByButton() {
    let text = this.kept;
    try { text = await navigator.clipboard.readText(); } catch { /* what this tab copied */ }
    const found = read(text, text === this.kept) ?? read(this.kept, true);
    if (found) this.paste(found);
    else this.failed();
  }
}
