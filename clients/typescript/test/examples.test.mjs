// Every public function has an example. TestClients runs them against the service.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { Atelier } from "../dist/index.js";
import * as index from "../dist/index.js";
import * as form from "../dist/form.js";
import * as transport from "../dist/transport.js";
import * as webhook from "../dist/webhook.js";

const folder = new URL("../examples/", import.meta.url);
const text = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
const methods = (object) => Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor" && name !== "remembered");

test("every public function has an example", () => {
  const atelier = new Atelier({ baseUrl: "https://atelier.example" });
  const missing = methods(atelier).filter((name) => !text.includes(`atelier.${name}(`));
  for (const area of ["apps", "workflows", "executions", "nodes", "jobs", "files", "credits"]) {
    assert.ok(methods(atelier[area]).length > 1, area);
    missing.push(...methods(atelier[area]).filter((name) => !text.includes(`atelier.${area}.${name}(`)).map((name) => `${area}.${name}`));
  }
  for (const module of [index, form, transport, webhook]) {
    const functions = Object.keys(module).filter((name) => typeof module[name] === "function" && !/^[A-Z]/.test(name));
    missing.push(...functions.filter((name) => !new RegExp(`\\b${name}[(\`]`).test(text)));
  }
  missing.push(...methods(new index.Pages(() => {})).filter((name) => !text.includes(`.${name}(`)));
  assert.deepEqual(missing, []);
});
