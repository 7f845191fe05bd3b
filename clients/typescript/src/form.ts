/**
 * The form of a published app: which fields it has, which control each gets, and what a run is given of what people fill
 * in. Asks nothing of the network.
 */
import type { App, InputItem, JSONSchema, NodeDescriptor } from "./types.js";

/** How a field is edited. thing and things are ids of the library. */
export type ControlKind = "select" | "toggle" | "number" | "slider" | "area" | "file" | "color" | "json" | "line" | "thing" | "things";

/** One field of a form. */
export interface Field {
  type: "field";
  /** The name under which a run takes the value; "" for fields of whole nodes, which go by node and field. */
  id: string;
  nodeId: string;
  field: string;
  kind: ControlKind;
  label: string;
  hint: string;
  /** The published value; undefined when there is none. */
  value: unknown;
  /** The published value as the control shows it; that of a toggle is "on" or "". */
  text: string;
  /** What a select offers. Its texts are the JSON of the values. */
  options: unknown[];
  /** Bounds of numbers; a slider always has them. */
  min?: number;
  max?: number;
  /** Only whole numbers. */
  whole: boolean;
  required: boolean;
  /** 0 for no bound. */
  maxLength: number;
  /** The kind of file that a file field takes: image, video or audio. */
  accept?: string;
}

/** A text of the publisher, in Markdown. */
export interface FormText {
  type: "text";
  text: string;
}

export interface FormGroup {
  type: "group";
  title: string;
  parts: (Field | FormText)[];
}

export type FormPart = Field | FormText | FormGroup;

/** An app with its form. */
export interface Form {
  name: string;
  description: string;
  version: number;
  /** What a run costs. */
  estimatedCredits: number;
  /** Runs of an account in a day; null for no limit. */
  maxRunsPerUserPerDay: number | null;
  parts: FormPart[];
}

/** What a run is given. */
export interface Values {
  inputs: Record<string, unknown>;
  inputOverrides: Record<string, Record<string, unknown>>;
}

/** A field was filled in with what it does not take. */
export class FieldError extends Error {
  override readonly name = "FieldError";
  constructor(
    readonly field: Field,
    message: string,
  ) {
    super(message);
  }
}

type Types = Readonly<Record<string, Pick<NodeDescriptor, "label" | "inputSchema"> | undefined>>;
type Node = { id: string; type: string; data: Record<string, unknown> };

/** The form of an app, by the descriptors of its types of nodes. */
export function formOf(app: App, types: Types): Form {
  const { name, description, version, estimatedCredits, maxRunsPerUserPerDay } = app;
  const parts = partsOf(app.snapshotSettings.presentationSettings.inputItems, app.snapshotNodes as Node[], types);
  return { name, description, version, estimatedCredits, maxRunsPerUserPerDay, parts };
}

/** What the items of an app show before a run. Items that are not understood are left out. */
export function partsOf(items: readonly InputItem[], nodes: readonly Node[], types: Types): FormPart[] {
  return walk(items, new Map(nodes.map((node) => [node.id, node])), types, true);
}

/** All fields of a form, groups entered. */
export function fieldsOf(parts: readonly FormPart[]): Field[] {
  return parts.flatMap((part) => (part.type === "field" ? [part] : part.type === "group" ? fieldsOf(part.parts) : []));
}

function walk(items: readonly InputItem[], nodes: ReadonlyMap<string, Node>, types: Types, groups: boolean): FormPart[] {
  const out: FormPart[] = [];
  for (const item of items) {
    const node = nodes.get(item?.nodeId ?? "");
    if (item?.type === "field" && node) {
      const field = fieldOf(item.id ?? "", node, item.field ?? "", item.allowedValues, types[node.type]?.inputSchema);
      if (item.label) field.label = item.label;
      if (item.help) field.hint = item.help;
      if (item.required) field.required = true;
      out.push(field);
    } else if (item?.type === "richtext" && item.content) {
      out.push({ type: "text", text: item.content });
    } else if (item?.type === "group" && groups) {
      out.push({ type: "group", title: item.title ?? "", parts: walk(item.items ?? [], nodes, types, false) as (Field | FormText)[] });
    } else if (item?.type === "node" && node) {
      const descriptor = types[node.type];
      out.push({ type: "group", title: descriptor?.label ?? node.type, parts: fieldsOfNode(node, descriptor?.inputSchema) });
    }
  }
  return out;
}

/** What is not filled in by hand: keys, schedules, whole animations. */
const notByHand = ["credential", "schedule", "parameters", "workflow", "motion"];

function fieldsOfNode(node: Node, schema: JSONSchema | null | undefined): Field[] {
  const properties = schema?.properties ?? {};
  const names = schema?.["x-order"]?.length ? schema["x-order"] : Object.keys(properties).sort();
  return names
    .filter((name) => own(properties, name) && !notByHand.includes(properties[name]?.["x-control"] ?? ""))
    .map((name) => ({ ...fieldOf(`${node.id}.${name}`, node, name, null, schema), id: "" }));
}

