// How the client repeats, follows and reads, against a service made of answers; examples/ are run against the real one.
import assert from "node:assert/strict";
import test from "node:test";
import { Atelier, AtelierError, ConnectionError, RunFailedError, resultOf, resultsOf, mainResult, version } from "../dist/index.js";
import { readFileSync } from "node:fs";

/** A client whose requests get these answers, one after another; it notes what it sent and how long it waited. */
function scripted(answers, options = {}) {
  const sent = [];
  const waits = [];
  const atelier = new Atelier({
    baseUrl: "https://atelier.example/",
    token: "svc_x",
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
    },
    fetch: async (url, init) => {
      sent.push({ url: String(url).replace("https://atelier.example", ""), ...init });
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`nothing answers ${init.method} ${url}`);
      if (answer instanceof Error) throw answer;
      return typeof answer === "function" ? answer(init) : answer;
    },
    ...options,
  });
  return { atelier, sent, waits };
}

const json = (body, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const refusal = (status, code, headers = {}) => json({ error: { code, message: "No.", field: "x" } }, status, headers);
const broken = () => new TypeError("fetch failed", { cause: new Error("ECONNRESET") });
const coded = (code) => (failure) => failure instanceof AtelierError && failure.code === code;

test("what every request says", async () => {
  const { atelier, sent } = scripted([json({ data: { id: "me" } }), json({ data: {} })], { workspace: "w" });
  assert.equal((await atelier.me()).id, "me");
  await atelier.me({ workspace: "other" });
  assert.equal(sent[0].url, "/v1/me");
  const { headers } = sent[0];
  assert.equal(headers.Authorization, "Bearer svc_x");
  assert.equal(headers["X-Service-Client"], `sdk/${version}`);
  assert.equal(headers["X-Service-Workspace"], "w");
  assert.equal(headers["Idempotency-Key"], undefined);
  assert.equal(sent[1].headers["X-Service-Workspace"], "other");
  assert.equal(version, JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
});

test("429 waits 5, 10 and 20 seconds, and at least Retry-After", async () => {
  const { atelier, sent, waits } = scripted([refusal(429, "rate_limited"), refusal(429, "rate_limited", { "Retry-After": "12" }), refusal(429, "rate_limited"), json({ executionId: "e", runId: "r", status: "pending" })]);
  assert.equal((await atelier.apps.start("poster")).runId, "r");
  assert.deepEqual(waits, [5_000, 12_000, 20_000]);
  const keys = new Set(sent.map((one) => one.headers["Idempotency-Key"]));
  assert.equal(keys.size, 1);
  assert.ok([...keys][0]);
});

test("429 that lasts is told, with what the service said of it", async () => {
  const four = () => scripted([1, 2, 3, 4].map(() => refusal(429, "rate_limited", { "Retry-After": "7", "X-Request-Id": "q" })));
  await assert.rejects(four().atelier.me(), (failure) => coded("rate_limited")(failure) && failure.status === 429 && failure.retryAfter === 7 && failure.requestId === "q" && failure.field === "x");
  const tomorrow = scripted([refusal(429, "rate_limit_exceeded", { "Retry-After": "40000" })]);
  await assert.rejects(tomorrow.atelier.apps.start("poster"), coded("rate_limit_exceeded"));
  assert.deepEqual(tomorrow.waits, [], "nothing waits for tomorrow");
});

test("other 4xx are final", async () => {
  for (const [status, code] of [[400, "validation_error"], [401, "unauthorized"], [402, "insufficient_app_credits"], [404, "not_found"], [409, "idempotency_in_progress"]]) {
    const { atelier, sent } = scripted([refusal(status, code)]);
    await assert.rejects(atelier.apps.start("poster"), coded(code));
    assert.equal(sent.length, 1);
  }
});

test("500 is tried once more, 503 as long as it helps", async () => {
  const fault = scripted([refusal(500, "internal_error"), refusal(500, "internal_error")]);
  await assert.rejects(fault.atelier.me(), coded("internal_error"));
  assert.equal(fault.sent.length, 2);
  const busy = scripted([refusal(503, "service_unavailable", { "Retry-After": "2" }), new Response("<h1>Bad gateway</h1>", { status: 502 }), refusal(503, "rate_limit_unavailable"), json({ data: {} })]);
  await busy.atelier.me();
  assert.deepEqual(busy.waits, [2_000, 2_000, 4_000]);
  await assert.rejects(scripted([refusal(503, "encryption_key_missing")]).atelier.me(), coded("encryption_key_missing"));
});

test("a broken connection is tried again under the same key, and its first request may be at work still", async () => {
  const { atelier, sent } = scripted([broken(), refusal(409, "idempotency_in_progress"), json({ executionId: "e", runId: "r", status: "pending" })]);
  await atelier.apps.start("poster");
  assert.equal(new Set(sent.map((one) => one.headers["Idempotency-Key"])).size, 1);
  const change = scripted([broken()]);
  await assert.rejects(change.atelier.workflows.update("w", { name: "x" }), ConnectionError);
  assert.equal(change.sent.length, 1, "what a change did that broke off is not known");
  const never = scripted([broken()], { retries: 0 });
  await assert.rejects(never.atelier.me(), (failure) => failure instanceof ConnectionError && /ECONNRESET/.test(failure.message) && !/svc_x/.test(failure.message));
});

test("an answer that does not begin in time, and a caller that ends a call", async () => {
  const silent = (init) => new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))));
  await assert.rejects(scripted([silent], { timeout: 5, retries: 0 }).atelier.me(), (failure) => failure instanceof ConnectionError && /no answer within/.test(failure.message));
  const endless = (init) => new Response(new ReadableStream({ start: (out) => init.signal.addEventListener("abort", () => out.error(new DOMException("aborted", "AbortError"))) }));
  await assert.rejects(scripted([endless], { timeout: 5, retries: 0 }).atelier.me(), (failure) => failure instanceof ConnectionError && /no answer within/.test(failure.message));
  const controller = new AbortController();
  const call = scripted([silent]).atelier.me({ signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(call, /enough/);
});

