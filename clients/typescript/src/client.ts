import { RunFailedError } from "./errors.js";
import { follow, type FollowOptions } from "./follow.js";
import { formOf, type Form } from "./form.js";
import { pathOf, Transport, type CallOptions, type Options, type PostOptions, type RequestOptions } from "./http.js";
import { Pages } from "./pages.js";
import { mainResult, resultsOf, type Result } from "./results.js";
import { upload, type Uploadable, type UploadOptions } from "./upload.js";
import type * as T from "./types.js";

/** Values for a run, by the id of an input, or by its field where only one has it. */
export type Inputs = Record<string, unknown>;

export interface StartOptions extends PostOptions {
  /** Values by node id and field, laid over the inputs; also of fields that the app does not show. */
  inputOverrides?: Record<string, Record<string, unknown>>;
  /** The version to run; the latest unless said. */
  version?: number;
  /** A draft to start. */
  runId?: string;
}

export interface RunOptions extends StartOptions, Pick<FollowOptions, "stream" | "pollEvery"> {
  /** Told at once and after each change: completedNodes of totalNodes. */
  onProgress?: (run: T.Run) => void;
}

export interface WorkflowRunOptions extends PostOptions, Pick<FollowOptions, "stream" | "pollEvery"> {
  inputOverrides?: Record<string, Record<string, unknown>>;
  onProgress?: (execution: T.Execution) => void;
}

export interface NodeRunOptions extends PostOptions {
  /** Told whenever the job has changed: progress from 0 to 100. */
  onProgress?: (job: T.Job) => void;
}

/** A run of an app that has completed. */
export interface AppResult {
  run: T.Run;
  /** The main result, as the app's page shows it. */
  result: Result | undefined;
  /** Every output that is not empty, in the order of the workflow. */
  results: Result[];
}

/** A run of a workflow that has completed. */
export interface WorkflowResult {
  execution: T.Execution;
  /** Every output that is not empty, in the order of the workflow. */
  results: Result[];
}

/** A node that was run by itself. */
export interface NodeResult {
  job: T.Job;
  result: Result;
  /** Numbers that were moved into their range. */
  adjustments: Record<string, unknown>[];
  warnings: string[];
}

/**
 * A client of an install of Atelier.
 *
 *     const atelier = new Atelier({ baseUrl: "https://atelier.example.org", token });
 *     const { result } = await atelier.apps.run("poster", { topic: "a fox" });
 *
 * A token belongs on a server: in a browser its holder could spend the credits of the account behind it.
 */
export class Atelier {
  readonly apps: Apps;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly nodes: Nodes;
  readonly jobs: Jobs;
  readonly files: Files;
  readonly credits: Credits;
  private readonly transport: Transport;

  constructor(options: Options = {}) {
    this.transport = new Transport(options);
    this.nodes = new Nodes(this.transport, () => this.jobs);
    this.apps = new Apps(this.transport, this.nodes);
    this.executions = new Executions(this.transport);
    this.workflows = new Workflows(this.transport, this.executions, this.nodes);
    this.jobs = new Jobs(this.transport, this.executions);
    this.files = new Files(this.transport);
    this.credits = new Credits(this.transport);
  }

  /** The account behind the token. */
  async me(options: CallOptions = {}): Promise<T.Profile> {
    return data(await this.transport.request("GET", "/v1/me", options));
  }

  /**
   * Any other request, with the client's repeats and errors: the answer as it is, { data } and all. Build paths of ids
   * with encodeURIComponent.
   */
  request<Answer = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.transport.request<Answer>(method, path, options);
  }

  /** Any other list, as rows: GET of a path that answers { data, nextCursor } or { data, next }. */
  list<Row = unknown>(path: string, options: CallOptions & { query?: RequestOptions["query"]; limit?: number } = {}): Pages<Row> {
    return pages<Row>(this.transport, path, options);
  }
}

/** Published apps and their runs. */
export class Apps {
  constructor(
    private readonly transport: Transport,
    private readonly nodes: Nodes,
  ) {}

