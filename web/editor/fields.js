// The controls of a node's fields, by their schema. Each is given {id, field, value, locked, set(value), describedby}
// and yields elements; set(undefined) clears the field.

import { $, h } from "./dom.js";
import { getPath, placeholders } from "./graph.js";
import { spaced } from "./catalogue.js";
import { list as words, word } from "./words.js";

// choices are what fields that name something else may name, by their x-control: {id, name}.
export const choices = { workflow: [], credential: [] };

// control chooses the kind of control for a field: the same rules as the forms of apps have.
export function control(props) {
  const { field } = props, wanted = field["x-control"] ?? "";
  if (field.enum?.length) return select(props);
  if (field.type === "boolean") return toggle(props);
  if (field.type === "number" || field.type === "integer") return number(props);
  if (wanted === "credential") return credential(props);
  if (library.includes(wanted)) return things(props, wanted);
  if (choices[wanted]?.length) return pick(props, choices[wanted]);
  if (wanted === "color") return color(props);
  if (wanted === "motion") return motion(props);
  if (wanted === "schedule") return rules(props);
  if (wanted === "image" || wanted === "video" || wanted === "audio") return field.type === "array" ? lines(props) : file(props);
  if (field.type === "array" && field.items?.type === "string") return lines(props);
  if (field.type === "object" && field.additionalProperties && wanted !== "json") return entries(props);
  if (field.type === "array" || field.type === "object" || wanted === "json" || !field.type) return json(props);
  if (field.format === "textarea") return area(props);
  return line(props);
}

// library are the x-controls that name something of the library; their choices come when the editor has asked for them.
const library = ["character", "creature", "object", "location", "face", "preset", "voice"];

// things chooses one or several of the library. A preset serves the nodes of its own type alone.
function things(props, wanted) {
  const { field, value, set, node } = props;
  const list = (choices[wanted] ?? []).filter((one) => !one.type || one.type === node.type);
  if (field.type !== "array") return pick(props, list);
  const chosen = Array.isArray(value) ? value : [];
  const all = [...list, ...chosen.filter((id) => !list.some((one) => one.id === id)).map((id) => ({ id, name: word("gone") }))];
  const toggle = (id, on) => { const next = all.map((one) => one.id).filter((other) => (other === id ? on : chosen.includes(other))); set(next.length ? next : undefined); props.redraw(); };
  return h("div.ed-things", { role: "group", "aria-label": field.title || spaced(field.name) },
    all.length === 0 && h("p.small.muted", {}, word("noThing"), " ", h("a", { href: "/library/characters", target: "_blank", rel: "noopener" }, word("library"))),
    all.map((one, i) => h("label.check", {}, h("input", { id: `${props.id}-${i}`, type: "checkbox", disabled: props.locked, checked: chosen.includes(one.id), onchange: (e) => toggle(one.id, e.target.checked) }), h("span", {}, one.name))));
}

const common = ({ id, describedby, locked, field }) => ({ id, "aria-describedby": describedby, disabled: locked, maxlength: field.maxLength });

function line(props) {
  const { field, value, set } = props;
  return h("input.input", {
    ...common(props), type: field.format === "uri" ? "url" : "text", autocomplete: "off", value: value ?? "", placeholder: field.default ?? (field.format === "uri" ? "https://" : null),
    oninput: (e) => set(e.target.value === "" ? undefined : e.target.value),
  });
}

function area(props) {
  const { value, set } = props;
  return h("textarea.input", { ...common(props), rows: "4", value: value ?? "", oninput: (e) => set(e.target.value === "" ? undefined : e.target.value) });
}

function select(props) {
  const { field, value, set } = props;
  const called = (option) => field["x-words"]?.[String(option)] ?? String(option);
  const options = field.enum.map((option) => h("option", { value: String(option) }, called(option)));
  const el = h("select.input", {
    ...common(props), maxlength: null,
    onchange: (e) => set(e.target.value === "" ? undefined : field.enum.find((option) => String(option) === e.target.value)),
  }, h("option", { value: "" }, field.default === undefined ? word("notSet") : word("asUsual", called(field.default))), options);
  el.value = value === undefined ? "" : String(value);
  return el;
}

