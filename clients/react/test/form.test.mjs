// The form in a page, against the routes of examples/server.mjs, against the service (ATELIER_URL, ATELIER_TOKEN).
// TestClients runs it in a folder where the packages are installed.
import assert from "node:assert/strict";
import test from "node:test";
import { once } from "node:events";
import { request } from "node:http";
import { Window } from "happy-dom";

const window = new Window({ url: "http://page.example/" });
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
const { act, createElement } = await import("react");
const { createRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");
const { AppForm, FieldControl, RunResult } = await import("atelier-react");
const { createHandler } = await import("atelier-react/server");
const { Atelier } = await import("atelier-sdk");
const { server } = await import("./server.mjs");

const token = process.env.ATELIER_TOKEN;
server.listen(0);
await once(server, "listening");
test.after(() => server.close());
const routes = `http://127.0.0.1:${server.address().port}/api/atelier`;

// The page sends its session with every request, as browsers do; what comes back is searched for the token.
const platform = globalThis.fetch;
globalThis.fetch = async (input, init = {}) => {
  const own = String(input).startsWith(routes);
  const answer = await platform(input, own ? { ...init, headers: { ...init.headers, Cookie: "session=ada" } } : init);
  if (own && !/event-stream/.test(answer.headers.get("Content-Type") ?? "")) {
    const text = await answer.clone().text();
    assert.ok(!text.includes(token) && ![...answer.headers].flat().join().includes(token), "the token reaches the page");
  }
  return answer;
};

async function until(what, found) {
  for (let tries = 0; tries < 1_500; tries++) {
    const value = found();
    if (value) return value;
    await act(() => new Promise((wake) => setTimeout(wake, 20)));
  }
  assert.fail(`${what}: ${document.body.innerHTML}`);
}

async function page(props, component = AppForm) {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  await act(() => root.render(createElement(component, props)));
  return { place, end: () => act(() => (root.unmount(), place.remove())) };
}

/** Types into a control as a person does, past React's own bookkeeping. */
function fill(control, text) {
  const prototype = { INPUT: window.HTMLInputElement, TEXTAREA: window.HTMLTextAreaElement, SELECT: window.HTMLSelectElement }[control.tagName].prototype;
  Object.getOwnPropertyDescriptor(prototype, "value").set.call(control, text);
  return act(() => control.dispatchEvent(new window.Event(control.tagName === "SELECT" ? "change" : "input", { bubbles: true })));
}

const submit = (place) => act(() => place.querySelector("form").dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true })));
const labelled = (place, text) => document.getElementById([...place.querySelectorAll("label")].find((label) => label.textContent.startsWith(text)).getAttribute("for"));

test("a form is filled in and run", async () => {
  const ended = [];
  const { place, end } = await page({ endpoint: `${routes}/greeting`, onResult: (run) => ended.push(run) });
  await until("the form", () => place.querySelector("form"));
  assert.match(place.textContent, /Greets a person\./);
  assert.equal(place.querySelector("legend").textContent, "More");
  const name = labelled(place, "Name");
  assert.equal(name.tagName, "TEXTAREA");
  assert.equal(name.value, "world", "prefilled with what is published");

  await fill(name, " ");
  await submit(place);
  assert.equal(name.getAttribute("aria-invalid"), "true");
  assert.equal(document.getElementById(name.getAttribute("aria-describedby").split(" ").at(-1)).textContent, "Name is needed.");
  assert.equal(document.activeElement, name);

  await fill(name, "Ada");
  await fill(labelled(place, "Mood"), '"solemn"');
  await submit(place);
  const result = await until("the result", () => place.querySelector(".atelier-result"));
  assert.equal(result.textContent, "Hello Ada, have a solemn day");
  assert.equal(ended.length, 1);
  assert.equal(ended[0].status, "completed");
  await end();
});

test("a picture is shown as one", async () => {
  const { place, end } = await page({ endpoint: `${routes}/poster` });
  await until("the form", () => place.querySelector("form"));
  assert.match(place.textContent, /2\.5 credits/);
  await fill(labelled(place, "Topic"), "a fox");
  await submit(place);
  await until("progress or the result", () => place.querySelector("progress, .atelier-result"));
  const picture = await until("the picture", () => place.querySelector(".atelier-result img"));
  assert.match(picture.getAttribute("src"), /^http:.*\.png$/);
  assert.equal(picture.getAttribute("alt"), "Result of Poster");
  await end();
});

