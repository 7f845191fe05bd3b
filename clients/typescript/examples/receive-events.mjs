// Verifies a signed event, as a route of any web framework does that hands out the bytes of the body.
import { createHmac } from "node:crypto";
import { verify, WebhookError } from "atelier-sdk/webhook";

const secret = "whsec_of_the_example";

/** @param {Request} request */
async function receive(request) {
  try {
    const event = await verify(request.headers, await request.arrayBuffer(), secret);
    if (event.type === "job.completed") console.log("done:", event.data.job.id);
    return new Response(null, { status: 204 });
  } catch (failure) {
    if (!(failure instanceof WebhookError)) throw failure;
    return new Response(failure.code, { status: 400 });
  }
}

// What the service sends:
const body = JSON.stringify({ id: "e", type: "job.completed", createdAt: "2026-09-01T08:30:00.000Z", data: { job: { id: "j", status: "completed" } } });
const t = Math.floor(Date.now() / 1000);
const signature = `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
const send = (/** @type {string} */ signed) => receive(new Request("https://you.example/events", { method: "POST", body, headers: { "Service-Signature": signed } }));
console.log((await send(signature)).status, (await send(`t=${t},v1=00`)).status);
