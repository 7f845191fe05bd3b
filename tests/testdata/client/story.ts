// The story of an API client, typed by what GET /v1/openapi.json says: sign up,
// make a token, save a workflow, publish it, run the app, wait for the picture
// and fetch it.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { env: Record<string, string | undefined> };
const baseUrl = process.env.BASE_URL;
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** value is what an answer holds, or an exception that names the refusal. */
function value<T>(answer: { data?: T; error?: { error: { code: string; message: string } }; response: Response }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.response.url}: ${answer.error?.error.code}: ${answer.error?.error.message}`);
  }
  return answer.data;
}

function check(ok: boolean, what: string): void {
  if (!ok) throw new Error(what);
}

const visitor = createClient<paths>({ baseUrl });
const signedUp = value(
  await visitor.POST("/auth/sign-up", { body: { email: "typed@example.com", password: "correct horse battery", displayName: "Typed" } }),
);
if (!signedUp.data) throw new Error("this install mails a link first");
const session = createClient<paths>({ baseUrl, ...bearer(signedUp.data.token) });
const made = value(await session.POST("/v1/api-tokens", { body: { name: "story", rateLimit: 60 } }));
const client = createClient<paths>({ baseUrl, ...bearer(made.token) });

const me = value(await client.GET("/v1/me")).data;
check(me.email === "typed@example.com" && me.organizations?.length === 0, `I am ${me.email}`);

const workflow = value(
  await client.POST("/v1/workflows", {
    body: {
      name: "Postcard",
      nodes: [
        { id: "subject", type: "text", data: { text: "a lighthouse" } },
        { id: "prompt", type: "template-text", data: { template: "{{subject}} at night", values: {} } },
        { id: "paint", type: "generate-image", data: { seed: 4, aspectRatio: "4:3", resolution: "1K" } },
        { id: "small", type: "resize-image", data: { width: 80, height: 60, fit: "cover" } },
      ],
      edges: [
        { id: "1", source: "subject", target: "prompt", targetHandle: "values.subject" },
        { id: "2", source: "prompt", target: "paint" },
        { id: "3", source: "paint", target: "small" },
      ],
    },
  }),
).data;

const app = value(
  await client.POST("/v1/workflows/{id}/publish", {
    params: { path: { id: workflow.id } },
    body: {
      name: "Postcard",
      thumbnailNodeId: "small",
      presentationSettings: { inputItems: [{ type: "field", id: "subject", nodeId: "subject", field: "text", allowedValues: null }] },
    },
  }),
).data;

const shown = value(await client.GET("/v1/app/{slug}", { params: { path: { slug: app.slug } } }));
check(shown.version === 1 && shown.estimatedCredits === 2.5, `the public app shows version ${shown.version}, ${shown.estimatedCredits} credits`);

const started = value(
  await client.POST("/v1/app/{slug}/run", { params: { path: { slug: app.slug } }, body: { inputs: { subject: "a fox" } } }),
);
check(started.status === "pending", `started ${started.status}`);

const path = { slug: app.slug, runId: started.runId };
let run = value(await client.GET("/v1/app/{slug}/runs/{runId}", { params: { path } }));
while (run.execution?.status !== "completed" && run.execution?.status !== "failed") {
  await new Promise((wake) => setTimeout(wake, 200));
  run = value(await client.GET("/v1/app/{slug}/runs/{runId}", { params: { path } }));
}
check(run.status === "completed", `the run ended ${run.status}: ${run.execution.errorMessage}`);
check(run.execution.nodeStates?.prompt?.output?.text === "a fox at night", "the prompt holds the input");

const picture = await fetch(String(run.execution.nodeStates?.small?.output?.url));
check(picture.ok && picture.headers.get("content-type") === "image/png", `the picture answers ${picture.status}`);

const jobs = value(await client.GET("/v1/jobs", { params: { query: { limit: 10 } } }));
check(jobs.data.length === 4 && jobs.next === null, `${jobs.data.length} jobs`);

const refused = await client.GET("/v1/app/{slug}", { params: { path: { slug: "nowhere" } } });
check(refused.error?.error.code === "not_found", "a refusal has a code");

console.log("done");
