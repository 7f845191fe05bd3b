// A receiver of events in Node, without a framework:
//
//     WEBHOOK_SECRET=whsec_… node receiver.mjs
//
// It verifies, sees whether it has had the event, keeps it, answers, and works
// afterwards. A real one keeps the ids where they outlive a restart, in the
// transaction that keeps the event. In a program of your own the import is
// "atelier-sdk/webhook", or the file that you copied.
import { createServer } from "node:http";
import { verify, WebhookError } from "../../clients/typescript/dist/webhook.js";

const secrets = [process.env.WEBHOOK_SECRET, process.env.WEBHOOK_SECRET_BEFORE];
const seen = new Set();
const mostBytes = 256 * 1024; // events are at most 64 KB

const server = createServer(async (request, response) => {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== "POST") return answer(405);
  try {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
    }
    if (size > mostBytes) return answer(413);
    const event = await verify(request.headers, Buffer.concat(chunks), secrets);
    if (!seen.has(event.id)) {
      seen.add(event.id);
      setImmediate(handle, event);
    }
    answer(204);
  } catch (failure) {
    console.error(failure instanceof WebhookError ? failure.message : failure);
    answer(failure instanceof WebhookError ? 400 : 500);
  }
});

function handle(event) {
  console.log("handled", event.id, event.type);
}

server.listen(Number(process.env.PORT ?? 8090), () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
