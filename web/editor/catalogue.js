// The kinds of nodes: what they are called, what their fields are, what feeds them.

import { $, all, h, say } from "./dom.js";

export class Kinds {
  constructor(list) {
    this.list = list;
    this.byType = new Map(list.map((kind) => [kind.type, kind]));
  }

  get(type) { return this.byType.get(type); }
  label(type) { return this.get(type)?.label ?? type; }
  schema(type) { return this.get(type)?.inputSchema ?? {}; }

  // fields are the properties of a kind in the order of its form: [{name, needed, ...schema}].
  fields(type) {
    const schema = this.schema(type), properties = schema.properties ?? {};
    const names = schema["x-order"] ?? Object.keys(properties);
    return names.filter((name) => properties[name]).map((name) => ({
      ...properties[name], name, needed: (schema.required ?? []).includes(name),
    }));
  }

  field(type, name) { return this.fields(type).find((field) => field.name === name); }

  // title is what a field is called; a dotted one by its last part.
  title(type, name) {
    return this.field(type, name)?.title || spaced(name);
  }

  // isList tells whether a field takes many values: each connection into it adds one.
  isList(type, name) { return this.field(type, name)?.type === "array"; }

  mainInput(type) { return this.get(type)?.mainInput ?? ""; }
}

// spaced turns a field's name into words: "aspectRatio" becomes "Aspect ratio".
export function spaced(name) {
  const words = name.slice(name.lastIndexOf(".") + 1).replace(/[_-]/g, " ").replace(/(?<=.)[A-Z]/g, (c) => " " + c.toLowerCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const categories = { trigger: "Triggers", flow: "Flow", text: "Text", image: "Images", video: "Video", audio: "Audio", input: "Files", data: "Data", output: "Outputs" };

// showCatalogue fills the panel; add(type, byKeyboard) is called for what a person picks.
export function showCatalogue(panel, kinds, add) {
  const list = $("[data-kinds]", panel), search = $("input", panel), none = $("[data-none]", panel);
  const groups = new Map();
  for (const kind of kinds.list) {
    const group = groups.get(kind.category) ?? groups.set(kind.category, []).get(kind.category);
    group.push(kind);
  }
  for (const [category, members] of groups) {
    list.append(h("section.ed-kinds", {}, h("h3", {}, categories[category] ?? spaced(category)),
      h("ul", {}, members.map((kind) => h("li", {}, kindButton(kind, add))))));
  }
  const narrow = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const item of all("li", list)) {
      const text = $("button", item).dataset.words;
      item.hidden = !words.every((word) => text.includes(word));
      found += !item.hidden;
    }
    for (const section of all("section", list)) section.hidden = !$("li:not([hidden])", section);
    none.hidden = found > 0;
    if (words.length) say(found === 1 ? "1 kind of node" : `${found} kinds of nodes`);
  };
  search.addEventListener("input", narrow);
  search.addEventListener("focus", () => search.select());
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    const first = best(list, search.value) ?? $("li:not([hidden]) button", list);
    if (!first || !search.value.trim()) return;
    search.value = "";
    narrow();
    add(first.dataset.kind, true);
  });
}

// best is the kind that is called what was typed, else the first whose name begins so.
function best(list, typed) {
  const wanted = typed.trim().toLowerCase(), buttons = all("li:not([hidden]) button", list);
  return buttons.find((button) => button.dataset.label === wanted) ?? buttons.find((button) => button.dataset.label.startsWith(wanted));
}

function kindButton(kind, add) {
  const words = [kind.type, kind.label, kind.category, kind.description, ...kind.capabilities].join(" ").toLowerCase();
  return h("button.ed-kind", {
    type: "button", draggable: "true", title: kind.description, "data-words": words, "data-kind": kind.type, "data-label": kind.label.toLowerCase(),
    onclick: (e) => add(kind.type, e.detail === 0),
    ondragstart: (e) => {
      e.dataTransfer.setData("application/x-atelier-node", kind.type);
      e.dataTransfer.effectAllowed = "copy";
    },
  }, h("span.ed-dot.ed-" + kind.outputType, { "aria-hidden": "true" }), h("span", {}, h("span.sr", {}, "Add "), kind.label),
  kind.estimatedCredits > 0 && h("span.ed-cost.num", { title: "Credits" }, String(kind.estimatedCredits)));
}
