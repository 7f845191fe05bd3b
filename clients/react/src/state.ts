import type { OutputType, RunStatus } from "atelier-sdk";

/** A run, as the route of the server shows it to the form. */
export interface RunState {
  status: RunStatus;
  completedNodes: number;
  totalNodes: number;
  /** Why it failed. */
  error: string | null;
  /** The main result, once it has completed. */
  result: ShownResult | null;
  results: ShownResult[];
}

export interface ShownResult {
  nodeId: string;
  kind: OutputType;
  url: string | null;
  text: string | null;
  /** What there is where there is neither a file nor a text. */
  data: Record<string, unknown> | null;
}