  /** A published app, by the last part of its address. */
  get(slug: string, options: CallOptions = {}): Promise<T.App> {
    return this.transport.request("GET", pathOf`/v1/app/${slug}`, options);
  }

  /** The apps of the selected space that the caller manages. */
  list(options: ListOptions = {}): Pages<T.ManagedApp> {
    return pages(this.transport, "/v1/apps", options);
  }

  /** The app as a form: its fields, which control each gets, and what is published in them. */
  async form(slug: string, options: CallOptions = {}): Promise<Form> {
    const app = await this.get(slug, options);
    return formOf(app, await this.nodes.named(app.snapshotNodes, options));
  }

  /** Runs an app, waits for its end and answers with its results. Rejects with a RunFailedError when it fails. */
  async run(slug: string, inputs: Inputs = {}, options: RunOptions = {}): Promise<AppResult> {
    const { onProgress, stream, pollEvery, ...start } = options;
    const started = await this.start(slug, inputs, start);
    return this.wait(slug, started.runId, { ...calling(options), ...(onProgress && { onProgress }), ...(stream !== undefined && { stream }), ...(pollEvery !== undefined && { pollEvery }) });
  }

  /** Starts a run and answers at once. */
  start(slug: string, inputs: Inputs = {}, options: StartOptions = {}): Promise<T.StartedRun> {
    const { inputOverrides, version, runId, ...call } = options;
    return this.transport.request("POST", pathOf`/v1/app/${slug}/run`, { ...call, body: { inputs, inputOverrides, version, runId } });
  }

  /** Waits for the end of a run. Rejects with a RunFailedError when it fails. */
  async wait(slug: string, runId: string, options: FollowOptions & { onProgress?: (run: T.Run) => void } = {}): Promise<AppResult> {
    let run: T.Run | undefined;
    for await (run of this.follow(slug, runId, options)) options.onProgress?.(run);
    if (run!.status !== "completed") throw new RunFailedError(run!, run!.execution.errorMessage, run!.execution.errorCode);
    return this.results(slug, run!, options);
  }

  /** A run at once and after each change, until it has ended. */
  follow(slug: string, runId: string, options: FollowOptions = {}): AsyncGenerator<T.Run, void, undefined> {
    return follow<T.Run>(this.transport, pathOf`/v1/app/${slug}/runs/${runId}`, (body) => body as T.Run, (run) => over(run.execution.status), options);
  }

  /** The results of a run that was read: the main one, and all. */
  async results(slug: string, run: T.Run, options: CallOptions = {}): Promise<AppResult> {
    const app = await this.get(slug, options);
    const results = resultsOf(run.execution, app.snapshotNodes, await this.nodes.kinds(app.snapshotNodes, options));
    return { run, result: mainResult(app, results), results };
  }

  /** One own run. */
  getRun(slug: string, runId: string, options: CallOptions = {}): Promise<T.Run> {
    return this.transport.request("GET", pathOf`/v1/app/${slug}/runs/${runId}`, options);
  }

  /** Own runs of an app, newest first; the archived ones with archived. */
  runs(slug: string, options: ListOptions & { archived?: boolean } = {}): Pages<T.Run> {
    const { archived, ...rest } = options;
    return pages(this.transport, pathOf`/v1/app/${slug}/runs`, { ...rest, query: { archived } });
  }

  /** Makes a draft: a run to be followed before start is given its id. */
  async draft(slug: string, options: PostOptions = {}): Promise<string> {
    return (await this.transport.request<{ runId: string }>("POST", pathOf`/v1/app/${slug}/draft`, options)).runId;
  }

  /** Moves a run to the archive; nothing is destroyed. */
  async archive(slug: string, runId: string, options: CallOptions = {}): Promise<void> {
    await this.transport.request("DELETE", pathOf`/v1/app/${slug}/runs/${runId}`, options);
  }
}

