import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Of<T, Narrow> = Omit<T, keyof Narrow> & Narrow;

/** The settings of a type of node, as POST /v1/<type> takes them. */
export type NodeSettings<Type extends NodeType> = paths[`/v1/${Type}`] extends { post: { requestBody?: { content: { "application/json": infer Body } } } } ? Body : never;

/** The types of nodes that can be run by themselves. */
export type NodeType = keyof paths extends `/v1/${infer Type}` ? Type : never;

export type RunStatus = "pending" | "running" | "completed" | "failed";
export type NodeStatus = "pending" | "running" | "completed" | "failed" | "skipped";
export type JobStatus = Schemas["JobStatusView"]["status"];
export type OutputType = Schemas["NodeTypeView"]["outputType"];

/** What a node yielded. Which keys there are depends on the type of the node. */
export type Output = Record<string, unknown>;

export interface NodeState {
  status: NodeStatus;
  output: Output | null;
}

/** A published app, as everyone may see it. */
export type App = Of<Schemas["ShownApp"], { snapshotSettings: { presentationSettings: { inputItems: InputItem[] } } }>;
/** An app that the caller manages. */
export type ManagedApp = Schemas["ManagedApp"];

/** One entry of an app's form. */
export interface InputItem {
  type: "field" | "node" | "output" | "richtext" | "group" | (string & {});
  id?: string;
  nodeId?: string;
  field?: string;
  allowedValues?: unknown[] | null;
  content?: string;
  label?: string;
  help?: string;
  required?: boolean;
  title?: string;
  items?: InputItem[];
}

export type RunExecution = Of<Schemas["RunView"]["execution"], { status: RunStatus; nodeStates?: Record<string, NodeState> }>;
/** A run of an app. */
export type Run = Of<Schemas["RunView"], { status: RunStatus; execution: RunExecution }>;
/** A run of a workflow. */
export type Execution = Of<Schemas["ExecutionDetail"], { status: RunStatus; nodeStates?: Record<string, NodeState> }>;
/** One node of a run, or a node that was run by itself. */
export type Job = Of<Schemas["PublicJob"], { status: JobStatus }>;
export type JobState = Schemas["JobStatusView"];

export type NodeDescriptor = Of<Schemas["NodeTypeView"], { inputSchema: JSONSchema | null }>;
/** The part of JSON Schema that settings of nodes are described in. */
export interface JSONSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  required?: string[];
  properties?: Record<string, JSONSchema>;
  "x-control"?: string;
  "x-order"?: string[];
  [more: string]: unknown;
}

export type Workflow = Schemas["WorkflowView"];
export type WorkflowDetail = Schemas["WorkflowDetail"];
export type NewWorkflow = Schemas["CreateWorkflowInputBody"];
export type WorkflowChange = Schemas["UpdateWorkflowInputBody"];
export type Publication = Schemas["PublishInputBody"];
export type StoredFile = Schemas["FileView"];
export type Profile = Schemas["ProfileView"];
export type Balance = Schemas["BalanceView"];
export type Transaction = Schemas["TransactionView"];
export type StartedRun = Schemas["StartedRun"];
