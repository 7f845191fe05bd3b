// This is compiled and never run: what a receiver in TypeScript may write.
import { verify, WebhookError, type FailureCode, type WebhookEvent } from "../dist/webhook.js";

export async function receive(request: Request): Promise<string> {
  try {
    const event: WebhookEvent = await verify(request.headers, await request.arrayBuffer(), ["whsec_new", undefined], {
      toleranceSeconds: 60,
      now: () => new Date(),
    });
    switch (event.type) {
      case "job.completed":
      case "job.failed":
        return event.data.job.status + (event.data.omitted ?? []).join();
      case "ping":
        return event.data.webhookId;
      default:
        return "a type that is yet to come";
    }
  } catch (failure) {
    if (!(failure instanceof WebhookError)) throw failure;
    const code: FailureCode = failure.code;
    return code;
  }
}

// @ts-expect-error a body that was parsed is not what was signed
void verify("t=1,v1=00", { id: "x" }, "whsec_x");