test("ids are one segment of a path", async () => {
  const { atelier, sent } = scripted([json({}), json({})]);
  await atelier.apps.get("a/../b?c");
  assert.equal(sent[0].url, "/v1/app/a%2F..%2Fb%3Fc");
  for (const id of ["", ".", ".."]) assert.throws(() => atelier.apps.get(id), TypeError);
});

test("something else than an install", async () => {
  await assert.rejects(scripted([new Response("<html>")]).atelier.me(), ConnectionError);
  assert.throws(() => new Atelier({ baseUrl: "ftp://atelier.example" }), TypeError);
  assert.throws(() => new Atelier({ baseUrl: "" }), TypeError);
});

test("lists are read page by page, by both names of a cursor", async () => {
  for (const name of ["next", "nextCursor"]) {
    const { atelier, sent } = scripted([json({ data: [1, 2], [name]: "c 1" }), json({ data: [3], [name]: null })]);
    const rows = [];
    for await (const row of atelier.list("/v1/things", { limit: 2 })) rows.push(row);
    assert.deepEqual(rows, [1, 2, 3]);
    assert.deepEqual(sent.map((one) => one.url), ["/v1/things?limit=2", "/v1/things?limit=2&cursor=c+1"]);
  }
  const { atelier, sent } = scripted([json({ data: [1, 2], next: "c" })]);
  assert.deepEqual(await atelier.jobs.list().take(2), [1, 2]);
  assert.equal(sent.length, 1);
});

const run = (status, completedNodes = 0) => ({ id: "r", status, execution: { status, completedNodes, totalNodes: 2, errorMessage: status === "failed" ? "It broke." : null, nodeStates: {} } });
const event = (tag, body) => `id: ${tag}\nevent: run\ndata: ${JSON.stringify(body)}\n\n`;
const stream = (...chunks) =>
  new Response(
    new ReadableStream({
      start(out) {
        for (const chunk of chunks) out.enqueue(new TextEncoder().encode(chunk));
        out.close();
      },
    }),
    { headers: { "Content-Type": "text/event-stream" } },
  );

async function statuses(states) {
  const out = [];
  for await (const state of states) out.push(`${state.status} ${state.execution.completedNodes}`);
  return out;
}

test("a run is followed by its stream, which goes on where it broke off", async () => {
  const first = event("1", run("running")) + event("2", run("running", 1));
  const { atelier, sent } = scripted([stream(": still here\n\n", first.slice(0, 9), first.slice(9)), stream(event("3", run("completed", 2)))]);
  assert.deepEqual(await statuses(atelier.apps.follow("poster", "r")), ["running 0", "running 1", "completed 2"]);
  assert.deepEqual(sent.map((one) => one.url), ["/v1/app/poster/runs/r/events", "/v1/app/poster/runs/r/events"]);
  assert.equal(sent[1].headers["Last-Event-ID"], "2");
});