/**
 * Decides how a field is edited. allowedValues are a select; then the inputSchema of the type of node decides where it
 * describes the field; else it is inferred from the published value and the name.
 */
export function fieldOf(id: string, node: Node, field: string, allowedValues: readonly unknown[] | null | undefined, inputSchema: JSONSchema | null | undefined): Field {
  if (field.startsWith("slot:")) return slotOf(id, node, field);
  const property = own(inputSchema?.properties, field);
  const schema = property && (property.type || property.enum?.length || property.format || property["x-control"]) ? property : undefined;
  let value = valueAt(node.data, field);
  if (value === undefined || value === null) value = schema?.default ?? undefined;
  const out: Field = {
    ...plain(id, node, field, property?.title || nameInWords(field)),
    value,
    hint: schema?.description ?? "",
    options: allowedValues?.length ? [...allowedValues] : (schema?.enum ?? []),
    whole: schema?.type === "integer",
    required: schema !== undefined && (inputSchema?.required ?? []).includes(field),
    maxLength: schema?.maxLength ?? 0,
  };
  if (schema?.minimum !== undefined) out.min = schema.minimum;
  if (schema?.maximum !== undefined) out.max = schema.maximum;
  if (schema && files.includes(schema["x-control"] ?? "")) out.accept = schema["x-control"]!;
  if (allowedValues?.length) out.kind = "select";
  else out.kind = schema ? described(schema, node.type) : inferred(node.type, field, value);
  return finished(out);
}

const files = ["image", "video", "audio"];
const things = ["character", "creature", "object", "location", "face", "preset", "voice"];

/** The control of a field that an inputSchema describes. */
function described(schema: JSONSchema, nodeType: string): ControlKind {
  const control = schema["x-control"] ?? "";
  if (schema.enum?.length) return "select";
  if (things.includes(control)) return schema.type === "array" ? "things" : "thing";
  if (schema.type === "boolean") return "toggle";
  if (schema.type === "number" || schema.type === "integer") {
    return control === "slider" && schema.minimum !== undefined && schema.maximum !== undefined ? "slider" : "number";
  }
  if (control === "color") return "color";
  if (files.includes(control) || (schema.format === "uri" && nodeType.startsWith("upload-"))) return "file";
  if (schema.type === "array" || schema.type === "object" || control === "json") return "json";
  return schema.format === "textarea" ? "area" : "line";
}

const sliders = ["duration", "intensity", "strength", "scale", "temperature"];
const areas = ["prompt", "description", "text", "content", "caption", "message"];

/** The control of a field that no schema describes, by the rules of the API, in their order. */
function inferred(nodeType: string, field: string, value: unknown): ControlKind {
  const name = lastName(field);
  if (typeof value === "boolean") return "toggle";
  if (typeof value === "number") return sliders.some((end) => name.toLowerCase().endsWith(end)) ? "slider" : "number";
  if (typeof value === "string") {
    if (areas.includes(name)) return "area";
    if (/^https?:\/\//.test(value) && nodeType.startsWith("upload-")) return "file";
  } else if (typeof value === "object" && value !== null) return "json";
  return "line";
}

/** A slot of an animation: a color, a number or a text. */
function slotOf(id: string, node: Node, field: string): Field {
  const name = field.slice("slot:".length);
  const plan = node.data["motionPlan"] as { slots?: Record<string, { type?: string; value?: unknown }>; slotValues?: Record<string, unknown> } | undefined;
  const slot = own(plan?.slots, name);
  const out = plain(id, node, field, nameInWords(name));
  out.value = own(plan?.slotValues, name) ?? slot?.value;
  if (slot?.type === "color") {
    out.kind = "color";
    out.value = hexOf(out.value);
  } else if (slot?.type === "number") out.kind = "number";
  return finished(out);
}

function plain(id: string, node: Node, field: string, label: string): Field {
  return { type: "field", id, nodeId: node.id, field, kind: "line", label, hint: "", value: undefined, text: "", options: [], whole: false, required: false, maxLength: 0 };
}

function finished(field: Field): Field {
  field.text = textOf(field);
  if (field.kind === "slider" && (field.min === undefined || field.max === undefined)) {
    [field.min, field.max] = boundsOf(typeof field.value === "number" ? field.value : 0);
  }
  return field;
}

/** Bounds for a number of which only its value is known. */
function boundsOf(value: number): [number, number] {
  const most = [1, 2, 10, 100, 1000].find((bound) => value <= bound / 1.25 || value === bound);
  return [value < 0 ? 2 * value : 0, most ?? 2 * value];
}

function textOf({ kind, value }: Field): string {
  if (value === undefined || value === null) return "";
  if (kind === "select") return JSON.stringify(value);
  if (kind === "toggle") return value === true ? "on" : "";
  if (kind === "json") return JSON.stringify(value, null, 2);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * What was filled in, as a run is given it; changed is false when it is the published value, which a run then leaves
 * alone. The text is what the control shows: the JSON of a choice, "on" or "" of a toggle. Throws a FieldError.
 */
export function readField(field: Field, typed: string): { changed: boolean; value: unknown } {
  if (field.kind === "toggle") return { value: typed !== "", changed: (typed !== "") !== (field.value === true) };
  const text = typed.replace(/\r\n?/g, "\n");
  const written = field.kind === "line" || field.kind === "area";
  if (field.required && text.trim() === "" && (field.text === "" || written)) throw new FieldError(field, `${field.label} is needed.`);
  if (text === field.text.replace(/\r\n?/g, "\n")) return { changed: false, value: undefined };
  // Emptied: the default of the node counts.
  if (text === "" && !written) return { changed: field.value !== undefined && field.value !== null, value: null };
  switch (field.kind) {
    case "select": {
      const value = field.options.find((option) => JSON.stringify(option) === text);
      if (value === undefined) throw new FieldError(field, `Choose one of the values for ${field.label}.`);
      return { changed: true, value };
    }
    case "number":
    case "slider":
      return { changed: true, value: numberOf(field, text) };
    case "json":
    case "things":
      return { changed: true, value: jsonOf(field, text) };
  }
  return { changed: true, value: text };
}

function jsonOf(field: Field, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new FieldError(field, `${field.label} is not JSON.`);
  }
}

function numberOf(field: Field, text: string): number {
  const plain = text.replace(/[, ]/g, "").replace(/−/g, "-");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) || !Number.isFinite(Number(plain))) throw new FieldError(field, `${field.label} must be a number.`);
  if (field.whole && !Number.isInteger(Number(plain))) throw new FieldError(field, `${field.label} must be a whole number.`);
  return Number(plain);
}

