// Starts a run in one place and follows it in another, as a queue and a page would.
import { Atelier } from "atelier-sdk";

const atelier = new Atelier();

// A draft has an id before anything is paid: keep it, then start it. The key makes a repeat the same request.
const runId = await atelier.apps.draft("greeting");
await atelier.apps.start("greeting", { name: "Ada" }, { runId, idempotencyKey: `greeting-${runId}` });

for await (const run of atelier.apps.follow("greeting", runId)) console.log(run.status);

const ended = await atelier.apps.getRun("greeting", runId);
const { result } = await atelier.apps.results("greeting", ended);
console.log(result?.text);

// The same in one call, for a run whose states are of no interest.
const again = await atelier.apps.wait("greeting", runId);
console.log(again.result?.text === result?.text);

for await (const run of atelier.apps.runs("greeting", { limit: 10 })) console.log(run.createdAt, run.status);
await atelier.apps.archive("greeting", runId);
const [archived] = await atelier.apps.runs("greeting", { archived: true }).take(1);
console.log(archived?.id === runId);
