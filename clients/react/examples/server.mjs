// The routes of the form in plain Node. Frameworks whose routes take a Request and answer a Response (Next.js, Remix,
// SvelteKit, Hono, Deno, Bun, workers) use handle as it is:
//
//     export { handle as GET, handle as POST };
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { Atelier } from "atelier-sdk";
import { createHandler } from "atelier-react/server";

export const handle = createHandler({
  atelier: new Atelier(), // ATELIER_URL and ATELIER_TOKEN of the server's environment: the browser sees neither
  apps: ["poster", "greeting"],
  allow: (request) => request.headers.get("Cookie")?.includes("session=") ?? false, // look your session up here
  onError: (problem) => console.error(problem),
});

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:http").ServerResponse} outgoing
 */
async function answer(incoming, outgoing) {
  const ending = new AbortController();
  outgoing.on("close", () => ending.abort());
  outgoing.on("finish", () => incoming.resume()); // what is left of a body that was too large, before the next request
  const request = new Request(new URL(incoming.url ?? "/", `http://${incoming.headers.host}`), {
    method: incoming.method ?? "GET",
    headers: /** @type {Record<string, string>} */ (incoming.headers),
    body: incoming.method === "POST" ? /** @type {any} */ (ReadableStream.from(incoming.iterator({ destroyOnReturn: false }))) : null,
    signal: ending.signal,
    // @ts-expect-error Node asks for it with streams
    duplex: "half",
  });
  const { status, headers, body } = await handle(request);
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (!body) return outgoing.end();
  Readable.fromWeb(/** @type {ReadableStream} */ (body)).on("error", () => outgoing.destroy()).pipe(outgoing);
}

export const server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch((problem) => {
  console.error(problem); // such as an address that is none
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(400).end();
}));

if (process.env["PORT"]) server.listen(Number(process.env["PORT"]), () => console.log(`http://localhost:${process.env["PORT"]}`));