// pick chooses one of a list by its name. What is set and not in the list stays, and another id can be typed.
function pick(props, list) {
  const { value, set, id } = props, known = !value || list.some((one) => one.id === value);
  const other = h("input.input.mono", { id: id + "-other", type: "text", autocomplete: "off", disabled: props.locked, "aria-label": word("otherId"), placeholder: "id", value: known ? "" : value, hidden: known, oninput: (e) => set(e.target.value.trim() || undefined) });
  const el = h("select.input", {
    ...common(props), maxlength: null,
    onchange: (e) => { other.hidden = e.target.value !== "other"; if (other.hidden) set(e.target.value || undefined); else other.focus(); },
  }, h("option", { value: "" }, word("none")), list.map((one) => h("option", { value: one.id }, one.name)), h("option", { value: "other" }, word("other")));
  el.value = known ? value ?? "" : "other";
  return h("div.ed-stack", {}, el, other);
}

// credential chooses one of the person's keys. One that is set and belongs to somebody else stays.
function credential(props) {
  const { value, set } = props, known = !value || choices.credential.some((one) => one.id === value);
  const el = h("select.input", { ...common(props), maxlength: null, onchange: (e) => set(e.target.value || undefined) },
    h("option", { value: "" }, word("none")), choices.credential.map((one) => h("option", { value: one.id }, one.name)), !known && h("option", { value }, word("foreignKey")));
  el.value = value ?? "";
  return h("div.ed-stack", {}, el, h("a", { href: "/credentials", target: "_blank", rel: "noopener" }, word("credentials")));
}

function toggle(props) {
  const { field, value, set } = props;
  return h("input", { ...common(props), maxlength: null, type: "checkbox", checked: value ?? field.default ?? false, onchange: (e) => set(e.target.checked) });
}

function number(props) {
  const { field, value, set } = props;
  const read = (text) => (text === "" || !Number.isFinite(Number(text)) ? undefined : Number(text));
  const bounds = { min: field.minimum, max: field.maximum, step: field.type === "integer" ? "1" : "any" };
  const box = h("input.input", {
    ...common(props), maxlength: null, ...bounds, type: "number", value: value ?? "", placeholder: field.default ?? null,
    oninput: (e) => {
      const v = read(e.target.value), { rangeUnderflow, rangeOverflow } = e.target.validity;
      set(v);
      if (slider && v !== undefined) slider.value = v;
      props.complain(rangeUnderflow || rangeOverflow ? word("range", field.minimum, field.maximum) : "");
    },
  });
  const isShort = field.minimum !== undefined && field.maximum !== undefined && (field["x-control"] === "slider" || (field.type === "number" && field.maximum - field.minimum <= 1000));
  const slider = isShort && h("input.input", {
    ...bounds, step: field.type === "integer" ? "1" : String((field.maximum - field.minimum) / 100), type: "range", disabled: props.locked, "aria-label": word("slider", field.title || spaced(field.name)),
    value: value ?? field.default ?? field.minimum, oninput: (e) => { box.value = e.target.value; set(read(e.target.value)); },
  });
  return slider ? h("div.ed-pair", {}, slider, box) : box;
}

function color(props) {
  const { field, value, set } = props, shown = value ?? field.default ?? "#000000";
  const text = h("input.input.mono", { ...common(props), type: "text", value: value ?? "", placeholder: field.default ?? null, oninput: (e) => set(e.target.value || undefined) });
  const pick = h("input.input", {
    type: "color", disabled: props.locked, "aria-label": word("picker", field.title || spaced(field.name)), value: /^#[0-9a-f]{6}$/i.test(shown) ? shown : "#000000",
    oninput: (e) => { text.value = e.target.value; set(e.target.value); },
  });
  return h("div.ed-pair", {}, pick, text);
}

// file takes an address, or a file that is uploaded and whose address is kept.
function file(props) {
  const { field, value, set, upload } = props;
  const address = line({ ...props, field: { ...field, format: "uri" } });
  if (!upload) return address;
  const note = h("p.small.muted", { role: "status" });
  const choose = h("input.input", {
    type: "file", disabled: props.locked, accept: field["x-control"] + "/*", "aria-label": word("upload", field.title || spaced(field.name)),
    onchange: async () => {
      if (!choose.files.length) return;
      note.textContent = word("uploading");
      try {
        const { url } = await upload(choose.files[0]);
        address.value = url;
        set(url);
        note.textContent = word("uploaded");
      } catch (refusal) {
        note.textContent = refusal.message;
      }
    },
  });
  return h("div.ed-stack", {}, address, choose, note);
}