test("a form that looks as one likes", async () => {
  const { OwnLook } = await import("./own-look.mjs");
  const { place, end } = await page({ endpoint: `${routes}/greeting` }, OwnLook);
  const press = (text) => act(() => [...place.querySelectorAll("button")].find((button) => button.textContent === text).click());
  await until("the form", () => place.querySelector("textarea"));
  await fill(labelled(place, "Name"), "Hedy");
  await press("Go");
  await until("the result", () => place.querySelector(".atelier-result"));
  assert.match(place.textContent, /Hello Hedy, have a merry day/);
  await press("Another");
  assert.ok(place.querySelector("textarea"));
  await end();
});

test("a server renders the form that it has", async () => {
  const form = await new Atelier().apps.form("greeting");
  const html = renderToString(createElement(AppForm, { endpoint: "/api/atelier/greeting", form, submitLabel: "Greet" }));
  assert.match(html, /<textarea[^>]*>world<\/textarea>/);
  assert.match(html, /Greet<\/button>/);
});

test("every kind of control", () => {
  const base = { type: "field", id: "x", nodeId: "n", field: "f", label: "Label", hint: "Hint.", value: undefined, text: "", options: [], whole: false, required: false, maxLength: 0 };
  const shown = (field, text = "") => renderToString(createElement(FieldControl, { id: "c", field: { ...base, ...field }, text, onChange() {}, onUpload: async () => "" }));
  assert.match(shown({ kind: "select", options: ["a", 2] }, "2"), /<option value="&quot;a&quot;">a<\/option><option value="2" selected="">2<\/option>/);
  assert.match(shown({ kind: "select", options: ["a"] }), /Choose…/);
  assert.match(shown({ kind: "toggle" }, "on"), /type="checkbox"[^>]* checked=""/);
  assert.match(shown({ kind: "number", whole: true }, "7"), /inputMode="numeric"[^>]* value="7"/);
  assert.match(shown({ kind: "slider", min: 0, max: 10 }, "7"), /type="range"[^>]*min="0" max="10"[^>]*>.*<output for="c">7/);
  assert.match(shown({ kind: "color" }, "#ff0000"), /type="color"[^>]*value="#ff0000"/);
  assert.match(shown({ kind: "area", maxLength: 9 }, "words"), /<textarea[^>]*maxLength="9"[^>]*>words/);
  assert.match(shown({ kind: "json" }, "[1]"), /<textarea[^>]*>\[1\]/);
  assert.match(shown({ kind: "file", accept: "image" }), /type="file" accept="image\/\*"/);
  assert.match(shown({ kind: "line" }, "x"), /type="text"[^>]*value="x"/);
  assert.match(shown({ kind: "thing" }), /aria-describedby="c-hint".*<p id="c-hint"/);
});

