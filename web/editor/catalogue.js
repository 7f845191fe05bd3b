// The kinds of nodes: what they are called, what their fields are, what feeds them.

import { $, all, h, say } from "./dom.js";
import { count, list as words, parts, word } from "./words.js";

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

  // takes is the kind of file that a field is of, "" for any other field.
  takes(type, name) {
    const field = this.field(type, name), control = field?.items?.["x-control"] ?? field?.["x-control"];
    return ["image", "video", "audio"].includes(control) ? control : "";
  }

  mainInput(type) { return this.get(type)?.mainInput ?? ""; }
}

// spaced turns a field's name into words: "aspectRatio" becomes "Aspect ratio".
export function spaced(name) {
  const words = name.slice(name.lastIndexOf(".") + 1).replace(/[_-]/g, " ").replace(/(?<=.)[A-Z]/g, (c) => " " + c.toLowerCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// showCatalogue fills the panel; add(type, byKeyboard) is called for what a person picks. The panel is one stop of the
// tab key: the arrow keys walk from the search through the kinds, and typing on a kind searches on.
export function showCatalogue(panel, kinds, add) {
  const list = $("[data-kinds]", panel), search = $("input", panel), none = $("[data-none]", panel);
  const groups = new Map(), categories = words("categories");
  for (const kind of kinds.list) {
    const group = groups.get(kind.category) ?? groups.set(kind.category, []).get(kind.category);
    group.push(kind);
  }
  for (const [category, members] of groups) {
    list.append(h("section.ed-kinds", {}, h("h3", {}, categories[category] ?? spaced(category)),
      h("ul", {}, members.map((kind) => h("li", {}, kindButton(kind, add))))));
  }
  const shown = () => all("li:not([hidden]) button", list).filter((button) => !button.closest("section").hidden);

  const narrow = () => {
    const typed = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const item of all("li", list)) {
      const text = $("button", item).dataset.words;
      item.hidden = !typed.every((one) => text.includes(one));
      found += item.hidden ? 0 : 1;
    }
    for (const section of all("section", list)) section.hidden = !$("li:not([hidden])", section);
    none.hidden = found > 0;
    const first = typed.length ? best(shown(), search.value) : null;
    for (const button of all("button", list)) button.classList.toggle("first", button === first);
    if (typed.length) say(found === 0 ? word("noKind") : count("found", found, first.dataset.name));
  };

  // go moves the one stop of the tab key to the search or to a kind.
  const go = (to) => {
    for (const el of [search, ...all("button", list)]) el.tabIndex = el === to ? 0 : -1;
    to.focus();
  };

  search.addEventListener("input", narrow);
  search.addEventListener("focus", () => { go(search); search.select(); });
  panel.addEventListener("focusout", (e) => { if (!panel.contains(e.relatedTarget)) for (const el of [search, ...all("button", list)]) el.tabIndex = el === search ? 0 : -1; });
  panel.addEventListener("keydown", (e) => {
    const buttons = shown(), at = buttons.indexOf(document.activeElement), inSearch = document.activeElement === search;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1, PageDown: Math.min(at + 8, buttons.length - 1), PageUp: Math.max(at - 8, 0) }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (to !== undefined && !(inSearch && (e.key === "Home" || e.key === "End"))) {
      e.preventDefault();
      if (buttons[to]) go(buttons[to]);
      else if (to < 0) go(search);
    } else if (e.key === "Enter" && inSearch) {
      e.preventDefault();
      const first = search.value.trim() && best(buttons, search.value);
      if (!first) return;
      search.value = "";
      narrow();
      add(first.dataset.kind, true);
    } else if (e.key === "Escape" && search.value) {
      e.preventDefault();
      search.value = "";
      narrow();
      go(search);
    } else if (!inSearch && e.key.length === 1 && e.key !== " ") {
      search.value = ""; // what is typed on a kind begins a search
      go(search);
    }
  });
  for (const button of all("button", list)) button.tabIndex = -1;
}

// best is the kind that is called what was typed, else the first whose name begins so, else the first.
function best(buttons, typed) {
  const wanted = typed.trim().toLowerCase();
  return buttons.find((button) => button.dataset.label === wanted) ?? buttons.find((button) => button.dataset.label.startsWith(wanted)) ?? buttons[0];
}

function kindButton(kind, add) {
  const found = [kind.type, kind.label, kind.category, kind.description, ...kind.capabilities].join(" ").toLowerCase();
  return h("button.ed-kind", {
    type: "button", draggable: "true", title: kind.description, "data-words": found, "data-kind": kind.type, "data-label": kind.label.toLowerCase(), "data-name": kind.label,
    onclick: (e) => add(kind.type, e.detail === 0),
    ondragstart: (e) => {
      e.dataTransfer.setData("application/x-atelier-node", kind.type);
      e.dataTransfer.effectAllowed = "copy";
    },
  }, h("span.ed-dot.ed-" + kind.outputType, { "aria-hidden": "true" }), h("span", {}, parts("addKind", kind.label).map((part) => (part === kind.label ? part : h("span.sr", {}, part)))),
  kind.estimatedCredits > 0 && h("span.ed-cost.num", { title: word("credits") }, kind.estimatedCredits.toLocaleString(document.documentElement.lang)));
}
