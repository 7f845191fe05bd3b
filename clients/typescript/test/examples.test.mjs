// Every public function has an example. TestClients runs them against the service.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { Atelier, Pages } from "../dist/index.js";
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
  for (const name of ["keyOf", "fieldsOf", "valuesOf"]) if (!text.includes(`${name}(`)) missing.push(name);
  if (!text.includes("verify(") || !webhook.verify) missing.push("verify");
  if (!text.includes(".take(") || !Pages) missing.push("take");
  assert.deepEqual(missing, []);
});
