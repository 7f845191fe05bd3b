// A run inside the editor: its form, where its nodes stand, and what they made. The parts come from the server; they
// are kept current by events, and by asking again where events do not arrive.

import { $, all, say } from "./dom.js";
import { Refusal, part, post, submit } from "./server.js";

const tones = { completed: "ok", failed: "bad", running: "info", waiting: "warn", pending: "", skipped: "skip", cancelled: "skip" };

export class Runner {
  constructor(panel, { base, states, results, changed }) {
    this.panel = panel;
    this.base = base;
    this.states = states;
    this.results = results;
    this.changed = changed;
    this.body = $("[data-run-body]", panel);
    this.body.addEventListener("submit", (e) => this.act(e));
  }

  // follow shows a run until it has ended.
  follow(run) {
    this.stop();
    this.run = run;
    const url = `${this.base}/runs/${run}`;
    const source = this.source = new EventSource(url + "/live");
    source.onmessage = (e) => { this.heard = true; this.show(e.data); };
    source.addEventListener("done", () => this.stop());
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED || !this.heard) { source.close(); this.poll(url + "/state"); }
    };
  }

  async poll(url) {
    try {
      this.show(await part(url));
    } catch (err) {
      if (!(err instanceof Refusal) || (err.status && err.status < 500)) return;
    }
    if (!this.over) this.timer = setTimeout(() => this.poll(url), 2000);
  }

  stop() {
    this.source?.close();
    clearTimeout(this.timer);
    this.source = null;
    this.heard = this.over = false;
  }

  show(html) {
    const open = new Set(all("details[open]", this.body).map((details) => details.dataset.key));
    const at = this.panel.scrollTop, focused = this.body.contains(document.activeElement) ? document.activeElement.id : "";
    this.body.innerHTML = html;
    for (const details of all("details", this.body)) if (open.has(details.dataset.key)) details.open = true;
    if (focused) document.getElementById(focused)?.focus();
    this.panel.scrollTop = at;
    const state = $("[data-run-state]", this.body);
    this.over = state?.dataset.over === "true";
    this.states.clear();
    for (const el of all("[data-run-node]", this.body)) {
      this.states.set(el.dataset.runNode, { word: el.dataset.word, tone: tones[el.dataset.state] ?? "", detail: el.dataset.detail });
      this.keep(el.dataset);
    }
    if (state && state.dataset.runState !== this.told) {
      this.told = state.dataset.runState;
      say(state.dataset.words);
    }
    this.changed();
  }

  // keep remembers what a node made, to show it in the drawing; it stays there until the node runs once more.
  keep({ runNode, resultKind: kind, resultAddress: address = "", resultText: text = "" }) {
    if (kind) this.results.set(runNode, { kind, address, text, key: kind + address + text });
    else this.results.delete(runNode);
  }

  // forget clears the states from the drawing, once the graph is another one.
  forget() {
    if (!this.states.size) return;
    this.states.clear();
    this.changed();
  }

  reveal(id) {
    const el = all("[data-run-node]", this.body).find((section) => section.dataset.runNode === id);
    el?.scrollIntoView({ block: "nearest" });
    return el;
  }

  // act sends a form of the run (cancel, approve, reject) and stays here.
  async act(e) {
    e.preventDefault();
    const button = e.submitter;
    if (button) button.disabled = true;
    try {
      await submit(e.target);
      if (!this.source && this.run) this.follow(this.run);
    } catch (err) {
      say(err.message);
      if (button) button.disabled = false;
    }
  }
}

// askInputs shows the form of a run in its dialog, and starts the run.
export async function askInputs(dialog, { base, started }) {
  const body = $("[data-run-form]", dialog);
  body.innerHTML = await part(`${base}/run`);
  const form = $("form", body), error = $("[data-run-error]", dialog);
  error.hidden = true;
  form?.addEventListener("submit", async (e) => {
    e.preventDefault();
    const button = $("button:not([type=button])", form);
    button.disabled = true;
    try {
      const { run } = await post(`${base}/run`, new FormData(form));
      dialog.close();
      started(run);
    } catch (err) {
      error.textContent = err.message;
      error.hidden = false;
      error.focus();
    }
    button.disabled = false;
  });
  for (const close of all("[data-dialog-close]", body)) close.addEventListener("click", () => dialog.close());
  if (!dialog.open) dialog.showModal();
}
