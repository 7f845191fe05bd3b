// Runs a published app, shows how far it is, and keeps the picture.
import { writeFile } from "node:fs/promises";
import { Atelier } from "atelier-sdk";

const atelier = new Atelier(); // ATELIER_URL and ATELIER_TOKEN

const { run, result, results } = await atelier.apps.run(
  "poster",
  { topic: "a fox" },
  { onProgress: ({ execution }) => console.log(`${execution.completedNodes} of ${execution.totalNodes}`) },
);
console.log(`${run.creditsUsed} credits, ${results.length} results`);

if (!result?.url) throw new Error("the app makes pictures");
const picture = await atelier.files.download(result.url);
await writeFile("fox.png", new Uint8Array(await picture.arrayBuffer()));
console.log(`fox.png: ${result.kind}, ${picture.size} bytes`);
