import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { FieldError, fieldOf, keyOf, partsOf, fieldsOf, plainValue, readField, valuesOf } from "../dist/form.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../../testdata/${name}`, import.meta.url), "utf8"));
const controls = read("controls.json");
const forms = read("forms.json");

test("as many vectors as there are", () => assert.ok(controls.length > 40 && forms.length > 3));

for (const v of controls) {
  test(`control: ${v.name}`, () => {
    const field = fieldOf("x", { id: "n", type: v.nodeType, data: v.data }, v.field, v.allowedValues, v.inputSchema);
    const number = (text) => (text === "" ? undefined : Number(text));
    const want = v.control;
    assert.deepEqual(
      { kind: field.kind, label: field.label, hint: field.hint, value: field.value ?? null, text: field.text, options: field.options, min: field.min, max: field.max, whole: field.whole, required: field.required, maxLength: field.maxLength },
      { ...want, options: want.options ?? [], min: number(want.min), max: number(want.max) },
    );
    for (const typed of v.typed ?? []) {
      if (typed.refused) {
        assert.throws(() => readField(field, typed.text), FieldError, typed.text);
        continue;
      }
      const got = readField(field, typed.text);
      assert.equal(got.changed, typed.changed, typed.text);
      if (typed.changed) assert.deepEqual(got.value, typed.value, typed.text);
    }
  });
}

/** What the vectors say of a part. */
function shown(part) {
  if (part.type === "group") return { type: "group", title: part.title, parts: part.parts.map(shown) };
  if (part.type === "text") return part;
  const out = { type: "field", nodeId: part.nodeId, field: part.field, kind: part.kind, label: part.label };
  if (part.id) out.id = part.id;
  if (part.hint) out.hint = part.hint;
  if (part.required) out.required = true;
  return out;
}

for (const v of forms) {
  test(`form: ${v.name}`, () => {
    const types = Object.fromEntries(v.nodeTypes.map((one) => [one.type, one]));
    assert.deepEqual(partsOf(v.inputItems, v.snapshotNodes, types).map(shown), v.parts ?? []);
  });
}

test("a run is given what differs from what is published", () => {
  const v = forms[0];
  const types = Object.fromEntries(v.nodeTypes.map((one) => [one.type, one]));
  const parts = partsOf(v.inputItems, v.snapshotNodes, types);
  assert.deepEqual(valuesOf(parts, {}), { inputs: {}, inputOverrides: {} });
  assert.deepEqual(valuesOf(parts, { topic: "a fox", shape: '"16:9"', sky: "#0080ff" }), { inputs: { topic: "a fox", shape: "16:9" }, inputOverrides: {} });
  assert.throws(() => valuesOf(parts, { named: " " }), (failure) => failure instanceof FieldError && failure.field.id === "named");
  const whole = partsOf(forms[1].inputItems, v.snapshotNodes, types);
  assert.deepEqual(fieldsOf(whole).slice(0, 2).map(keyOf), ["paint.prompt", "paint.aspectRatio"]);
  assert.deepEqual(valuesOf(whole, { "paint.seed": "5" }), { inputs: {}, inputOverrides: { paint: { seed: 5 } } });
});

test("values as people write them where there is no control", () => {
  const field = (kind, more = {}) => ({ kind, label: "Label", options: [], ...more });
  assert.equal(plainValue(field("select", { options: ["16:9", 2] }), "16:9"), "16:9");
  assert.equal(plainValue(field("select", { options: ["16:9", 2] }), "2"), 2);
  assert.equal(plainValue(field("toggle"), "True"), true);
  assert.equal(plainValue(field("number"), "1.5"), 1.5);
  assert.deepEqual(plainValue(field("json"), "[1]"), [1]);
  assert.equal(plainValue(field("area"), "7"), "7");
  for (const [kind, text] of [["select", "x"], ["toggle", "yes"], ["number", "x"], ["json", "["]]) assert.throws(() => plainValue(field(kind), text), FieldError);
});
