// Writes src/api.ts: the types of what the SDK sends and reads, from the OpenAPI document of the service.
//
//     node scripts/types.mjs openapi.json src/api.ts
import { readFileSync, writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

/** What the SDK names; what these refer to comes along. */
const named = [
  "AcceptedRun", "BalanceView", "CreateWorkflowInputBody", "ExecutionDetail", "FileView", "JobStatusView", "ManagedApp",
  "NodeRunView", "NodeTypeView", "ProfileView", "PublicJob", "PublishInputBody", "RunAppInputBody", "RunValues", "RunView",
  "ShownApp", "StartedRun", "TransactionView", "UpdateAppInputBody", "UpdateWorkflowInputBody", "WorkflowDetail", "WorkflowView",
];

const [from, to] = process.argv.slice(2);
const whole = JSON.parse(readFileSync(from, "utf8"));
const schemas = {};
const paths = {};

function take(value) {
  if (Array.isArray(value)) return value.map(take);
  if (value === null || typeof value !== "object") return value;
  const out = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === "example" || key === "examples") continue;
    // Objects may gain fields, which is no reason to let misspelled ones through.
    if (key === "additionalProperties" && inner === true && value.properties) continue;
    out[key] = take(inner);
  }
  if (typeof value.$ref === "string") need(value.$ref.split("/").at(-1));
  return out;
}

function need(name) {
  if (name in schemas) return;
  if (!whole.components.schemas[name]) throw new Error(`the document has no ${name}`);
  schemas[name] = {};
  schemas[name] = take(whole.components.schemas[name]);
}

named.forEach(need);
// POST /v1/<node type>: the settings of each type of node.
for (const [path, item] of Object.entries(whole.paths)) {
  const answers = Object.values(item.post?.responses ?? {}).map((answer) => answer.content?.["application/json"]?.schema?.$ref);
  if (!/^\/v1\/[a-z0-9-]+$/.test(path) || !answers.includes("#/components/schemas/NodeRunView")) continue;
  paths[path] = { post: { requestBody: take(item.post.requestBody), responses: { 202: { description: "Accepted" } } } };
}

const tree = await openapi({ openapi: "3.1.0", info: whole.info, paths: sorted(paths), components: { schemas: sorted(schemas) } }, { silent: true, defaultNonNullable: false });
writeFileSync(to, "// Written by scripts/types.mjs from the OpenAPI document of the service.\n\n" + astToString(tree));

function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
