// This is compiled and never run: what programs in TypeScript may write, and what they may not.
import { Atelier, AtelierError, type ErrorCode, type Run } from "atelier-sdk";
import type { Field } from "atelier-sdk/form";
import { verify, WebhookError, type FailureCode, type WebhookEvent } from "atelier-sdk/webhook";

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

export async function paint(atelier: Atelier): Promise<string | undefined> {
  const { result } = await atelier.nodes.run("generate-image", { prompt: "a fox", aspectRatio: "16:9" });
  // @ts-expect-error a setting that there is not
  await atelier.nodes.run("generate-image", { prompt: "a fox", aspectRation: "16:9" });
  // @ts-expect-error a type of node that there is not
  await atelier.nodes.run("generate-imago", {});
  // @ts-expect-error a prompt is needed
  await atelier.nodes.run("generate-image", {});
  return result.url;
}

export function codeOf(failure: unknown): ErrorCode | "something else" {
  if (failure instanceof AtelierError && failure.code === "not_found") return "not_found";
  const known: ErrorCode = "insufficient_app_credits";
  return failure === known ? known : "something else";
}

export function shown(run: Run, field: Field): number {
  if (run.status === "completed") return run.execution.completedNodes / run.execution.totalNodes;
  return field.kind === "slider" ? (field.min ?? 0) : 0;
}
