/**
 * For receivers: verifies the signed events that the service sends, and reads
 * them. Node, Deno, Bun, workers and browsers; no dependencies.
 *
 *     const event = await verify(request.headers, body, secret);
 *
 * The body must be the bytes as they arrived. JSON that was read and written
 * again has other bytes, and no signature fits it.
 */

/** Carries the time of sending and the signatures. */
export const signatureHeader = "Service-Signature";

/** How far the time of sending may be from now, either way, in seconds. */
export const defaultToleranceSeconds = 300;

/** The longest signature header that is looked at; it is ASCII when it is right. */
const maxHeader = 4096;
/** How many v1 signatures are compared; the service sends two at most. */
const maxSignatures = 16;

/** Why an event was not accepted, in the order in which it is looked at. */
export type FailureCode =
  /** There is no secret to verify with. */
  | "missing_secret"
  /** The platform has no Web Crypto, or refuses HMAC-SHA256. */
  | "crypto_unavailable"
  /** The request has no signature. */
  | "missing_header"
  /** The signature is not of the form t=<seconds>,v1=<hex>. */
  | "malformed_header"
  /** No signature fits the bytes of the body and a secret. */
  | "signature_mismatch"
  /** The signature is right, but too old, or of a time to come. */
  | "timestamp_outside_tolerance"
  /** The signature is right, but the body is no event. */
  | "invalid_payload";

/** An event was not accepted. The message is for a log and holds no secret. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  constructor(
    readonly code: FailureCode,
    detail: string,
  ) {
    super(`${code}: ${detail}`);
  }
}

/** A job as GET /v1/jobs/{id} shows it. */
export interface Job {
  id: string;
  execution_id?: string;
  node_id?: string;
  /** completed or failed in an event. */
  status: string;
  progress?: number;
  /** The type of node, such as generate-image. */
  job_type?: string;
  input_data?: unknown;
  output_data?: unknown;
  error_message?: string | null;
  error_hint?: string | null;
  /** May still be "reserved", with credits_charged null. */
  credit_status?: string | null;
  credits_charged?: number | null;
  source?: string;
  session_id?: string | null;
  created_at?: string;
  completed_at?: string | null;
  /** Jobs may gain fields. */
  [field: string]: unknown;
}

interface Envelope<Type extends string, Data> {
  /** The same at every repeat: the key by which a receiver sees that it has had the event already. */
  id: string;
  type: Type;
  /** When the job reached this state. Events arrive in any order. */
  createdAt: string;
  data: Data;
}

export type JobEvent = Envelope<
  "job.completed" | "job.failed",
  {
    job: Job;
    /** What was left out because the event would have been larger than 64 KB. */
    omitted?: ("input_data" | "output_data")[];
  }
>;

export type PingEvent = Envelope<"ping", { webhookId: string }>;

/** A verified event. Types may be added: a switch over them should pass over what it does not know. */
export type WebhookEvent = JobEvent | PingEvent;

/** The headers of a request in any of the forms that servers hand out, or the value of the signature header itself. */
export type SignatureSource =
  | string
  | null
  | undefined
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of sending may be from now, either way; 300 unless said. */
  toleranceSeconds?: number;
  /** The clock. */
  now?: () => Date;
  /** Web Crypto; the platform's own unless said. */
  crypto?: Pick<Crypto, "subtle"> | null;
}

/**
 * Verifies an event by its signature and the exact bytes of its body, with one
 * secret or several (for the time of a rotation); empty ones are passed over.
 * Rejects with a WebhookError.
 */
