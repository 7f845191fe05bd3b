import type { App, Output, OutputType, Run, Execution } from "./types.js";

/** What a node yielded, ready to be shown. */
export interface Result {
  nodeId: string;
  /** image as a picture, video and audio as a player, text as it is, data as JSON. */
  kind: OutputType;
  /** The address of the file; undefined when there is none. Anyone who has it may fetch the file, without a token. */
  url: string | undefined;
  text: string | undefined;
  /** All that the node yielded. */
  output: Output;
}

/** Where a result is looked for, in this order. */
const keys = ["url", "imageUrl", "videoUrl", "audioUrl", "resultUrl", "text"];

/** Reads the output of a node; without its outputType the kind goes by what is there. */
export function resultOf(nodeId: string, output: Output, outputType?: OutputType): Result {
  const found = keys.find((key) => typeof output[key] === "string" && output[key] !== "");
  const url = found === undefined || found === "text" ? undefined : (output[found] as string);
  const text = found === "text" ? (output["text"] as string) : undefined;
  let kind = outputType ?? guess(found, output);
  if (url === undefined && (kind === "image" || kind === "video" || kind === "audio")) kind = "data";
  return { nodeId, kind, url, text, output };
}

function guess(found: string | undefined, output: Output): OutputType {
  if (found === "text") return "text";
  for (const kind of ["image", "video", "audio"] as const) {
    if (found === `${kind}Url` || (found && output[`${kind}Url`] === output[found])) return kind;
    if (String(output["contentType"] ?? "").startsWith(`${kind}/`)) return kind;
  }
  return "data";
}

/** The results of a run in the order of the workflow: every output that is not empty. */
export function resultsOf(ended: Run["execution"] | Execution, order: readonly { id: string; type: string }[], kinds: Readonly<Record<string, OutputType | undefined>> = {}): Result[] {
  const out: Result[] = [];
  const states = ended.nodeStates ?? {};
  const known = new Map(order.map((node) => [node.id, node.type]));
  for (const id of new Set([...known.keys(), ...Object.keys(states)])) {
    const output = Object.hasOwn(states, id) ? states[id]?.output : null;
    if (output && Object.keys(output).length > 0) out.push(resultOf(id, output, kinds[known.get(id) ?? ""]));
  }
  return out;
}

/** The main result of a run of an app: that of its thumbnail node, else that of the last node of the workflow. */
export function mainResult(app: Pick<App, "thumbnailNodeId">, results: readonly Result[]): Result | undefined {
  return results.find((result) => result.nodeId === app.thumbnailNodeId) ?? results.at(-1);
}
