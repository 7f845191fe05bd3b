// Makes a workflow, runs it, publishes it as an app, and tidies up.
import { Atelier, RunFailedError } from "atelier-sdk";

const atelier = new Atelier();

const made = await atelier.workflows.create({
  name: "Shout",
  nodes: [
    { id: "word", type: "text", data: { text: "hello" } },
    { id: "shout", type: "template-text", data: { template: "{{word}}!", values: {} } },
  ],
  edges: [{ id: "1", source: "word", target: "shout", targetHandle: "values.word" }],
});
await atelier.workflows.update(made.id, { name: "Shout it" });
const { name, version } = await atelier.workflows.get(made.id);
console.log(name, version);

const { execution, results } = await atelier.workflows.run(made.id, { "word.text": "ahoy" });
console.log(execution.status, results.at(-1)?.text);

const id = await atelier.workflows.start(made.id, {}, { inputOverrides: { word: { text: "hey" } } });
for await (const state of atelier.executions.follow(id)) console.log(state.completedNodes, state.totalNodes);
console.log((await atelier.executions.get(id)).nodeStates?.shout?.output?.text);
for await (const run of atelier.workflows.runs(made.id)) console.log(run.createdAt, run.status);

const app = await atelier.workflows.publish(made.id, {
  name: "Shout",
  slug: `shout-${made.id.slice(-12)}`,
  thumbnailNodeId: "shout",
  presentationSettings: { inputItems: [{ type: "field", id: "word", nodeId: "word", field: "text", allowedValues: null }] },
});
console.log((await atelier.apps.run(app.slug, { word: "land" })).result?.text);
await atelier.request("DELETE", `/v1/apps/${app.id}`);
await atelier.workflows.delete(made.id);

// A run that takes long can be cancelled; waiting for it then rejects.
const slow = await atelier.workflows.create({ name: "Slow", nodes: [{ id: "wait", type: "delay", data: { seconds: 600 } }] });
const running = await atelier.workflows.start(slow.id);
await atelier.executions.cancel(running);
await atelier.executions.wait(running).catch((failure) => {
  if (!(failure instanceof RunFailedError)) throw failure;
  console.log(failure.code);
});
await atelier.workflows.delete(slow.id);
const [latest] = await atelier.workflows.list().take(1);
console.log(latest?.name);
