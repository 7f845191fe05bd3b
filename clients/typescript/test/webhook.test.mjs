import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { verify, WebhookError } from "../dist/webhook.js";

const vectors = JSON.parse(readFileSync(new URL("../../../webhook/testdata/vectors.json", import.meta.url), "utf8"));

const clock = (v) => ({ now: () => new Date(v.now * 1000), ...(v.toleranceSeconds && { toleranceSeconds: v.toleranceSeconds }) });
const code = (wanted) => (failure) => failure instanceof WebhookError && failure.code === wanted && !failure.message.includes("whsec_");

test("as many vectors as there are", () => assert.ok(vectors.length > 60));

for (const v of vectors) {
  const body = v.bodyBase64 ? Buffer.from(v.bodyBase64, "base64") : Buffer.from(v.body);
  test(v.name, async () => {
    if (v.error) {
      await assert.rejects(verify(v.header, body, v.secrets, clock(v)), code(v.error));
      return;
    }
    const event = await verify(v.header, body, v.secrets, clock(v));
    assert.equal(event.id, v.id);
    assert.equal(event.type, v.type);
    // The same in every form in which a server hands out headers and bodies.
    for (const headers of [{ "service-signature": v.header }, { "Service-Signature": v.header.split(",") }, new Headers({ "service-signature": v.header })]) {
      for (const same of [v.body, new TextEncoder().encode(v.body).buffer, new Uint8Array(body)]) {
        assert.deepEqual(await verify(headers, same, v.secrets, clock(v)), event);
      }
    }
  });
}

const first = vectors[0];

test("a platform without Web Crypto", async () => {
  for (const crypto of [null, {}]) {
    await assert.rejects(verify(first.header, first.body, first.secrets, { ...clock(first), crypto }), code("crypto_unavailable"));
  }
  const refusing = { subtle: { importKey: () => Promise.reject(new Error("not allowed")) } };
  await assert.rejects(verify(first.header, first.body, first.secrets, { ...clock(first), crypto: refusing }), code("crypto_unavailable"));
});

test("Node before 20 keeps Web Crypto in a module", async () => {
  const kept = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  delete globalThis.crypto;
  try {
    assert.equal((await verify(first.header, first.body, first.secrets, clock(first))).id, first.id);
  } finally {
    Object.defineProperty(globalThis, "crypto", kept);
  }
});

test("now, and five minutes, unless said", () => assert.rejects(verify(first.header, first.body, first.secrets), code("timestamp_outside_tolerance")));

test("headers without a signature", async () => {
  for (const headers of [{}, { "service-signature": undefined }, new Headers(), null, undefined]) {
    await assert.rejects(verify(headers, first.body, first.secrets, clock(first)), code("missing_header"));
  }
});

test("a body that was parsed is a mistake of the program", () =>
  assert.rejects(verify(first.header, JSON.parse(first.body), first.secrets, clock(first)), TypeError));

test("a clock that is none accepts nothing", () =>
  assert.rejects(verify(first.header, first.body, first.secrets, { now: () => new Date(NaN) }), code("timestamp_outside_tolerance")));
