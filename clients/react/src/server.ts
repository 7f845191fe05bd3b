/**
 * The routes that the form talks to, on the integrator's own server: they hold the token, and let a browser do nothing
 * but fill in the apps that are named.
 */
import { AtelierError, RunFailedError, type Atelier, type AppResult, type Run } from "atelier-sdk";
import { fieldsOf, type Form } from "atelier-sdk/form";
import type { RunState, ShownResult } from "./state.js";

export interface HandlerOptions {
  /** The client with the token. */
  atelier: Atelier;
  /** The slugs of the apps that may be run. */
  apps: readonly string[];
  /**
   * Who may use the routes: the account behind the token pays for every run. Look at the session of the request here;
   * runId is there when a run is looked at. Answer false to refuse, or a Response of your own.
   */
  allow: (request: Request, what: { slug: string; runId?: string }) => boolean | Response | Promise<boolean | Response>;
  /** Where the routes are mounted; "/api/atelier" unless said. */
  path?: string;
  /** The largest file that is passed on, in bytes; 25 MB unless said. */
  maxFile?: number;
  /** Told of what went wrong beyond what the browser is told. */
  onError?: (problem: unknown) => void;
}

/** The largest JSON that a form sends. */
const maxValues = 1 << 20;

/**
 * Makes a handler of web requests, as frameworks take it: GET {path}/{slug} is the form, POST {path}/{slug}/runs starts
 * a run, GET {path}/{slug}/runs/{runId} shows it, …/events streams it, POST {path}/{slug}/files passes a file on.
 */