/**
 * What a run is given of the texts in the controls, by the key of each field (keyOf). Only what differs from the
 * published values is sent, so that a run that changes nothing but slots costs nothing. Throws a FieldError.
 */
export function valuesOf(parts: readonly FormPart[], texts: Readonly<Record<string, string | undefined>>): Values {
  const out: Values = { inputs: {}, inputOverrides: {} };
  for (const field of fieldsOf(parts)) {
    const { changed, value } = readField(field, texts[keyOf(field)] ?? field.text);
    if (!changed) continue;
    if (field.id) out.inputs[field.id] = value;
    else (out.inputOverrides[field.nodeId] ??= {})[field.field] = value;
  }
  return out;
}

/**
 * A value as people write it where there is no control, such as in a file of settings: a choice by its text, a toggle as
 * true or false, a number, JSON, and everything else as it is. Throws a FieldError.
 */
export function plainValue(field: Field, text: string): unknown {
  switch (field.kind) {
    case "select": {
      const value = field.options.find((option) => option === text || JSON.stringify(option) === text);
      if (value === undefined) throw new FieldError(field, `${field.label} must be one of ${field.options.map((option) => (typeof option === "string" ? option : JSON.stringify(option))).join(", ")}.`);
      return value;
    }
    case "toggle":
      if (!/^(true|false)$/i.test(text)) throw new FieldError(field, `${field.label} must be true or false.`);
      return text.toLowerCase() === "true";
    case "number":
    case "slider":
      return numberOf(field, text);
    case "json":
    case "things":
      return jsonOf(field, text);
  }
  return text;
}

/** What a field is called among the controls of a page. */
export function keyOf(field: Field): string {
  return field.id || `${field.nodeId}.${field.field}`;
}

function lastName(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}

/** A name in words: "aspectRatio" becomes "Aspect ratio", "values.name" becomes "Name". */
export function nameInWords(field: string): string {
  const words = lastName(field).replace(/[_-]/g, " ").replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The value of a field; a dot leads into an object. */
function valueAt(data: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(data, field)) return data[field];
  const dot = field.indexOf(".");
  const inner = dot < 0 ? undefined : own(data, field.slice(0, dot));
  return typeof inner === "object" && inner !== null ? valueAt(inner as Record<string, unknown>, field.slice(dot + 1)) : undefined;
}

/** Four numbers from 0 to 1 as #rrggbb; a text stays as it is. */
function hexOf(value: unknown): unknown {
  if (!Array.isArray(value) || value.length < 3) return value;
  const two = (part: unknown) => Math.round(Math.min(1, Math.max(0, Number(part) || 0)) * 255).toString(16).padStart(2, "0");
  return "#" + value.slice(0, 3).map(two).join("");
}

function own<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}