/** Workflows. */
export class Workflows {
  constructor(
    private readonly transport: Transport,
    private readonly executions: Executions,
    private readonly nodes: Nodes,
  ) {}

  /** The workflows of the selected space. */
  list(options: ListOptions = {}): Pages<T.Workflow> {
    return pages(this.transport, "/v1/workflows", options);
  }

  async get(id: string, options: CallOptions = {}): Promise<T.WorkflowDetail> {
    return data(await this.transport.request("GET", pathOf`/v1/workflows/${id}`, options));
  }

  async create(workflow: T.NewWorkflow, options: PostOptions = {}): Promise<T.WorkflowDetail> {
    return data(await this.transport.request("POST", "/v1/workflows", { ...options, body: workflow }));
  }

  async update(id: string, change: T.WorkflowChange, options: CallOptions = {}): Promise<T.WorkflowDetail> {
    return data(await this.transport.request("PATCH", pathOf`/v1/workflows/${id}`, { ...options, body: change }));
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.request("DELETE", pathOf`/v1/workflows/${id}`, options);
  }

  /** Publishes the current version of a workflow as an app. */
  async publish(id: string, app: T.Publication, options: PostOptions = {}): Promise<T.ManagedApp> {
    return data(await this.transport.request("POST", pathOf`/v1/workflows/${id}/publish`, { ...options, body: app }));
  }

  /** Runs a workflow, waits for its end and answers with its results. Rejects with a RunFailedError when it fails. */
  async run(id: string, inputs: Inputs = {}, options: WorkflowRunOptions = {}): Promise<WorkflowResult> {
    const { onProgress, stream, pollEvery, ...start } = options;
    const executionId = await this.start(id, inputs, start);
    const execution = await this.executions.wait(executionId, { ...calling(options), ...(onProgress && { onProgress }), ...(stream !== undefined && { stream }), ...(pollEvery !== undefined && { pollEvery }) });
    const { nodes } = await this.get(id, calling(options));
    return { execution, results: resultsOf(execution, nodes, await this.nodes.kinds(nodes, calling(options))) };
  }

  /** Starts a run and answers at once with the id of its execution. */
  async start(id: string, inputs: Inputs = {}, options: PostOptions & Pick<StartOptions, "inputOverrides"> = {}): Promise<string> {
    const { inputOverrides, ...call } = options;
    return (await this.transport.request<{ executionId: string }>("POST", pathOf`/v1/workflows/${id}/run`, { ...call, body: { inputs, inputOverrides } })).executionId;
  }

  /** The history of a workflow, newest first, without the states of its nodes. */
  runs(id: string, options: ListOptions = {}): Pages<T.Execution> {
    return pages(this.transport, pathOf`/v1/workflows/${id}/executions`, options);
  }
}

/** Runs of workflows. */
export class Executions {
  constructor(private readonly transport: Transport) {}

  async get(id: string, options: CallOptions = {}): Promise<T.Execution> {
    return data(await this.transport.request("GET", pathOf`/v1/workflow-executions/${id}`, options));
  }

  /** An execution at once and after each change, until it has ended. */
  follow(id: string, options: FollowOptions = {}): AsyncGenerator<T.Execution, void, undefined> {
    return follow<T.Execution>(this.transport, pathOf`/v1/workflow-executions/${id}`, (body) => (body as { data: T.Execution }).data, (execution) => over(execution.status), options);
  }

  /** Waits for the end of an execution. Rejects with a RunFailedError when it fails. */
  async wait(id: string, options: FollowOptions & { onProgress?: (execution: T.Execution) => void } = {}): Promise<T.Execution> {
    let execution: T.Execution | undefined;
    for await (execution of this.follow(id, options)) options.onProgress?.(execution);
    if (execution!.status !== "completed") throw new RunFailedError(execution!, execution!.errorMessage, execution!.errorCode);
    return execution!;
  }

  /** Cancels an execution; what has finished stays and is paid. */
  async cancel(id: string, options: PostOptions = {}): Promise<void> {
    await this.transport.request("POST", pathOf`/v1/workflow-executions/${id}/cancel`, options);
  }
}