test("every kind of result", () => {
  const shown = (result) => renderToString(createElement(RunResult, { name: "App", result: { nodeId: "n", url: null, text: null, data: null, ...result } }));
  assert.match(shown({ kind: "video", url: "https://a.example/b.mp4" }), /<video src="https:\/\/a\.example\/b\.mp4" controls/);
  assert.match(shown({ kind: "audio", url: "https://a.example/b.mp3" }), /<audio/);
  assert.match(shown({ kind: "text", text: "<b>" }), /&lt;b&gt;/);
  assert.match(shown({ kind: "data", data: { rows: 2 } }), /<pre[^>]*>{\n {2}&quot;rows&quot;: 2/);
  assert.doesNotMatch(shown({ kind: "image", url: "javascript:alert(1)" }), /javascript/);
});

test("a request that is none does not end the server", async () => {
  const quiet = test.mock.method(console, "error", () => {});
  for (const [method, path, Host] of [["GET", "//", "page.example"], ["TRACE", "/", "page.example"], ["GET", "/", "page example"]]) {
    const [answer] = await once(request({ port: server.address().port, method, path, headers: { Host } }).end(), "response");
    assert.equal(answer.resume().statusCode, 400, `${method} ${path} of ${Host}`);
  }
  assert.equal(quiet.mock.callCount(), 3);
  quiet.mock.restore();
});

test("a body is read as far as it may go", async () => {
  const handle = createHandler({ atelier: new Atelier(), apps: ["greeting"], allow: () => true });
  let sent = 0;
  const body = new ReadableStream({ pull: (out) => ++sent > 100 ? out.close() : out.enqueue(new Uint8Array(1 << 18)) });
  const answer = await handle(new Request("http://x/api/atelier/greeting/runs", { method: "POST", body, duplex: "half", headers: { "Content-Type": "application/json" } }));
  assert.equal(answer.status, 413);
  assert.ok(sent < 10, `${sent} parts of 256 KiB were read`);
});

test("a stream that the browser leaves keeps no timer", async () => {
  test.mock.timers.enable({ apis: ["setInterval"] });
  const waits = { apps: { follow: async function* (slug, id, { signal }) { await once(signal, "abort"); } } };
  const handle = createHandler({ atelier: waits, apps: ["greeting"], allow: () => true });
  const { body } = await handle(new Request("http://x/api/atelier/greeting/runs/1/events"));
  await body.cancel();
  test.mock.timers.tick(15_000);
  test.mock.timers.reset();
});

test("the routes let a browser do nothing else", async () => {
  const post = (path, body, headers = { "Content-Type": "application/json" }) => fetch(routes + path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers });
  const code = async (answer, status) => {
    const { error } = await (await answer).json();
    assert.equal((await answer).status, status, JSON.stringify(error));
    return error.code;
  };
  assert.equal(await code(platform(`${routes}/greeting`), 403), "forbidden", "without a session");
  assert.equal(await code(fetch(`${routes}/another`), 404), "not_found");
  assert.equal(await code(fetch(`${routes}/%ff`), 400), "validation_error");
  assert.equal(await code(fetch(`${routes}/greeting/runs`, { method: "DELETE" }), 405), "method_not_allowed");
  assert.equal(await code(post("/greeting/runs", "{}", { "Content-Type": "text/plain" }), 415), "unsupported_media_type", "what a form of another site can send");
  assert.equal(await code(post("/greeting/runs", "{"), 400), "validation_error");
  assert.equal(await code(post("/greeting/runs", "x".repeat(1 << 21)), 413), "payload_too_large");
  for (const body of [[], { inputs: [] }, { inputs: { who: "a" } }, { inputOverrides: { line: { template: "x" } } }, { inputOverrides: { who: 1 } }]) {
    assert.equal(await code(post("/greeting/runs", body), 400), "validation_error", JSON.stringify(body));
  }
  const refused = await (await post("/greeting/runs", { inputs: { mood: "angry" } })).json();
  assert.equal(refused.error.field, "inputs.mood");
  assert.equal(await code(fetch(`${routes}/greeting/runs/01990000-0000-7000-8000-000000000001`), 404), "not_found");
  assert.equal(await code(post("/greeting/files", "x", { "Content-Type": "text/plain" }), 400), "validation_error", "a form of another site cannot say X-File-Name");
  const kept = await (await post("/greeting/files", "hello", { "Content-Type": "text/plain", "X-File-Name": "n%C3%B6tes.txt" })).json();
  assert.match(kept.url, /^http.*\.txt$/);

  const small = createHandler({ atelier: new Atelier(), apps: ["greeting"], allow: () => true, maxFile: 3 });
  assert.equal((await small(new Request("http://x/api/atelier/greeting/files", { method: "POST", body: "hello", headers: { "X-File-Name": "x" } }))).status, 413);
  const problems = [];
  const poor = createHandler({ atelier: new Atelier({ token: "svc_wrong" }), apps: ["greeting"], allow: () => true, onError: (problem) => problems.push(problem) });
  const answer = await poor(new Request("http://x/api/atelier/greeting/runs", { method: "POST", body: '{"inputs":{}}', headers: { "Content-Type": "application/json" } }));
  assert.equal(answer.status, 502, "a browser is not told of the token");
  assert.equal(problems[0].code, "unauthorized");
});
