import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import test from "node:test";
import { fileURLToPath } from "node:url";

const secret = "whsec_of_the_example";
const body = JSON.stringify({ id: "one", type: "ping", createdAt: new Date().toISOString(), data: { webhookId: "w" } });

function signed(text, key = secret) {
  const t = Math.floor(Date.now() / 1000);
  return { "Service-Signature": `t=${t},v1=${createHmac("sha256", key).update(`${t}.${text}`).digest("hex")}` };
}

test("the example receiver of the docs", async (t) => {
  const program = spawn(process.execPath, [fileURLToPath(new URL("../../../docs/examples/receiver.mjs", import.meta.url))], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" },
  });
  t.after(() => program.kill());
  let said = "";
  program.stderr.on("data", (chunk) => (said += chunk));
  program.stdout.on("data", (chunk) => (said += chunk));
  await once(program.stdout, "data");
  const url = /http:\/\/\S+/.exec(said)[0];
  const post = async (text, headers) => (await fetch(url, { method: "POST", body: text, headers })).status;

  assert.equal(await post(body, signed(body)), 204);
  assert.equal(await post(body, signed(body)), 204, "a repeat is had already, and answered alike");
  assert.equal(await post(body, signed(body, "whsec_other")), 400);
  assert.equal(await post(body, {}), 400);
  assert.equal(await post("x".repeat(300_000), signed("x")), 413);
  assert.equal((await fetch(url)).status, 405);
  assert.equal(said.match(/handled one/g)?.length, 1, said);
  assert.match(said, /signature_mismatch/);
});