/** The catalogue of nodes, and nodes that are run by themselves. */
export class Nodes {
  private readonly known = new Map<string, Promise<T.NodeDescriptor | undefined>>();

  constructor(
    private readonly transport: Transport,
    private readonly jobs: () => Jobs,
  ) {}

  /** The types of nodes of the install. */
  list(options: CallOptions = {}): Pages<T.NodeDescriptor> {
    return pages(this.transport, "/v1/nodes", options);
  }

  /** What a type of node does and takes. */
  async get(type: string, options: CallOptions = {}): Promise<T.NodeDescriptor> {
    return data(await this.transport.request("GET", pathOf`/v1/nodes/${type}`, options));
  }

  /** Runs one node, waits for its end and answers with its result. Rejects with a RunFailedError when it fails. */
  async run<Type extends T.NodeType>(type: Type, settings: T.NodeSettings<Type>, options: NodeRunOptions = {}): Promise<NodeResult> {
    const { onProgress, ...call } = options;
    const started = await this.start(type, settings, call);
    const job = await this.jobs().wait(started.jobId, { ...calling(options), ...(onProgress && { onProgress }) });
    const kinds = await this.kinds([{ type }], calling(options));
    const [result] = resultsOf({ nodeStates: { [job.node_id]: { status: "completed", output: job.output_data as T.Output } } } as unknown as T.Execution, [{ id: job.node_id, type }], kinds);
    return { job, result: result ?? { nodeId: job.node_id, kind: "data", url: undefined, text: undefined, output: {} }, adjustments: started.adjustments, warnings: started.warnings };
  }

  /** Starts one node and answers at once. */
  async start<Type extends T.NodeType>(type: Type, settings: T.NodeSettings<Type>, options: PostOptions = {}): Promise<{ jobId: string; adjustments: Record<string, unknown>[]; warnings: string[] }> {
    const { jobId, adjustments = [], warnings = [] } = await this.transport.request<{ jobId: string; adjustments?: Record<string, unknown>[]; warnings?: string[] }>("POST", pathOf`/v1/${type}`, { ...options, body: settings });
    return { jobId, adjustments, warnings };
  }

  /** The descriptors of the types of some nodes; of those that the install has no more there is none. */
  async named(nodes: readonly { type: string }[], options: CallOptions = {}): Promise<Record<string, T.NodeDescriptor | undefined>> {
    const types = [...new Set(nodes.map((node) => node.type))];
    return Object.fromEntries(await Promise.all(types.map(async (type) => [type, await this.remembered(type, options)] as const)));
  }

  /** What the types of some nodes yield. */
  async kinds(nodes: readonly { type: string }[], options: CallOptions = {}): Promise<Record<string, T.OutputType | undefined>> {
    const named = await this.named(nodes, options);
    return Object.fromEntries(Object.entries(named).map(([type, descriptor]) => [type, descriptor?.outputType]));
  }

  /** Descriptors change with the install alone. */
  private remembered(type: string, options: CallOptions): Promise<T.NodeDescriptor | undefined> {
    let found = this.known.get(type);
    if (!found) {
      found = this.get(type, options).catch((problem: { code?: string }) => {
        if (problem.code === "not_found") return undefined;
        this.known.delete(type);
        throw problem;
      });
      this.known.set(type, found);
    }
    return found;
  }
}

/** Jobs: each node of a run is one. */
export class Jobs {
  constructor(
    private readonly transport: Transport,
    private readonly executions: Executions,
  ) {}

  /** Own jobs, newest first. */
  list(options: ListOptions = {}): Pages<T.Job> {
    return pages(this.transport, "/v1/jobs", options);
  }

  async get(id: string, options: CallOptions = {}): Promise<T.Job> {
    return data(await this.transport.request("GET", pathOf`/v1/jobs/${id}`, options));
  }

