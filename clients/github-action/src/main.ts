/** What the action does; main.min.js is bundled from it by scripts/generate. */
import { appendFile, mkdir, stat, writeFile } from "node:fs/promises";
import { openAsBlob } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { randomUUID } from "node:crypto";
import { Atelier, AtelierError, RunFailedError } from "../../typescript/src/index.js";
import { fieldsOf, plainValue, type Field } from "../../typescript/src/form.js";

/** An input of the step, as the runner hands it on. */
function input(name: string): string {
  return (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
}

function required(name: string): string {
  const value = input(name);
  if (value === "") throw new Error(`The input ${name} is missing.`);
  return value;
}

/** Hands a value to the steps that follow. */
async function output(name: string, value: string): Promise<void> {
  const file = process.env["GITHUB_OUTPUT"];
  const end = `end-${randomUUID()}`; // no value holds it
  if (file) await appendFile(file, `${name}<<${end}\n${value}\n${end}\n`);
}

/** A line that the runner acts on; its own marks are escaped. */
function command(name: string, value: string): void {
  console.log(`::${name}::${value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`);
}

/** Lines of name=value, or one JSON object. */
function written(text: string): Map<string, unknown> {
  if (text.startsWith("{")) {
    try {
      return new Map(Object.entries(JSON.parse(text) as object));
    } catch {
      throw new Error("inputs begin like JSON and are none.");
    }
  }
  const out = new Map<string, unknown>();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const mark = line.indexOf("=");
    if (mark < 1) throw new Error(`inputs: "${line.trim()}" is not name=value.`);
    out.set(line.slice(0, mark).trim(), line.slice(mark + 1).trim());
  }
  return out;
}

async function main(): Promise<void> {
  const token = required("token");
  command("add-mask", token);
  const workspace = input("workspace");
  const minutes = Number(input("timeout-minutes") || 30);
  const signal = AbortSignal.timeout(Math.max(1, minutes) * 60_000);
  const atelier = new Atelier({ baseUrl: required("url"), token, client: "extension/github-action", ...(workspace && { workspace }) });
  const slug = required("app");
  const form = await atelier.apps.form(slug, { signal });
  const fields = fieldsOf(form.parts);

  /** A value of the step as the field takes it. */
  const valueFor = async (field: Field, value: unknown): Promise<unknown> => {
    if (typeof value !== "string") return value;
    if (field.kind !== "file" || /^https?:\/\//.test(value)) return plainValue(field, value);
    const path = resolve(process.env["GITHUB_WORKSPACE"] ?? ".", value);
    if (!(await stat(path).catch(() => undefined))?.isFile()) throw new Error(`${field.label}: there is no file ${value}.`);
    return (await atelier.files.upload(await openAsBlob(path), { name: basename(path), signal })).url;
  };

  const inputs: Record<string, unknown> = {};
  for (const [name, value] of written(input("inputs"))) {
    const named = fields.filter((field) => field.id === name || field.field === name);
    const field = named.find((one) => one.id === name) ?? (named.length === 1 ? named[0] : undefined);
    if (!field) throw new Error(`${form.name} has no field ${name}; there are: ${fields.map((one) => one.id).filter(Boolean).join(", ")}.`);
    inputs[field.id] = await valueFor(field, value);
  }

  let told = "";
  const { run, result, results } = await atelier.apps.run(slug, inputs, {
    signal,
    onProgress: ({ execution }) => {
      const now = `${execution.completedNodes} of ${execution.totalNodes} steps`;
      if (now !== told) console.log((told = now));
    },
  });
  await output("run-id", run.id);
  await output("kind", result?.kind ?? "");
  await output("url", result?.url ?? "");
  await output("text", result?.text ?? "");
  await output("credits", String(run.creditsUsed));
  await output("results", JSON.stringify(results));
  const path = input("save-to");
  if (path && result?.url) {
    const target = resolve(process.env["GITHUB_WORKSPACE"] ?? ".", path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, new Uint8Array(await (await atelier.files.download(result.url, { signal })).arrayBuffer()));
    console.log(`saved ${path}`);
  }
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) {
    const shown = result?.kind === "image" && result.url ? `![Result](${result.url})` : (result?.url ?? result?.text ?? "");
    await appendFile(summary, `### ${form.name}\n\n${shown}\n\n${run.creditsUsed} credits\n`);
  }
}

main().catch((problem: unknown) => {
  const said = problem instanceof AtelierError ? `${problem.details.message} (${problem.code})` : problem instanceof RunFailedError ? `The run failed: ${problem.message}` : ((problem as Error)?.message ?? String(problem));
  command("error", said);
  process.exitCode = 1;
});
