// Loads the node as n8n does and runs it against the service (ATELIER_URL, ATELIER_TOKEN). TestClients runs it where the
// packages are installed.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";

const require = createRequire(import.meta.url);
const { NodeHelpers, NodeOperationError } = require("n8n-workflow");
const manifest = require.resolve("n8n-nodes-atelier/package.json");
const { n8n } = require(manifest);
// n8n takes the class that is called like its file.
const load = (file) => new (require(join(dirname(manifest), file))[file.split("/").pop().split(".")[0]])();
const node = load(n8n.nodes[0]);
const credential = load(n8n.credentials[0]);

const placed = { id: "1", name: "Atelier", type: "n8n-nodes-atelier.atelier", typeVersion: 1, position: [0, 0], parameters: {} };

/** What n8n hands to a node: parameters with their defaults, items, credentials. */
function context(parameters, { items = [{ json: {} }], continueOnFail = false, credentials = {} } = {}) {
  const whole = NodeHelpers.getNodeParameters(node.description.properties, parameters, true, false, placed, node.description);
  const at = (name) => name.split(".").reduce((object, key) => object?.[key], whole);
  return {
    getInputData: () => items,
    getNode: () => placed,
    getNodeParameter: (name, ...rest) => at(name) ?? rest.at(-1),
    getCredentials: async (name) => {
      assert.equal(name, credential.name);
      return { url: process.env.ATELIER_URL, token: process.env.ATELIER_TOKEN, workspace: "", ...credentials };
    },
    continueOnFail: () => continueOnFail,
    helpers: {
      prepareBinaryData: async (content, fileName, mimeType) => ({ data: content.toString("base64"), fileName, mimeType }),
      getBinaryDataBuffer: async (index, name) => Buffer.from(items[index].binary[name].data, "base64"),
    },
  };
}

const mapping = (value) => ({ mappingMode: "defineBelow", value, matchingColumns: [], schema: [] });

test("the node and its credential are what n8n takes", () => {
  assert.equal(NodeHelpers.getNodeParametersIssues(node.description.properties, { ...placed, parameters: { app: "poster" } }, node.description), null);
  assert.ok(NodeHelpers.getNodeParametersIssues(node.description.properties, { ...placed, parameters: {} }, node.description).parameters.app);
  assert.deepEqual(node.description.credentials, [{ name: credential.name, required: true }]);
  assert.equal(credential.properties.find(({ name }) => name === "token").typeOptions.password, true);
});

test("apps to choose from, and the form of one as fields", async () => {
  const apps = await node.methods.loadOptions.getApps.call(context({}));
  assert.ok(apps.some(({ value, name }) => value === "greeting" && name === "Greeting"));
  const { fields } = await node.methods.resourceMapping.getFields.call(context({ app: "greeting" }));
  assert.deepEqual(fields.map(({ id, displayName, type, defaultValue }) => [id, displayName, type, defaultValue]), [["name", "Name", "string", "world"], ["mood", "Mood", "options", "merry"]]);
  assert.deepEqual(fields[1].options.map(({ value }) => value), ["merry", "solemn"]);
  assert.deepEqual(await node.methods.resourceMapping.getFields.call(context({})), { fields: [] });
});

test("each item is a run", async () => {
  const items = [{ json: { name: "Ada" } }, { json: { name: "Grace", mood: "solemn", other: 1 } }];
  const [out] = await node.execute.call(context({ app: "greeting", fields: { mappingMode: "autoMapInputData", value: null } }, { items }));
  assert.deepEqual(out.map(({ json, pairedItem }) => [json.text, pairedItem.item]), [["Hello Ada, have a merry day", 0], ["Hello Grace, have a solemn day", 1]]);
});

test("the file of the result is handed on", async () => {
  const [[item]] = await node.execute.call(context({ app: "poster", fields: mapping({ topic: "a fox" }), options: { binaryField: "picture" } }));
  assert.equal(item.json.kind, "image");
  assert.equal(item.json.credits, 2.5);
  assert.equal(item.binary.picture.mimeType, "image/png");
  assert.equal(Buffer.from(item.binary.picture.data, "base64").subarray(1, 4).toString(), "PNG");
});

test("what goes wrong", async () => {
  const wrong = { app: "greeting", fields: mapping({ mood: "angry" }) };
  await assert.rejects(node.execute.call(context(wrong)), (failure) => failure instanceof NodeOperationError && /Mood must be one of merry, solemn/.test(failure.message) && failure.context.itemIndex === 0);
  const [[item]] = await node.execute.call(context(wrong, { continueOnFail: true }));
  assert.match(item.json.error, /Mood must be one of/);
  await assert.rejects(node.execute.call(context({ app: "greeting", fields: mapping({}) }, { credentials: { token: "svc_wrong" } })), (failure) => failure instanceof NodeOperationError && !/svc_wrong/.test(JSON.stringify(failure)));
});

test("a form that could not be read is asked for again", async (t) => {
  let asked = 0;
  t.mock.method(globalThis, "fetch", async () => Response.json({ error: { code: "forbidden", message: `No ${++asked}.` } }, { status: 403 }));
  const [out] = await node.execute.call(context({ app: "greeting", fields: mapping({}) }, { items: [{ json: {} }, { json: {} }], continueOnFail: true }));
  assert.deepEqual(out.map(({ json }) => json.error), ["No 1.", "No 2."]);
});
