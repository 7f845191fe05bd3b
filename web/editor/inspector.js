// The form of the selected node: its name, its fields by their schema, and what feeds each of them.

import { $, h, icon, say } from "./dom.js";
import { control } from "./fields.js";
import { getPath } from "./graph.js";
import { spaced } from "./catalogue.js";
import { count, parts, word } from "./words.js";

const by = "inspector";

export class Inspector {
  constructor(panel, graph, { readOnly, problems, upload, tryNode, duplicate, space }) {
    this.panel = panel;
    this.graph = graph;
    this.readOnly = readOnly;
    this.problems = problems;
    this.upload = upload;
    this.tryNode = tryNode;
    this.duplicate = duplicate;
    this.space = space;
    graph.addEventListener("select", () => this.draw());
    graph.addEventListener("change", (e) => { if (e.detail === by ? this.places() !== this.drawn : e.detail !== "canvas" && e.detail !== "keys") this.draw(); });
    this.draw();
  }

  // places are the inputs of the node: typing a placeholder makes a new one.
  places() { return this.graph.only ? this.graph.inputs(this.graph.only).join("\n") : ""; }

  draw() {
    const { graph, panel } = this, node = graph.only;
    const active = panel.contains(document.activeElement) ? document.activeElement : null;
    const focused = active?.id ?? "", caret = active?.matches("textarea, [type=text]") ? [active.selectionStart, active.selectionEnd] : null;
    this.shown = node?.id;
    this.drawn = this.places();
    if (node) panel.replaceChildren(...this.form(node));
    else panel.replaceChildren(...this.nothing());
    this.mark();
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
    if (again && caret) again.setSelectionRange(...caret);
  }

  nothing() {
    const { graph } = this, edge = graph.edge && graph.feeds().find((feed) => feed.id === graph.edge);
    if (edge) {
      return [
        h("h2", {}, word("connection")),
        h("p", {}, this.edgeSentence(edge)),
        !this.readOnly && h("button.btn.danger", { type: "button", onclick: () => { graph.disconnect(edge.id); say(word("disconnected")); } }, word("disconnect")),
      ];
    }
    if (graph.selected.size > 1) {
      return [
        h("h2", {}, count("nodes", graph.selected.size)),
        !this.readOnly && h("div.form-foot", {}, this.button(word("duplicate"), () => this.duplicate()), this.button(word("delete"), () => graph.remove(), "danger")),
      ];
    }
    return [
      h("h2", {}, word("nothingSelected")),
      h("p.muted", {}, graph.nodes.length ? word("select") : word("addFirst")),
      h("p.small.muted", {}, word("keys")),
    ];
  }

  edgeSentence({ source, target, field }) {
    const { graph } = this, names = [graph.call(graph.node(source)), graph.call(graph.node(target))];
    return field ? word("feedsField", ...names, graph.kinds.title(graph.node(target).type, field)) : word("feedsWhole", ...names);
  }

  button(text, onclick, kind = "") { return h("button.btn.small-btn" + (kind ? "." + kind : ""), { type: "button", onclick }, text); }

  form(node) {
    const { graph, readOnly } = this, kind = graph.kinds.get(node.type), feeds = graph.feeds().filter((feed) => feed.target === node.id);
    return [
      h("h2", { tabindex: "-1" }, graph.name(node)),
      h("p.small.muted", {}, kind ? kind.description : word("unknownKind", node.type)),
      h("p.error", { "data-error-of": "", hidden: true }),
      ...this.fieldsOf(node, feeds),
      this.more(node, feeds),
      !readOnly && h("div.form-foot", {},
        this.button(word("duplicate"), () => this.duplicate()),
        this.tryNode && kind && !["flow", "trigger"].includes(kind.category) && this.button(word("try"), () => this.tryNode(node)),
        kind && Object.keys(node.data).length > 0 && this.button(word("savePreset"), () => this.savePreset(node)),
        this.button(word("delete"), () => { graph.remove(); say(word("deleted")); }, "danger")),
    ];
  }

  fieldsOf(node, feeds) {
    const rows = this.graph.kinds.fields(node.type).map((field) => this.row(node, field, feeds));
    const shown = new Set(this.graph.kinds.fields(node.type).map((field) => field.name));
    for (const feed of feeds) {
      const [head] = feed.field.split(".");
      if (feed.field && (feed.field !== head || !shown.has(head)) && !shown.has(feed.field)) rows.push(this.fedRow(node, feed));
    }
    for (const name of this.graph.inputs(node).filter((name) => name.startsWith("values."))) {
      if (!feeds.some((feed) => feed.field === name)) rows.push(this.openRow(node, name));
    }
    if (node.type === "group") rows.push(this.openRow(node, "", feeds));
    return rows;
  }

