// Shows an app as a form of one's own, and runs it with what was filled in.
import { Atelier } from "atelier-sdk";
import { fieldsOf, keyOf, plainValue, valuesOf } from "atelier-sdk/form";

const atelier = new Atelier();

for await (const app of atelier.apps.list()) console.log(app.slug, app.name);
const app = await atelier.apps.get("greeting");
const form = await atelier.apps.form("greeting");
console.log(`${app.name}, ${form.estimatedCredits} credits`);
for (const field of fieldsOf(form.parts)) console.log(keyOf(field), field.kind, field.label, field.text);

// What the controls of a page would hold, by the key of each field.
const { inputs, inputOverrides } = valuesOf(form.parts, { name: "Grace", mood: '"solemn"' });
const { result } = await atelier.apps.run("greeting", inputs, { inputOverrides });
console.log(result?.text);

// Where there are no controls, such as in a file of settings, values are read as people write them.
const settings = { name: "Hedy", mood: "solemn" };
const plain = fieldsOf(form.parts).map((field) => [field.id, plainValue(field, settings[/** @type {keyof settings} */ (field.id)])]);
console.log((await atelier.apps.run("greeting", Object.fromEntries(plain))).result?.text);
