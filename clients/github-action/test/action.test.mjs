// Runs the action as a runner does, against the service (ATELIER_URL, ATELIER_TOKEN). TestClients starts it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../main.min.js", import.meta.url));
const manifest = readFileSync(new URL("../action.yml", import.meta.url), "utf8");

/** What the runner does with `uses`: INPUT_ for each input, defaults included, files for what the step says. */
async function step(inputs) {
  const folder = mkdtempSync(join(tmpdir(), "step-"));
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  writeFileSync(join(folder, "notes.txt"), "The fox is in the snow.");
  const said = { url: process.env.ATELIER_URL, token: process.env.ATELIER_TOKEN, "timeout-minutes": "30", ...inputs };
  const env = { PATH: process.env.PATH, GITHUB_WORKSPACE: folder, ...files };
  for (const [name, value] of Object.entries(said)) {
    assert.match(manifest, new RegExp(`^  ${name}:$`, "m"), "inputs are those of action.yml");
    env[`INPUT_${name.toUpperCase()}`] = value;
  }
  const done = await new Promise((resolve) => execFile(process.execPath, [main], { env }, (failure, stdout, stderr) => resolve({ code: failure?.code ?? 0, stdout, stderr })));
  const outputs = {};
  for (const [, name, end, value] of readFileSync(files.GITHUB_OUTPUT, "utf8").matchAll(/^([a-z-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)) {
    assert.match(manifest.slice(manifest.indexOf("outputs:")), new RegExp(`^  ${name}:$`, "m"), "outputs are those of action.yml");
    outputs[name] = value;
  }
  return { ...done, outputs, folder, summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8") };
}

test("an app is run with what the step says", async () => {
  const { code, stdout, outputs, folder, summary } = await step({ app: "poster", inputs: "topic=a fox", "save-to": "made/fox.png" });
  assert.equal(code, 0, stdout);
  assert.equal(outputs.kind, "image");
  assert.equal(outputs.credits, "2.5");
  assert.match(outputs["run-id"], /^[0-9a-f-]{36}$/);
  assert.equal(JSON.parse(outputs.results).length, 4);
  assert.deepEqual([...readFileSync(join(folder, "made/fox.png")).subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.ok(summary.includes(`![Result](${outputs.url})`));
  assert.match(stdout, /4 of 4 steps/);
  assert.equal(stdout.split(process.env.ATELIER_TOKEN).length, 2, "the token is in the mask, and nowhere else");
  assert.ok(stdout.includes(`::add-mask::${process.env.ATELIER_TOKEN}`));
});

test("inputs as JSON, choices by their texts", async () => {
  for (const inputs of ['{"name": "Ada\\nand Grace", "mood": "solemn"}', "mood=solemn\nname=Ada"]) {
    const { code, outputs, stdout } = await step({ app: "greeting", inputs });
    assert.equal(code, 0, stdout);
    assert.match(outputs.text, /^Hello Ada[^]*, have a solemn day$/);
  }
});

test("what is wrong is said in one line", async () => {
  for (const [inputs, said] of [
    [{ app: "greeting", inputs: "mood=angry" }, /^::error::Mood must be one of merry, solemn\.$/m],
    [{ app: "greeting", inputs: "who=Ada" }, /^::error::Greeting has no field who; there are: name, mood\.$/m],
    [{ app: "greeting", inputs: "Ada" }, /^::error::inputs: "Ada" is not name=value\.$/m],
    [{ app: "greeting", inputs: "{" }, /^::error::/m],
    [{ app: "nowhere" }, /^::error::.*\(not_found\)$/m],
    [{ app: "" }, /^::error::The input app is missing\.$/m],
    [{ app: "greeting", token: "svc_wrong" }, /^::error::.*\(unauthorized\)$/m],
  ]) {
    const { code, stdout } = await step(inputs);
    assert.equal(code, 1, stdout);
    assert.match(stdout, said);
  }
});