  // row is a field: its control, or what feeds it.
  row(node, field, feeds) {
    const id = `ed-f-${field.name}`, own = feeds.filter((feed) => feed.field === field.name);
    const isList = field.type === "array", fed = own.length > 0 && !isList;
    const error = h("p.error", { id: id + "-error", "data-error-of": field.name, hidden: true });
    const el = fed ? null : control({
      id, field, node, feeds, locked: this.readOnly, value: getPath(node.data, [field.name]), upload: this.upload, describedby: `${id}-hint ${id}-error`,
      set: (value, inner) => this.graph.set(node.id, inner === undefined ? field.name : `${field.name}.${inner}`, value, by),
      complain: (words) => { error.textContent = words; error.hidden = !words; }, redraw: () => this.draw(),
    });
    const title = field.title || spaced(field.name), feeder = field.type !== "object" && this.feeder(node, field.name, title, fed);
    const check = el?.type === "checkbox", usual = this.graph.inputs(node).includes(field.name);
    const named = !fed && (el.id === id || el.firstElementChild?.id === id);
    return h("div.field", {},
      h("div.ed-row", {},
        check ? h("label.check", {}, el, h("span", {}, title)) : h(named ? "label" : "p.ed-label", { for: named ? id : null }, title, !field.needed && !fed && h("span.optional", {}, word("optional"))),
        feeder && !usual && !fed && this.opener(feeder, title)),
      !check && el,
      !fed && !this.readOnly && field.name === "prompt" && field.format === "textarea" && this.promptHelp(node, id),
      field.description && !fed && h("p.hint", { id: id + "-hint" }, field.description),
      own.map((feed) => this.fedBy(feed)),
      feeder,
      error);
  }

  // opener shows the choice of what feeds a field that people usually fill in.
  opener(feeder, title) {
    feeder.hidden = true;
    return h("button.ed-link.small.muted", { type: "button", "aria-label": word("connectMoreThis", title), onclick: (e) => { feeder.hidden = false; e.target.remove(); $("select", feeder).focus(); } }, word("connectMore"));
  }

  // promptHelp opens the prompt helper beside the field; the script of the console shows it.
  promptHelp(node, id) {
    const query = new URLSearchParams({ target: node.type });
    if (this.space) query.set("in", this.space);
    return h("p.small", {}, h("a", { href: "/prompt-helper?" + query, "data-prompt-help": id, target: "_blank", rel: "noopener" }, word("promptHelp")));
  }

  // savePreset keeps the settings of the node: the console shows them in a form first.
  savePreset(node) {
    const { label, title, holdForReview, fieldMappings, presetId, ...settings } = node.data;
    const field = (name, value) => h("input", { type: "hidden", name, value });
    const form = h("form", { method: "post", action: (this.space ? "/workspaces/" + this.space : "") + "/presets/new", target: "_blank" }, field("type", node.type), field("settings", JSON.stringify(settings)));
    document.body.append(form);
    form.submit();
    form.remove();
  }

  fedRow(node, feed) {
    const title = this.graph.kinds.title(node.type, feed.field);
    return h("div.field", {}, h("p.ed-label", {}, title), this.fedBy(feed), this.feeder(node, feed.field, title, true));
  }

  openRow(node, field, feeds = []) {
    const title = field ? this.graph.kinds.title(node.type, field) : word("everything");
    return h("div.field", {}, h("p.ed-label", {}, title), feeds.filter((feed) => feed.field === field).map((feed) => this.fedBy(feed)), this.feeder(node, field, title, false));
  }

  fedBy(feed) {
    const source = this.graph.node(feed.source);
    const link = source ? h("button.ed-link", { type: "button", onclick: () => this.graph.select([source.id]) }, this.graph.call(source)) : feed.source;
    const said = feed.output ? parts("fedByOutput", link, spaced(feed.output).toLowerCase()) : parts("fedBy", link);
    return h("p.ed-fed", {}, icon("flow"), h("span", {}, said),
      !this.readOnly && h("button.btn.quiet.small-btn", { type: "button", "aria-label": word("disconnectThis", source ? this.graph.call(source) : feed.source), onclick: () => { this.graph.disconnect(feed.id); say(word("disconnected")); } }, word("disconnect")));
  }

  // feeder connects by the keyboard: it lists what could feed the field.
  feeder(node, field, title, fed) {
    const { graph } = this;
    if (this.readOnly || (field && !graph.kinds.get(node.type))) return null;
    const candidates = graph.inOrder().filter((other) => other.id !== node.id && other.type !== "webhook-output" && graph.mayFeed(other.id, node.id));
    if (!candidates.length) return null;
    const id = `ed-from-${field || "all"}`;
    const choice = h("select.input", { id }, h("option", { value: "" }, fed ? word("keepIt") : word("nothing")), candidates.map((other) => h("option", { value: other.id }, graph.call(other))));
    // A choice alone connects nothing: the arrow keys walk through the choices.
    return h("div.ed-from", {}, h("label.small", { for: id }, fed ? word("changeConnection") : word("connect"), h("span.sr", {}, ` (${title})`)), choice,
      h("button.btn.small-btn", { type: "button", id: id + "-do", "aria-label": word("connectThis", title), onclick: () => this.connect(choice.value, node, field) }, word("connect")));
  }