export function createHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  const { atelier, apps, path = "/api/atelier", maxFile = 25_000_000 } = options;
  const base = path.replace(/\/+$/, "");

  return async (request) => {
    try {
      const address = new URL(request.url).pathname;
      if (!address.startsWith(`${base}/`)) return refuse(404, "not_found", "There is nothing here.");
      const [slug = "", area, runId, events, ...rest] = address.slice(base.length + 1).split("/").map(decodeURIComponent);
      if (!apps.includes(slug) || rest.length > 0) return refuse(404, "not_found", "There is no such app.");
      const allowed = await options.allow(request, { slug, ...(runId && { runId }) });
      if (allowed instanceof Response) return allowed;
      if (!allowed) return refuse(403, "forbidden", "You may not use this.");

      const { signal } = request;
      const route = `${request.method} ${[area, runId && "id", events].filter(Boolean).join("/")}`.trim();
      switch (route) {
        case "GET":
          return json(await atelier.apps.form(slug, { signal }));
        case "POST runs":
          return await start(slug, request);
        case "GET runs/id":
          return json(await stateOf(slug, await atelier.apps.getRun(slug, runId!, { signal })));
        case "GET runs/id/events":
          return stream(slug, runId!);
        case "POST files":
          return await keep(request);
      }
      return refuse(405, "method_not_allowed", "There is no such route.");
    } catch (problem) {
      return refusalOf(problem);
    }
  };

  async function start(slug: string, request: Request): Promise<Response> {
    // Pages of other sites cannot send this type without being asked.
    if (!/^application\/json\b/.test(request.headers.get("Content-Type") ?? "")) return refuse(415, "unsupported_media_type", "Send JSON.");
    const body = await bytesOf(request, maxValues);
    if (!body) return refuse(413, "payload_too_large", "The values are too large.");
    let values: unknown;
    try {
      values = JSON.parse(await body.text());
    } catch {
      return refuse(400, "validation_error", "The body is not JSON.");
    }
    const { inputs, inputOverrides } = exposed(await atelier.apps.form(slug), values);
    const key = request.headers.get("Idempotency-Key");
    const { runId } = await atelier.apps.start(slug, inputs, { inputOverrides, ...(key && { idempotencyKey: key }) });
    return json({ runId }, 202);
  }

  async function keep(request: Request): Promise<Response> {
    const name = request.headers.get("X-File-Name"); // a header that pages of other sites cannot send
    if (name === null) return refuse(400, "validation_error", "X-File-Name is missing.");
    const file = await bytesOf(request, maxFile);
    if (!file) return refuse(413, "payload_too_large", `The file has more than ${Math.floor(maxFile / 1_000_000)} MB.`);
    const { url, contentType, size: kept } = await atelier.files.upload(file, { name: decodeURIComponent(name), signal: request.signal });
    return json({ url, contentType, size: kept }, 201);
  }

  function stream(slug: string, runId: string): Response {
    const ending = new AbortController();
    const encoder = new TextEncoder();
    let count = 0;
    let beat: ReturnType<typeof setInterval> | undefined;
    const body = new ReadableStream<Uint8Array>({
      async start(out) {
        beat = setInterval(() => out.enqueue(encoder.encode(": still here\n\n")), 15_000);
        try {
          for await (const run of atelier.apps.follow(slug, runId, { signal: ending.signal })) {
            const state = await stateOf(slug, run);
            out.enqueue(encoder.encode(`id: ${++count}\ndata: ${JSON.stringify(state)}\n\n`));
          }
        } catch (problem) {
          if (!ending.signal.aborted) options.onError?.(problem); // the browser polls, and is told why
        }
        clearInterval(beat);
        if (!ending.signal.aborted) out.close();
      },
      cancel: () => {
        clearInterval(beat);
        ending.abort();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" } });
  }

  async function stateOf(slug: string, run: Run): Promise<RunState> {
    const { status, completedNodes, totalNodes, errorMessage } = run.execution;
    const state: RunState = { status, completedNodes, totalNodes, error: null, result: null, results: [] };
    if (status === "failed") state.error = errorMessage || "The run failed.";
    if (status === "completed") {
      const { result, results } = await atelier.apps.results(slug, run);
      state.results = results.map(shownOf);
      state.result = result ? shownOf(result) : null;
    }
    return state;
  }

  function refusalOf(problem: unknown): Response {
    if (problem instanceof FieldProblem) return refuse(400, "validation_error", problem.message);
    if (problem instanceof URIError) return refuse(400, "validation_error", "The address is malformed.");
    if (problem instanceof AtelierError) {
      const { status, code, details } = problem;
      // What the person at the form can do something about; the rest concerns the token and its account.
      if ([400, 404, 409, 413, 415, 429].includes(status)) return refuse(status, code, details.message, problem.field, problem.retryAfter);
      options.onError?.(problem);
      return refuse(502, status === 402 ? code : "unavailable", "This cannot be run at the moment.");
    }
    options.onError?.(problem);
    return refuse(problem instanceof RunFailedError ? 409 : 502, "unavailable", "This cannot be run at the moment.");
  }
}

/** The body of a request, undefined when it has more than that many bytes. */
async function bytesOf(request: Request, most: number): Promise<Blob | undefined> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) return undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader!.read()) {
    if ((size += part.value.byteLength) > most) {
      await reader!.cancel();
      return undefined;
    }
    parts.push(part.value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(parts, { type: request.headers.get("Content-Type") ?? "" });
}

/** The values that a form asks for; others are refused, so that a browser reaches nothing that the app does not show. */
function exposed(form: Form, values: unknown): { inputs: Record<string, unknown>; inputOverrides: Record<string, Record<string, unknown>> } {
  const out = { inputs: {} as Record<string, unknown>, inputOverrides: {} as Record<string, Record<string, unknown>> };
  const { inputs = {}, inputOverrides = {} } = objectOf(values, "the body");
  const fields = fieldsOf(form.parts);
  for (const [id, value] of Object.entries(objectOf(inputs, "inputs"))) {
    if (!fields.some((field) => field.id !== "" && field.id === id)) throw new FieldProblem(`${id} is no field of this form.`);
    out.inputs[id] = value;
  }
  for (const [node, patch] of Object.entries(objectOf(inputOverrides, "inputOverrides"))) {
    for (const [name, value] of Object.entries(objectOf(patch, node))) {
      if (!fields.some((field) => field.id === "" && field.nodeId === node && field.field === name)) throw new FieldProblem(`${name} is no field of this form.`);
      (out.inputOverrides[node] ??= {})[name] = value;
    }
  }
  return out;
}

class FieldProblem extends Error {}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new FieldProblem(`${what} must be an object.`);
  return value as Record<string, unknown>;
}

function shownOf({ nodeId, kind, url, text, output }: AppResult["results"][number]): ShownResult {
  return { nodeId, kind, url: url ?? null, text: text ?? null, data: kind === "data" && url === undefined ? output : null };
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", "Cache-Control": "no-store" } });
}

function refuse(status: number, code: string, message: string, field?: string, retryAfter?: number): Response {
  const answer = json({ error: { code, message, ...(field && { field }) } }, status);
  if (retryAfter !== undefined) answer.headers.set("Retry-After", String(retryAfter));
  return answer;
}
