// Makes the form of an app, and reads results, of what was fetched elsewhere: nothing here asks the network by itself but
// the last part.
import { mainResult, resultOf, resultsOf } from "atelier-sdk";
import { fieldOf, fieldsOf, formOf, nameInWords, partsOf, readField } from "atelier-sdk/form";
import { follow, pathOf, Transport } from "atelier-sdk/transport";

/** @typedef {import("atelier-sdk").App} App */
/** @typedef {import("atelier-sdk").Run} Run */
const transport = new Transport({});
/** @type {App} */
const app = await transport.request("GET", pathOf`/v1/app/${"greeting"}`);

// Without descriptors of the nodes, controls are inferred from the published values.
const form = formOf(app, {});
const nodes = app.snapshotNodes;
console.log(partsOf(app.snapshotSettings.presentationSettings.inputItems, nodes, {}).length === form.parts.length);
const [name] = fieldsOf(form.parts);
if (!name) throw new Error("the app has fields");
console.log(name.kind, readField(name, "Ada").value);
const who = nodes.find((node) => node.id === "who");
if (who) console.log(fieldOf("name", who, "text", ["Ada", "Grace"], null).kind, nameInWords("aspectRatio"));

const { runId } = await transport.request("POST", pathOf`/v1/app/${"greeting"}/run`, { body: { inputs: { name: "Ada" } } });
/** @type {Run | undefined} */
let run;
for await (run of follow(transport, pathOf`/v1/app/${"greeting"}/runs/${runId}`, (body) => /** @type {Run} */ (body), ({ status }) => status === "completed" || status === "failed"));
if (!run) throw new Error("a run shows itself at once");
const results = resultsOf(run.execution, nodes);
console.log(results.length, mainResult(app, results)?.text, resultOf("line", { text: "Hello" }).kind);
