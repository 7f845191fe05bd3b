// The panels beside the canvas open and close, so that the canvas can have the window. A wide window begins with both,
// and remembers what was closed; in a narrow one they lie over the canvas, one at a time, until Escape.

import { $ } from "./dom.js";

const remembered = "atelier.editor.panels", names = ["catalogue", "side"];

export class Panels {
  constructor(root) {
    this.root = root;
    this.wide = matchMedia("(min-width: 1181px)");
    this.open = new Set();
    this.start();
    this.wide.addEventListener("change", () => this.start());
    $(".side")?.addEventListener("focusout", (e) => { if (this.open.has("menu") && e.relatedTarget && !e.currentTarget.contains(e.relatedTarget)) this.toggle("menu", false); });
    document.addEventListener("pointerdown", (e) => {
      if (this.open.has("menu") && !e.target.closest(".side, [data-do=menu], dialog")) this.toggle("menu", false);
    });
  }

  start() {
    const closed = this.wide.matches ? recall() : names;
    this.open = new Set(names.filter((name) => !closed.includes(name)));
    this.draw();
  }

  show(name) { if (!this.open.has(name)) this.toggle(name, true); }

  toggle(name, on = !this.open.has(name)) {
    if (on) this.open.add(name);
    else this.open.delete(name);
    if (on && !this.wide.matches) for (const other of names) if (other !== name) this.open.delete(other);
    if (this.wide.matches && name !== "menu") keep(names.filter((one) => !this.open.has(one)));
    this.draw();
    if (name === "menu") (on ? $(".side a[href], .side summary") : $("[data-do=menu]"))?.focus();
  }

  // added shows the form of a node that was just added, where the catalogue would hide it.
  added() { if (!this.wide.matches) this.show("side"); }

  // escape closes what lies over the canvas, and tells whether anything did.
  escape() {
    if (this.open.has("menu")) { this.toggle("menu", false); return true; }
    if (this.wide.matches || !this.open.size) return false;
    this.open.clear();
    this.draw();
    return true;
  }

  draw() {
    for (const name of names) this.root.classList.toggle(`no-${name}`, !this.open.has(name));
    document.body.classList.toggle("menu-open", this.open.has("menu"));
    for (const name of [...names, "menu"]) for (const button of document.querySelectorAll(`[data-do="${name}"]`)) button.setAttribute("aria-expanded", String(this.open.has(name)));
  }
}

function recall() { try { return JSON.parse(localStorage.getItem(remembered)) ?? []; } catch { return []; } }
function keep(closed) { try { localStorage.setItem(remembered, JSON.stringify(closed)); } catch { /* private window */ } }