// lines is a list of texts, one in each line.
function lines(props) {
  const { value, set } = props;
  return h("textarea.input", {
    ...common(props), maxlength: null, rows: "3", placeholder: word("oneInALine"), value: Array.isArray(value) ? value.join("\n") : "",
    oninput: (e) => { const list = e.target.value.split("\n").filter((text) => text.trim() !== ""); set(list.length ? list : undefined); },
  });
}

function json(props) {
  const { value, set, complain } = props;
  return h("textarea.input.mono", {
    ...common(props), maxlength: null, rows: "5", spellcheck: "false", value: value === undefined ? "" : JSON.stringify(value, null, 2),
    oninput: (e) => {
      if (e.target.value.trim() === "") { complain(""); return set(undefined); }
      try { set(JSON.parse(e.target.value)); complain(""); } catch (err) { complain(word("noJSON", err.message)); }
    },
  });
}

// entries are named values, such as those of a template. Names that the template asks for stand there by themselves.
function entries(props) {
  const { value, node, set, feeds, id } = props, own = value && typeof value === "object" ? value : {};
  const wanted = placeholders(node).filter((name) => !feeds.some((feed) => feed.field === `${props.field.name}.${name}`));
  const names = [...new Set([...wanted, ...Object.keys(own)])];
  const put = (name, text) => set(text === undefined ? undefined : text, name);
  const rows = names.map((name, i) => {
    const known = getPath(own, [name]), asText = known === undefined || typeof known === "string";
    return h("div.ed-entry", {},
      h("label.mono", { for: `${id}-${i}` }, name),
      h("input.input", { id: `${id}-${i}`, type: "text", disabled: props.locked, autocomplete: "off", value: known === undefined ? "" : asText ? known : JSON.stringify(known), oninput: (e) => put(name, e.target.value === "" ? undefined : e.target.value) }),
      !wanted.includes(name) && h("button.btn.quiet.small-btn", { type: "button", disabled: props.locked, "aria-label": word("removeThis", name), onclick: () => { put(name, undefined); props.redraw(); } }, word("remove")));
  });
  const fresh = h("input.input.mono", { type: "text", autocomplete: "off", disabled: props.locked, "aria-label": word("newValue"), placeholder: word("newValueExample") });
  const add = () => { const name = fresh.value.trim(); if (name && !name.includes(".") && !(name in own)) { set("", name); props.redraw(); } };
  fresh.addEventListener("keydown", (e) => { if (e.key === "Enter") { e.preventDefault(); add(); } });
  return h("div.ed-stack", {}, rows, h("div.ed-pair", {}, fresh, h("button.btn.small-btn", { type: "button", disabled: props.locked, onclick: add }, word("addValue"))));
}

// motion are the slots of an animation; the plan itself is JSON behind a line.
function motion(props) {
  const { value, set, id } = props, plan = value && typeof value === "object" ? value : {}, slots = plan.slots ?? {};
  const rows = Object.entries(slots).map(([name, slot], i) => {
    const now = plan.slotValues?.[name] ?? slot?.value, kind = slot?.type === "color" ? "color" : slot?.type === "number" ? "number" : "text";
    return h("div.ed-entry", {}, h("label", { for: `${id}-${i}` }, spaced(name)), h("input.input", {
      id: `${id}-${i}`, type: kind, disabled: props.locked, value: Array.isArray(now) ? hex(now) : now ?? "",
      oninput: (e) => { const typed = kind === "number" ? Number(e.target.value) : e.target.value; set({ ...plan, slotValues: { ...plan.slotValues, [name]: typed } }); },
    }));
  });
  return h("div.ed-stack", {}, rows, h("details.disclosure", { open: rows.length === 0 }, h("summary", {}, word("plan")), json(props)));
}

