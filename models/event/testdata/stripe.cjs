// Has Stripe's library verify requests that the service sent.
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const Stripe = require("stripe");

const { webhooks } = new Stripe("sk_test_unused");
const all = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const sent of all) {
  const body = Buffer.from(sent.body, "base64");
  const accept = (body, secret, at) => webhooks.constructEvent(body, sent.signature, secret, 300, undefined, at * 1000);
  const event = accept(body, sent.secret, sent.at);
  assert.equal(event.id, sent.id);
  assert.equal(event.type, sent.type);
  assert.throws(() => accept(Buffer.concat([body, Buffer.from(" ")]), sent.secret, sent.at), Stripe.errors.StripeSignatureVerificationError);
  assert.throws(() => accept(body, sent.secret + "x", sent.at), Stripe.errors.StripeSignatureVerificationError);
  assert.throws(() => accept(body, sent.secret, sent.at + 301), Stripe.errors.StripeSignatureVerificationError);
}
console.log(`${all.length} accepted`);
