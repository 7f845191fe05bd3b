// Runs single nodes, and looks after jobs.
import { Atelier, RunFailedError } from "atelier-sdk";

const atelier = new Atelier();

for await (const type of atelier.nodes.list()) console.log(type.type, type.estimatedCredits);
const descriptor = await atelier.nodes.get("qr-code");
console.log(descriptor.label, Object.keys(descriptor.inputSchema?.properties ?? {}));
const described = await atelier.nodes.named([{ type: "text" }, { type: "qr-code" }]);
console.log(described["text"]?.label, await atelier.nodes.kinds([{ type: "qr-code" }]));

const { result, job } = await atelier.nodes.run("qr-code", { text: "https://example.org" }, { onProgress: (state) => console.log(state.progress) });
console.log(result.kind, result.url, job.credits_charged);

const { jobId } = await atelier.nodes.start("delay", { seconds: 600 });
console.log((await atelier.jobs.get(jobId)).status);
console.log(await atelier.jobs.status([jobId, job.id]));
await atelier.jobs.cancel(jobId);
await atelier.jobs.wait(jobId).catch((failure) => {
  if (!(failure instanceof RunFailedError)) throw failure;
  console.log(failure.code);
});
for (const one of await atelier.jobs.list({ limit: 5 }).take(5)) console.log(one.created_at, one.job_type, one.status);