export async function verify(
  signature: SignatureSource,
  body: Uint8Array | ArrayBuffer | string,
  secrets: string | readonly (string | undefined)[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = (typeof secrets === "string" ? [secrets] : secrets).filter((secret) => secret !== undefined && secret !== "");
  if (keys.length === 0) throw new WebhookError("missing_secret", "there is no signing secret to verify with");
  const subtle = await subtleCrypto(options);
  const header = parse(valueOf(signature));
  const bytes = bytesOf(body);
  if (!(await fits(subtle, header, bytes, keys as string[]))) {
    throw new WebhookError("signature_mismatch", "no signature fits the body; it must be the exact bytes that arrived");
  }
  const tolerance = options.toleranceSeconds ?? defaultToleranceSeconds;
  const age = (options.now?.() ?? new Date()).getTime() / 1000 - header.seconds;
  if (!(Math.abs(age) <= tolerance)) {
    throw new WebhookError("timestamp_outside_tolerance", `sent ${Math.round(Math.abs(age))} s from now; at most ${tolerance} s are accepted`);
  }
  return read(bytes);
}

/** The platform's HMAC: Web Crypto, which Node before 20 keeps in a module. */
async function subtleCrypto(options: VerifyOptions): Promise<SubtleCrypto> {
  let found = options.crypto === undefined ? globalThis.crypto : options.crypto;
  if (found === undefined) {
    const module = "node:crypto"; // a name that bundlers for browsers do not follow
    found = await import(module).then((node) => node.webcrypto, () => undefined);
  }
  // Browsers have it in secure contexts alone.
  if (!found?.subtle) throw new WebhookError("crypto_unavailable", "this platform has no Web Crypto");
  return found.subtle;
}

function valueOf(source: SignatureSource): string {
  if (source === null || source === undefined) return "";
  if (typeof source === "string") return source;
  if (typeof source.get === "function") return source.get(signatureHeader) ?? "";
  for (const [name, value] of Object.entries(source)) {
    if (name.toLowerCase() !== signatureHeader.toLowerCase()) continue;
    return typeof value === "string" ? value : (value as readonly string[] | undefined)?.join(",") ?? "";
  }
  return "";
}

interface Header {
  /** t as it was written, which is what was signed. */
  stamp: string;
  seconds: number;
  signatures: Uint8Array<ArrayBuffer>[];
}

/** Reads one t and at least one v1, in any order; what else is there is passed over. */
function parse(header: string): Header {
  const malformed = (detail: string) => new WebhookError("malformed_header", detail);
  if (trim(header) === "") throw new WebhookError("missing_header", `the request has no ${signatureHeader}`);
  if (header.length > maxHeader) throw malformed(`the header is longer than ${maxHeader} bytes`);
  let stamp: string | undefined;
  const signatures: Uint8Array<ArrayBuffer>[] = [];
  for (const part of header.split(",")) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(trim(part)) as unknown as [string, string, string];
    if (name === "t") {
      if (stamp !== undefined) throw malformed("t is there twice");
      if (!/^[0-9]{1,11}$/.test(value)) throw malformed("t is no time in seconds");
      stamp = value;
    } else if (name === "v1") {
      if (signatures.length === maxSignatures) throw malformed(`there are more than ${maxSignatures} signatures`);
      signatures.push(unhex(value));
    }
  }
  if (stamp === undefined) throw malformed("there is no t");
  if (signatures.length === 0) throw malformed("there is no v1");
  return { stamp, seconds: Number(stamp), signatures };
}

function trim(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

/** The bytes of a hex text; what is no hex is no bytes, which fit nothing. */
function unhex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) return new Uint8Array(0);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function bytesOf(body: Uint8Array | ArrayBuffer | string): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError("verify needs the body as it arrived, as bytes or text, and not what was read from it");
}

/** Whether a signature is that of the body, made with one of the secrets. The platform compares in constant time. */
async function fits(subtle: SubtleCrypto, header: Header, body: Uint8Array, secrets: string[]): Promise<boolean> {
  const stamp = new TextEncoder().encode(header.stamp + ".");
  const signed = new Uint8Array(stamp.length + body.length);
  signed.set(stamp);
  signed.set(body, stamp.length);
  let fitting = false;
  for (const secret of secrets) {
    for (const signature of header.signatures) {
      if (await same(subtle, secret, signature, signed)) fitting = true;
    }
  }
  return fitting;
}

async function same(subtle: SubtleCrypto, secret: string, signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    const key = await subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    return await subtle.verify("HMAC", key, signature, signed);
  } catch {
    throw new WebhookError("crypto_unavailable", "this platform refuses HMAC-SHA256");
  }
}

/** Reads a body whose signature was right. */
function read(body: Uint8Array): WebhookEvent {
  const invalid = (detail: string) => new WebhookError("invalid_payload", detail);
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw invalid("the body is no JSON");
  }
  if (!isObject(event)) throw invalid("the body is no JSON object");
  for (const name of ["id", "type", "createdAt"]) {
    if (typeof event[name] !== "string" || event[name] === "") throw invalid(`the event has no ${name}`);
  }
  if (!isTime(event.createdAt as string)) throw invalid("createdAt is no time");
  if (!isObject(event.data)) throw invalid("the event has no data");
  const { job, omitted, webhookId } = event.data;
  if ((event.type === "job.completed" || event.type === "job.failed") && !isObject(job)) throw invalid("the event has no job");
  if (omitted !== undefined && !Array.isArray(omitted)) throw invalid("data.omitted is no list");
  if (event.type === "ping" && webhookId !== undefined && typeof webhookId !== "string") throw invalid("data.webhookId is no text");
  return event as unknown as WebhookEvent;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));
}