  connect(source, node, field) {
    if (!source || !this.graph.connect(source, node.id, field)) return;
    say(word("feeds", this.graph.name(this.graph.node(source)), this.graph.name(node)));
  }

  // more are the things that every node has: name, id, group, review, field mappings.
  more(node, feeds) {
    const { graph, readOnly } = this, locked = readOnly;
    const groups = graph.nodes.filter((other) => other.type === "group" && other.id !== node.id && node.type !== "group");
    const error = h("p.error", { "data-error-of": "fieldMappings", hidden: true });
    const mappings = node.data.fieldMappings;
    const open = this.open ?? false;
    return h("details.disclosure", { open, ontoggle: (e) => { this.open = e.target.open; } }, h("summary", {}, word("more")), h("div.ed-stack", {},
      h("div.field", {}, h("label", { for: "ed-label" }, word("name")), h("input.input", { id: "ed-label", type: "text", maxlength: "120", autocomplete: "off", disabled: locked, value: typeof node.data.label === "string" ? node.data.label : "", placeholder: graph.kinds.label(node.type), oninput: (e) => this.setName(node, e.target.value) })),
      h("div.field", {}, h("label", { for: "ed-id" }, word("id")), h("input.input.mono", { id: "ed-id", type: "text", maxlength: "100", autocomplete: "off", spellcheck: "false", disabled: locked, value: node.id, onchange: (e) => this.rename(node, e.target) }), h("p.hint", {}, word("idHint"))),
      groups.length > 0 && h("div.field", {}, h("label", { for: "ed-group" }, word("inGroup")), this.groupSelect(node, groups)),
      h("label.check", {}, h("input", { id: "ed-hold", type: "checkbox", disabled: locked, checked: node.data.holdForReview === true, onchange: (e) => graph.set(node.id, "holdForReview", e.target.checked || undefined, by) }), h("span", {}, word("hold"))),
      h("div.field", {}, h("label", { for: "ed-mappings" }, word("mappings")), control({
        id: "ed-mappings", field: { name: "fieldMappings", "x-control": "json" }, node, feeds, locked, value: mappings, describedby: "ed-mappings-hint",
        set: (value) => graph.set(node.id, "fieldMappings", value, by), complain: (words) => { error.textContent = words; error.hidden = !words; },
      }), h("p.hint", { id: "ed-mappings-hint" }, word("mappingsHint")), error)));
  }

  setName(node, text) {
    this.graph.set(node.id, "label", text || undefined, by);
    $("h2", this.panel).textContent = this.graph.name(node);
  }

  rename(node, input) {
    const id = input.value.trim();
    if (id === node.id) return;
    if (!id || this.graph.node(id)) { input.value = node.id; return say(id ? word("taken", id) : word("idNeeded")); }
    this.graph.rename(node.id, id);
  }

  groupSelect(node, groups) {
    const el = h("select.input", { id: "ed-group", disabled: this.readOnly, onchange: (e) => this.graph.change(() => { if (e.target.value) this.graph.node(node.id).parentId = e.target.value; else delete this.graph.node(node.id).parentId; }, { by }) },
      h("option", { value: "" }, word("none")), groups.map((group) => h("option", { value: group.id }, this.graph.call(group))));
    el.value = node.parentId ?? "";
    return el;
  }

  // mark shows what the service said about the node's fields.
  mark() {
    if (!this.shown) return;
    const prefix = `nodes.${this.shown}.data.`;
    const places = [...this.panel.querySelectorAll("[data-error-of]")];
    for (const place of places) if (place.dataset.told) { place.hidden = true; delete place.dataset.told; place.closest(".field")?.classList.remove("wrong"); }
    for (const problem of this.problems.get(this.shown) ?? []) {
      const field = problem.field.startsWith(prefix) ? problem.field.slice(prefix.length).split(/[.[]/)[0] : "";
      const place = places.find((p) => p.dataset.errorOf === field) ?? places[0];
      place.textContent = problem.message;
      place.dataset.told = "1";
      place.hidden = false;
      place.closest(".field")?.classList.add("wrong");
    }
  }

  focus() {
    const first = $("input:not([disabled]):not([type=file]), textarea:not([disabled]), select:not([disabled])", this.panel) ?? $("h2", this.panel);
    first?.focus();
  }
}
