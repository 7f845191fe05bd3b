package docs

// programs are examples of calls in the languages that have clients, by the id of the operation. Every line stands in an
// example of its client (clients/typescript/examples, clients/python/examples, clients/go/example_test.go), where it is run
// or compiled; a test holds that.
var programs = map[string]map[string]string{
	"get-me": {
		"TypeScript": `const me = await atelier.me();`,
		"Python":     `print(atelier.me()["displayName"], "has", atelier.credits.balance()["available"], "credits")`,
		"Go":         `me, err := client.API.GetMe(ctx, nil)`,
	},
	"get-app-slug": {
		"TypeScript": `const app = await atelier.apps.get("greeting");
const form = await atelier.apps.form("greeting");
console.log(` + "`${app.name}, ${form.estimatedCredits} credits`" + `);
for (const field of fieldsOf(form.parts)) console.log(keyOf(field), field.kind, field.label, field.text);`,
		"Python": `app = atelier.apps.get("greeting")
form = atelier.apps.form("greeting")
print(f"{app['name']}, {form.estimated_credits} credits")
for field in form.fields:
    print(field.key, field.kind, field.label, field.text)`,
		"Go": `app, err := client.API.GetAppSlug(ctx, "poster")
if err != nil {
	log.Fatal(err)
}
fields, err := client.Form(ctx, app)
if err != nil {
	log.Fatal(err)
}
for _, field := range fields {
	fmt.Println(field.Label, field.Required)
}`,
	},
	"get-apps": {
		"TypeScript": `for await (const app of atelier.apps.list()) console.log(app.slug, app.name);`,
		"Python": `for app in atelier.apps.list():
    print(app["slug"], app["name"])`,
		"Go": `for app, err := range client.API.GetAppsAll(ctx, nil) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(app.Slug, app.Name)
}`,
	},
	"post-app-slug-draft": {
		"TypeScript": `// A draft has an id before anything is paid: keep it, then start it. The key makes a repeat the same request.
const runId = await atelier.apps.draft("greeting");
await atelier.apps.start("greeting", { name: "Ada" }, { runId, idempotencyKey: ` + "`greeting-${runId}`" + ` });`,
		"Python": `# A draft has an id before anything is paid: keep it, then start it. The key makes a repeat the same request.
run_id = atelier.apps.draft("greeting")
atelier.apps.start("greeting", {"name": "Ada"}, run_id=run_id, idempotency_key=f"greeting-{run_id}")`,
	},
	"post-app-slug-run": {
		"TypeScript": `const { run, result, results } = await atelier.apps.run(
  "poster",
  { topic: "a fox" },
  { onProgress: ({ execution }) => console.log(` + "`${execution.completedNodes} of ${execution.totalNodes}`" + `) },
);
console.log(` + "`${run.creditsUsed} credits, ${results.length} results`" + `);`,
		"Python": `made = atelier.apps.run("poster", {"topic": "a fox"}, on_progress=progress)
print(made.run["creditsUsed"], "credits,", len(made.results), "results")
made.result.save("fox.png")`,
		"Go": `run, err := client.RunApp(ctx, "poster", map[string]any{"topic": "a fox"}, atelier.OnProgress(func(p atelier.Progress) {
	log.Printf("%s: %d of %d", p.Status, p.Completed, p.Total)
}))`,
	},
	"get-app-slug-runs": {
		"TypeScript": `for await (const run of atelier.apps.runs("greeting", { limit: 10 })) console.log(run.createdAt, run.status);`,
		"Python": `for run in atelier.apps.runs("greeting", limit=10):
    print(run["createdAt"], run["status"])`,
		"Go": `for run, err := range client.API.GetAppSlugRunsAll(ctx, "poster", nil) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.CreatedAt, run.Status)
}`,
	},
	"get-app-slug-runs-runId": {
		"TypeScript": `const ended = await atelier.apps.getRun("greeting", runId);
const { result } = await atelier.apps.results("greeting", ended);
console.log(result?.text);`,
		"Python": `ended = atelier.apps.get_run("greeting", run_id)
print(atelier.apps.results("greeting", ended).result.text)`,
	},
	"get-app-slug-runs-runId-events": {
		"TypeScript": `for await (const run of atelier.apps.follow("greeting", runId)) console.log(run.status);`,
		"Python": `for run in atelier.apps.follow("greeting", run_id):
    print(run["status"])`,
		"Go": `for run, err := range client.FollowRun(ctx, "poster", started.RunID) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status)
}`,
	},
	"delete-app-slug-runs-runId": {
		"TypeScript": `await atelier.apps.archive("greeting", runId);`,
		"Python":     `atelier.apps.archive("greeting", run_id)`,
	},
	"get-workflows": {
		"TypeScript": `const [latest] = await atelier.workflows.list().take(1);`,
		"Python":     `print(atelier.workflows.list().take(1)[0]["name"])`,
		"Go": `for workflow, err := range client.API.GetWorkflowsAll(ctx, nil) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(workflow.ID, workflow.Name)
}`,
	},
	"post-workflows": {
		"TypeScript": `const made = await atelier.workflows.create({
  name: "Shout",
  nodes: [
    { id: "word", type: "text", data: { text: "hello" } },
    { id: "shout", type: "template-text", data: { template: "{{word}}!", values: {} } },
  ],
  edges: [{ id: "1", source: "word", target: "shout", targetHandle: "values.word" }],
});`,
		"Python": `made = atelier.workflows.create({
    "name": "Shout",
    "nodes": [
        {"id": "word", "type": "text", "data": {"text": "hello"}},
        {"id": "shout", "type": "template-text", "data": {"template": "{{word}}!", "values": {}}},
    ],
    "edges": [{"id": "1", "source": "word", "target": "shout", "targetHandle": "values.word"}],
})`,
	},
	"get-workflows-id": {
		"TypeScript": `const { name, version } = await atelier.workflows.get(made.id);`,
		"Python":     `print(atelier.workflows.get(made["id"])["name"])`,
	},
	"patch-workflows-id": {
		"TypeScript": `await atelier.workflows.update(made.id, { name: "Shout it" });`,
		"Python":     `atelier.workflows.update(made["id"], {"name": "Shout it"})`,
	},
	"delete-workflows-id": {
		"TypeScript": `await atelier.workflows.delete(made.id);`,
		"Python":     `atelier.workflows.delete(made["id"])`,
	},
	"post-workflows-id-run": {
		"TypeScript": `const { execution, results } = await atelier.workflows.run(made.id, { "word.text": "ahoy" });
console.log(execution.status, results.at(-1)?.text);`,
		"Python": `print(atelier.workflows.run(made["id"], {"word.text": "ahoy"}).result.text)`,
		"Go": `execution, err := client.RunWorkflow(ctx, id, map[string]any{"word.text": "ahoy"})
if err != nil {
	log.Fatal(err)
}
fmt.Println(execution.Status)`,
	},
	"post-workflows-id-publish": {
		"TypeScript": `const app = await atelier.workflows.publish(made.id, {
  name: "Shout",
  slug: ` + "`shout-${made.id.slice(-12)}`" + `,
  thumbnailNodeId: "shout",
  presentationSettings: { inputItems: [{ type: "field", id: "word", nodeId: "word", field: "text", allowedValues: null }] },
});`,
		"Python": `app = atelier.workflows.publish(made["id"], {
    "name": "Shout",
    "slug": f"shout-{made['id'][-12:]}",
    "thumbnailNodeId": "shout",
    "presentationSettings": {"inputItems": [{"type": "field", "id": "word", "nodeId": "word", "field": "text", "allowedValues": None}]},
})`,
	},
	"delete-apps-id": {
		"TypeScript": "await atelier.request(\"DELETE\", `/v1/apps/${app.id}`);",
		"Python":     `atelier.request("DELETE", f"/v1/apps/{app['id']}")`,
	},
	"get-workflows-id-executions": {
		"TypeScript": `for await (const run of atelier.workflows.runs(made.id)) console.log(run.createdAt, run.status);`,
		"Python": `for run in atelier.workflows.runs(made["id"]):
    print(run["createdAt"], run["status"])`,
	},
	"get-workflow-executions-id": {
		"TypeScript": `console.log((await atelier.executions.get(id)).nodeStates?.shout?.output?.text);`,
		"Python":     `print(atelier.executions.get(execution_id)["nodeStates"]["shout"]["output"]["text"])`,
	},
	"get-workflow-executions-id-events": {
		"TypeScript": `for await (const state of atelier.executions.follow(id)) console.log(state.completedNodes, state.totalNodes);`,
		"Python": `for state in atelier.executions.follow(execution_id):
    print(state["completedNodes"], state["totalNodes"])`,
		"Go": `for state, err := range client.FollowExecution(ctx, execution.ID) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(state.CompletedNodes, state.TotalNodes)
}`,
	},
	"post-workflow-executions-id-cancel": {
		"TypeScript": `await atelier.executions.cancel(running);`,
		"Python":     `atelier.executions.cancel(running)`,
	},
	"get-nodes": {
		"TypeScript": `for await (const type of atelier.nodes.list()) console.log(type.type, type.estimatedCredits);`,
		"Python": `for kind in atelier.nodes.list():
    print(kind["type"], kind["estimatedCredits"])`,
		"Go": `nodes, err := client.API.GetNodes(ctx)
if err != nil {
	log.Fatal(err)
}
for _, node := range nodes.Data {
	fmt.Println(node.Type, node.Label)
}`,
	},
	"get-nodes-type": {
		"TypeScript": `const descriptor = await atelier.nodes.get("qr-code");
console.log(descriptor.label, Object.keys(descriptor.inputSchema?.properties ?? {}));`,
		"Python": `print(atelier.nodes.get("qr-code")["label"])`,
	},
	"post-qr-code": {
		"TypeScript": `const { result, job } = await atelier.nodes.run("qr-code", { text: "https://example.org" }, { onProgress: (state) => console.log(state.progress) });
console.log(result.kind, result.url, job.credits_charged);`,
		"Python": `code = atelier.nodes.run("qr-code", {"text": "https://example.org"}, on_progress=lambda job: print(job["progress"]))
print(code.result.kind, code.result.url, code.job["credits_charged"])`,
		"Go": `job, err := client.RunNode(ctx, "qr-code", map[string]any{"text": "https://example.org"})
if err != nil {
	log.Fatal(err)
}
fmt.Println(job.Status)`,
	},
	"post-csv-parse": {
		"Python": `table = atelier.nodes.run("csv-parse", {"text": "name,age\nAda,36\nGrace,85\n"})
print(table.result.rows())`,
	},
	"post-delay": {
		"TypeScript": `const { jobId } = await atelier.nodes.start("delay", { seconds: 600 });`,
		"Python":     `job_id = atelier.nodes.start("delay", {"seconds": 600})["jobId"]`,
	},
	"get-jobs": {
		"TypeScript": `for (const one of await atelier.jobs.list({ limit: 5 }).take(5)) console.log(one.created_at, one.job_type, one.status);`,
		"Python": `for job in atelier.jobs.list(limit=5).take(5):
    print(job["created_at"], job["job_type"], job["status"])`,
		"Go": `for job, err := range client.API.GetJobsAll(context.Background(), &api.GetJobsParams{}) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.ID, job.JobType, job.Status)
}`,
	},
	"get-jobs-id": {
		"TypeScript": `console.log((await atelier.jobs.get(jobId)).status);`,
		"Python":     `print(atelier.jobs.get(job_id)["status"])`,
	},
	"post-jobs-batch-status": {
		"TypeScript": `console.log(await atelier.jobs.status([jobId, job.id]));`,
		"Python":     `print(len(atelier.jobs.status([job_id, code.job["id"]])), "jobs")`,
	},
	"post-jobs-id-cancel": {
		"TypeScript": `await atelier.jobs.cancel(jobId);`,
		"Python":     `atelier.jobs.cancel(job_id)`,
		"Go": `if _, err := client.API.PostJobsIDCancel(ctx, os.Getenv("JOB")); err != nil {
	log.Fatal(err)
}`,
	},
	"post-upload": {
		"TypeScript": `// In Node, openAsBlob of node:fs reads a file from the disk; in a browser a form hands out files.
const notes = new Blob(["The fox is in the snow.\n".repeat(4_000)], { type: "text/plain" });
const file = await atelier.files.upload(notes, { name: "notes.txt", onProgress: ({ sent, total }) => console.log(` + "`${Math.round((100 * sent) / total)} %`" + `) });
console.log(file.url, file.contentType, file.size);`,
		"Python": `file = atelier.files.upload("notes.txt", on_progress=lambda sent, total: print(f"{100 * sent // total} %"))
print(file["url"], file["contentType"], file["size"])`,
		"Go": `file, err := client.UploadFile(ctx, "fox.png", atelier.OnSent(func(sent, total int64) { fmt.Println(sent, "of", total) }))
if err != nil {
	log.Fatal(err)
}
run, err := client.RunApp(ctx, "postcard", map[string]any{"photo": file.URL})`,
	},
	"post-save-to-storage": {
		"TypeScript": `const copy = await atelier.files.save(file.url);`,
		"Python":     `copy = atelier.files.save(file["url"])`,
	},
	"get-credits-balance": {
		"TypeScript": `const { available } = await atelier.credits.balance();
console.log(` + "`${me.displayName} has ${available} credits`" + `);`,
		"Python": `print(atelier.me()["displayName"], "has", atelier.credits.balance()["available"], "credits")`,
		"Go": `balance, err := client.API.GetCreditsBalance(ctx)
if err != nil {
	log.Fatal(err)
}
fmt.Println(me.Data.DisplayName, balance.Data.Available)`,
	},
	"get-credits-transactions": {
		"TypeScript": `for (const { kind, amount } of await atelier.credits.transactions().take(3)) console.log(kind, amount);`,
		"Python": `for movement in atelier.credits.transactions().take(3):
    print(movement["kind"], movement["amount"])`,
	},
	"post-projects": {
		"TypeScript": `const project = await atelier.request("POST", "/v1/projects", { body: { name: "From the SDK" } });`,
		"Python":     `project = atelier.request("POST", "/v1/projects", body={"name": "From the SDK"})["data"]`,
	},
	"get-projects": {
		"TypeScript": `for await (const one of atelier.list("/v1/projects", { limit: 1 })) console.log(one);`,
		"Python": `for one in atelier.list("/v1/projects", limit=1):
    print(one["name"])`,
	},
	"delete-projects-id": {
		"TypeScript": "await atelier.request(\"DELETE\", `/v1/projects/${project.data.id}`);",
		"Python":     `atelier.request("DELETE", f"/v1/projects/{project['id']}")`,
	},
}