  /** Where jobs stand, up to 100 of them; unknown ids are left out. */
  async status(ids: readonly string[], options: CallOptions = {}): Promise<T.JobState[]> {
    return data(await this.transport.request("GET", "/v1/jobs/status", { ...options, query: { ids } }));
  }

  /** Waits for the end of a job. Rejects with a RunFailedError when it fails, and when it is cancelled. */
  async wait(id: string, options: FollowOptions & Pick<NodeRunOptions, "onProgress"> = {}): Promise<T.Job> {
    const { onProgress, ...following } = options;
    let tag = "";
    const look = async () => {
      const answer = await this.transport.send("GET", pathOf`/v1/jobs/${id}`, { ...calling(options), headers: tag ? { "If-None-Match": tag } : {} });
      if (answer.status === 304) return;
      tag = answer.headers.get("ETag") ?? "";
      job = data(this.transport.json(answer.text));
      onProgress?.(job);
    };
    let job!: T.Job;
    await look();
    if (!ended.includes(job.status)) {
      // A change of a job is one of its execution, which can be followed by its stream.
      for await (const _ of this.executions.follow(job.execution_id, following)) {
        await look();
        if (ended.includes(job.status)) break;
      }
    }
    if (job.status === "completed") return job;
    throw new RunFailedError(job, [job.error_message, job.error_hint].filter(Boolean).join(" "), job.status);
  }

  /** Cancels a job that has not ended. */
  async cancel(id: string, options: PostOptions = {}): Promise<void> {
    await this.transport.request("POST", pathOf`/v1/jobs/${id}/cancel`, options);
  }
}

/** How jobs end. */
const ended: readonly T.JobStatus[] = ["completed", "failed", "cancelled"];

/** Files. */
export class Files {
  constructor(private readonly transport: Transport) {}

  /** Uploads a file of at most 100 MiB. Its url is what inputs for files take. */
  upload(file: Uploadable, options: UploadOptions = {}): Promise<T.StoredFile> {
    return upload(this.transport, file, options);
  }

  /** Keeps a copy of a file that lies at an address. */
  async save(url: string, options: PostOptions = {}): Promise<T.StoredFile> {
    return data(await this.transport.request("POST", "/v1/save-to-storage", { ...options, body: { url } }));
  }

  /** Fetches the file of a result. No token is sent: addresses of files are secrets by themselves. */
  async download(url: string, options: Pick<CallOptions, "signal"> = {}): Promise<Blob> {
    const answer = await this.transport.fetch(url, options.signal ? { signal: options.signal } : {});
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
    return answer.blob();
  }
}

/** The credits of the account, or of the selected workspace. */
export class Credits {
  constructor(private readonly transport: Transport) {}

  async balance(options: CallOptions = {}): Promise<T.Balance> {
    return data(await this.transport.request("GET", "/v1/credits/balance", options));
  }

  /** Every movement of credits, newest first. */
  transactions(options: ListOptions = {}): Pages<T.Transaction> {
    return pages(this.transport, "/v1/credits/transactions", options);
  }
}

export interface ListOptions extends CallOptions {
  /** Rows of a page; the service's own number unless said. */
  limit?: number;
}

function pages<Row>(transport: Transport, path: string, options: ListOptions & { query?: RequestOptions["query"] }): Pages<Row> {
  return new Pages<Row>(async (cursor) => {
    const query = { ...options.query, limit: options.limit, cursor };
    const answer = await transport.request<{ data: Row[]; nextCursor?: string | null; next?: string | null }>("GET", path, { ...calling(options), query });
    return { data: answer.data, next: answer.nextCursor ?? answer.next ?? null };
  });
}

function data<Inner>(answer: unknown): Inner {
  return (answer as { data: Inner }).data;
}

function over(status: T.RunStatus): boolean {
  return status === "completed" || status === "failed";
}

function calling({ signal, workspace }: CallOptions): CallOptions {
  return { ...(signal && { signal }), ...(workspace && { workspace }) };
}