// The fields that a rule of a schedule has, by its unit, and how far "every" goes.
const ruleUnits = {
  minutes: { most: 59, has: [] }, hours: { most: 23, has: ["minute"] }, days: { most: 31, has: ["hour", "minute"] },
  weeks: { most: 52, has: ["weekdays", "hour", "minute"] }, months: { most: 12, has: ["dayOfMonth", "hour", "minute"] }, cron: { has: ["cron"] },
};
const ruleNumbers = { hour: [0, 23], minute: [0, 59], dayOfMonth: [1, 31] };
const weekdays = [1, 2, 3, 4, 5, 6, 0];

// rules are when a schedule runs; any one of them is enough.
function rules(props) {
  const { value, set, id, locked } = props, list = Array.isArray(value) ? [...value] : [];
  const change = (i, rule) => set(list.map((one, at) => (at === i ? rule : one)));
  const redraw = (next) => { set(next.length ? next : undefined); props.redraw(); };
  const rows = list.map((rule, i) => {
    let now = rule && typeof rule === "object" ? rule : {};
    const put = (name, v) => { now = { ...now, [name]: v }; if (v === undefined) delete now[name]; list[i] = now; change(i, now); };
    const unit = ruleUnits[now.kind], base = `${id}-${i}`;
    const numberField = (name, title, min, max) => h("div.field", {}, h("label", { for: `${base}-${name}` }, title), h("input.input", {
      id: `${base}-${name}`, type: "number", min, max, step: "1", disabled: locked, value: now[name] ?? "", oninput: (e) => put(name, e.target.value === "" ? undefined : Number(e.target.value)),
    }));
    const kind = h("select.input", { id: `${base}-kind`, disabled: locked, onchange: (e) => {
      const next = { kind: e.target.value }, wanted = ruleUnits[e.target.value];
      if (wanted.most) next.every = Math.min(now.every ?? 1, wanted.most);
      for (const name of wanted.has) next[name] = now[name] ?? { hour: 8, minute: 0, dayOfMonth: 1, weekdays: [1], cron: "" }[name];
      redraw(list.map((one, at) => (at === i ? next : one)));
    } }, !unit && h("option", { value: "" }, word("choose")), Object.keys(ruleUnits).map((name) => h("option", { value: name }, word(name))));
    kind.value = unit ? now.kind : "";
    return h("fieldset.group", {}, h("legend", {}, word("rule", i + 1)),
      h("div.field", {}, h("label", { for: `${base}-kind` }, word("runs")), kind),
      unit?.most && numberField("every", word("every", unit.most), 1, unit.most),
      unit?.has.includes("weekdays") && h("div.field", { role: "group", "aria-label": word("onDays") }, weekdays.map((day) => h("label.check", {}, h("input", {
        type: "checkbox", disabled: locked, checked: (now.weekdays ?? []).includes(day),
        onchange: (e) => put("weekdays", e.target.checked ? [...(now.weekdays ?? []), day].sort((a, b) => a - b) : (now.weekdays ?? []).filter((d) => d !== day)),
      }), h("span", {}, words("weekdays")[day])))),
      ["dayOfMonth", "hour", "minute"].filter((name) => unit?.has.includes(name)).map((name) => numberField(name, word(name), ...ruleNumbers[name])),
      unit?.has.includes("cron") && h("div.field", {}, h("label", { for: `${base}-cron` }, word("expression")), h("input.input.mono", {
        id: `${base}-cron`, type: "text", autocomplete: "off", spellcheck: "false", maxlength: "200", disabled: locked, placeholder: "30 8 * * 1-5", value: now.cron ?? "", oninput: (e) => put("cron", e.target.value || undefined),
      }), h("p.hint", {}, word("cronHint"))),
      !locked && h("button.btn.quiet.small-btn", { type: "button", "aria-label": word("removeRule", i + 1), onclick: () => redraw(list.filter((_, at) => at !== i)) }, word("remove")));
  });
  return h("div.ed-stack", {}, rows, !locked && list.length < 50 && h("button.btn.small-btn", {
    type: "button", id: id + "-add", onclick: () => redraw([...list, { kind: "weeks", every: 1, weekdays: [1], hour: 8, minute: 0 }]),
  }, word("addRule")));
}

function hex(parts) {
  return "#" + parts.slice(0, 3).map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255).toString(16).padStart(2, "0")).join("");
}

export function firstControl(root) { return $("input:not([disabled]), textarea:not([disabled]), select:not([disabled])", root); }