test("a stream that has nothing more to say", async () => {
  const { atelier } = scripted([stream(event("1", run("running"))), new Response(null, { status: 204 }), json(run("completed", 2))]);
  assert.deepEqual(await statuses(atelier.apps.follow("poster", "r")), ["running 0", "completed 2"]);
});

test("polls where there is no stream", async () => {
  for (const none of [() => new Response("{}", { headers: { "Content-Type": "application/json" } }), () => refusal(429, "rate_limit_exceeded"), () => broken()]) {
    const { atelier, sent, waits } = scripted([none(), json(run("running"), 200, { ETag: '"1"' }), new Response(null, { status: 304 }), json(run("completed", 2))]);
    assert.deepEqual(await statuses(atelier.apps.follow("poster", "r")), ["running 0", "completed 2"]);
    assert.deepEqual(waits, [2_000, 2_000]);
    assert.equal(sent[2].headers["If-None-Match"], '"1"');
  }
  const silent = scripted([stream(event("1", run("running"))), stream(), stream(), json(run("completed", 2))]);
  assert.deepEqual(await statuses(silent.atelier.apps.follow("poster", "r")), ["running 0", "completed 2"]);
  assert.equal(silent.sent.at(-1).headers["If-None-Match"], '"1"', "a stream's event has the tag of a poll");
  const asked = scripted([json(run("completed", 2))]);
  assert.deepEqual(await statuses(asked.atelier.apps.follow("poster", "r", { stream: false })), ["completed 2"]);
});

test("what a poll is refused with is told", () => assert.rejects(statuses(scripted([refusal(404, "not_found"), refusal(404, "not_found")]).atelier.apps.follow("poster", "r")), coded("not_found")));

test("a run that fails", async () => {
  const { atelier } = scripted([json({ executionId: "e", runId: "r", status: "pending" }), stream(event("1", run("failed")))]);
  await assert.rejects(atelier.apps.run("poster", {}), (failure) => failure instanceof RunFailedError && failure.message === "It broke." && failure.ended.id === "r");
});

test("results go by the order of keys and by what the node yields", () => {
  assert.deepEqual(resultOf("n", { imageUrl: "i", url: "u", text: "t" }, "image"), { nodeId: "n", kind: "image", url: "u", text: undefined, output: { imageUrl: "i", url: "u", text: "t" } });
  assert.equal(resultOf("n", { imageUrl: "i", url: "i" }).kind, "image");
  assert.equal(resultOf("n", { videoUrl: "v" }).kind, "video");
  assert.equal(resultOf("n", { text: "t" }).kind, "text");
  assert.equal(resultOf("n", { rows: [] }).kind, "data");
  assert.equal(resultOf("n", {}, "image").kind, "data", "a picture that is not there is none");
  const states = { b: { output: { text: "2" } }, a: { output: { text: "1" } }, c: { output: {} }, d: { output: null } };
  const results = resultsOf({ nodeStates: states }, [{ id: "a", type: "x" }, { id: "b", type: "x" }, { id: "c", type: "x" }, { id: "d", type: "x" }]);
  assert.deepEqual(results.map((result) => result.nodeId), ["a", "b"]);
  assert.equal(mainResult({ thumbnailNodeId: "a" }, results).text, "1");
  assert.equal(mainResult({ thumbnailNodeId: null }, results).text, "2");
  assert.equal(mainResult({ thumbnailNodeId: null }, []), undefined);
});

test("uploads tell how far they are", async () => {
  const took = async (init) => {
    const body = await new Response(init.body).text();
    assert.match(body, /filename="a_b.txt"\r\nContent-Type: text\/plain\r\n\r\nhello\r\n--/);
    assert.ok(init.headers["Content-Type"].startsWith("multipart/form-data; boundary="));
    return json({ data: { id: "f" } }, 201);
  };
  const { atelier } = scripted([broken(), took]);
  const told = [];
  await atelier.files.upload(new Blob(["hello"], { type: "text/plain" }), { name: 'a"b.txt', onProgress: (progress) => told.push(progress) });
  assert.equal(told.at(-1).sent, told.at(-1).total);
  assert.equal(told[0].sent, 0);
  assert.equal((await scripted([took]).atelier.files.upload(new Blob(["hello"], { type: "text/plain" }), { name: "a\nb.txt" })).id, "f");
});

test("the token may be asked for at each request", async () => {
  let count = 0;
  const { atelier, sent } = scripted([json({ data: {} }), json({ data: {} })], { token: async () => `svc_app_${++count}` });
  await atelier.me();
  await atelier.me();
  assert.deepEqual(sent.map((one) => one.headers.Authorization), ["Bearer svc_app_1", "Bearer svc_app_2"]);
});
