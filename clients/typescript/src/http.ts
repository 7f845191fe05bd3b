import { AtelierError, ConnectionError, type Refusal } from "./errors.js";
import { version } from "./version.js";

/** What a client is made with. */
export interface Options {
  /** The address of the install, such as https://atelier.example.org; ATELIER_URL of the environment unless said. */
  baseUrl?: string;
  /** A personal API token or that of a connected app, or a function that answers one; ATELIER_TOKEN unless said. */
  token?: string | (() => string | Promise<string>);
  /** The workspace that everything is done in and paid by; without one, where the token belongs. */
  workspace?: string;
  /** What X-Service-Client says: sdk/<version>, or extension/<name> of what uses the SDK. */
  client?: string;
  /** How long an answer may take to begin, and as long again to arrive, in milliseconds; a minute unless said. */
  timeout?: number;
  /** How often a request is repeated, at most; 3 unless said, 0 for never. */
  retries?: number;
  /** How long a client waits before it repeats a request, in milliseconds; longer ones are given back as errors. A minute unless said. */
  longestWait?: number;
  /** The platform's own unless said. */
  fetch?: typeof fetch;
  /** How the client waits; for tests. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** The workspace of this call, instead of the client's. */
  workspace?: string;
}

/** A POST may be given the key under which its repeats are the same request. */
export interface PostOptions extends CallOptions {
  /** Made for each call unless said. */
  idempotencyKey?: string;
}

export interface RequestOptions extends PostOptions {
  query?: Record<string, string | number | boolean | readonly string[] | null | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Milliseconds until the answer has to begin; 0 for no bound. */
  timeout?: number;
  /** Sent as it is; made for each attempt. For uploads. */
  content?: () => { body: BodyInit; headers: Record<string, string>; streamed?: boolean };
  /** How often it is repeated at most, instead of the client's. */
  retries?: number;
  /** Leaves the body of the answer unread. */
  unread?: boolean;
}

/** An answer of 2xx, or 304. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body, unless it was left unread. */
  text: string;
  body: ReadableStream<Uint8Array> | null;
}

/** Waits after attempts that are answered 429: 5, 10 and 20 seconds, and at least Retry-After. */
const waitsWhenLimited = [5_000, 10_000, 20_000];
/** Waits after attempts that fail for the time being: 5xx and broken connections. */
const waitsWhenBroken = [1_000, 2_000, 4_000];
/** 5xx that no repeat mends. */
const lasting = ["encryption_key_missing"];

/** Sends requests and repeats them as the service asks clients to. */
export class Transport {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly timeout: number;
  readonly workspace: string | undefined;
  private readonly token: Options["token"];
  private readonly client: string;
  private readonly retries: number;
  private readonly longestWait: number;

  constructor(options: Options) {
    const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
    const address = options.baseUrl ?? environment["ATELIER_URL"];
    if (!address) throw new TypeError("Atelier needs the address of an install: baseUrl, or ATELIER_URL");
    const url = new URL(address);
    if (url.protocol !== "https:" && url.protocol !== "http:") throw new TypeError(`${address} is no address of an install`);
    this.baseUrl = (url.origin + url.pathname).replace(/\/+$/, "").replace(/\/v1$/, "");
    this.token = options.token ?? environment["ATELIER_TOKEN"];
    this.workspace = options.workspace;
    this.client = options.client ?? `sdk/${version}`;
    this.timeout = options.timeout ?? 60_000;
    this.retries = options.retries ?? 3;
    this.longestWait = options.longestWait ?? 60_000;
    const platform = options.fetch ?? globalThis.fetch;
    this.fetch = (input, init) => platform(input, init); // browsers want it called on nothing else
    this.sleep = options.sleep ?? sleep;
  }

  /** The same client, which sends by another fetch. */
  with(other: typeof fetch): Transport {
    return Object.assign(Object.create(Transport.prototype) as Transport, this, { fetch: other });
  }

  /** Sends a request, repeats it where that helps, and reads the JSON of its answer. */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return this.json<T>((await this.send(method, path, options)).text);
  }

  /** Reads the JSON of an answer. */
  json<T>(text: string): T {
    try {
      return (text === "" ? undefined : JSON.parse(text)) as T;
    } catch {
      throw new ConnectionError(`${this.baseUrl} answers with something else than JSON: is it the address of an install?`);
    }
  }

  /** Sends a request and repeats it where that helps. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const key = method === "POST" ? (options.idempotencyKey ?? newKey()) : undefined;
    for (let attempt = 0; ; attempt++) {
      let wait: number | undefined;
      let failure: Error;
      try {
        const answer = await this.once(method, path, options, key);
        if (answer.status < 400) return answer;
        const refusal = refusalOf(answer);
        failure = refusal;
        wait = this.waitAfter(refusal, attempt);
      } catch (problem) {
        options.signal?.throwIfAborted();
        if (!(problem instanceof ConnectionError)) throw problem;
        failure = problem;
        // What a PATCH that broke off did is not known.
        if (method !== "PATCH") wait = waitsWhenBroken[attempt];
      }
      if (wait === undefined || attempt >= (options.retries ?? this.retries) || wait > this.longestWait) throw failure;
      await this.sleep(wait, options.signal);
    }
  }

  /** How long to wait before a repeat; undefined where none helps. */
  private waitAfter(refusal: AtelierError, attempt: number): number | undefined {
    const asked = (refusal.retryAfter ?? 0) * 1_000;
    const atLeast = (wait: number | undefined) => (wait === undefined ? undefined : Math.max(wait, asked));
    if (refusal.status === 429) return atLeast(waitsWhenLimited[attempt]);
    // The request before it under the same key is still at work.
    if (refusal.code === "idempotency_in_progress" && attempt > 0) return atLeast(waitsWhenBroken[attempt]);
    if (refusal.status < 500 || lasting.includes(refusal.code)) return undefined;
    if (refusal.status === 500) return attempt === 0 ? atLeast(waitsWhenBroken[0]) : undefined; // a fault: once
    return atLeast(waitsWhenBroken[attempt]);
  }

  private async once(method: string, path: string, options: RequestOptions, key: string | undefined): Promise<Answer> {
    const headers: Record<string, string> = { Accept: "application/json", "X-Service-Client": this.client };
    const token = typeof this.token === "function" ? await this.token() : this.token;
    if (token) headers["Authorization"] = `Bearer ${token}`;
    const workspace = options.workspace ?? this.workspace;
    if (workspace) headers["X-Service-Workspace"] = workspace;
    if (key !== undefined) headers["Idempotency-Key"] = key;
    const init: RequestInit & { duplex?: "half" } = { method, headers };
    if (options.content) {
      const content = options.content();
      Object.assign(headers, content.headers);
      init.body = content.body;
      if (content.streamed) init.duplex = "half";
    } else if (options.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    Object.assign(headers, options.headers);
    const limit = options.timeout ?? this.timeout;
    const end = ending(options.signal, limit);
    init.signal = end.signal;
    try {
      const answer = await this.fetch(this.url(path, options.query), init);
      const unread = options.unread === true && answer.ok;
      end.began(!unread);
      return { status: answer.status, headers: answer.headers, text: unread ? "" : await answer.text(), body: unread ? answer.body : null };
    } catch (problem) {
      options.signal?.throwIfAborted();
      const reason = end.expired() ? `no answer within ${limit / 1_000} s` : causeOf(problem);
      throw new ConnectionError(`${method} ${this.baseUrl}${path}: ${reason}`, { cause: problem });
    } finally {
      end.over();
    }
  }

  /** The address of a path of the install. */
  url(path: string, query: RequestOptions["query"] = {}): string {
    const sent = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) sent.set(name, Array.isArray(value) ? value.join(",") : String(value));
    }
    const text = sent.toString();
    return this.baseUrl + path + (text && `?${text}`);
  }
}

/** A path with values in it, each of them one segment. */
export function pathOf(strings: TemplateStringsArray, ...values: string[]): string {
  return String.raw(
    { raw: strings },
    ...values.map((value) => {
      if (typeof value !== "string" || value === "" || value === "." || value === "..") {
        throw new TypeError(`${JSON.stringify(value)} is no id`);
      }
      return encodeURIComponent(value);
    }),
  );
}

/** A key under which repeats of a request are the same request. */
function newKey(): string {
  if (globalThis.crypto?.randomUUID) return globalThis.crypto.randomUUID();
  const digits = () => Math.random().toString(36).slice(2, 12); // pages that did not come by https, and Node before 20
  return `${Date.now().toString(36)}-${digits()}-${digits()}`;
}

/** A signal that ends with the caller's, and when an answer does not come in time. */
function ending(signal: AbortSignal | undefined, milliseconds: number) {
  const controller = new AbortController();
  let late = false;
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  const start = () => (milliseconds > 0 ? setTimeout(() => ((late = true), controller.abort()), milliseconds) : undefined);
  let timer = start();
  return {
    signal: controller.signal,
    expired: () => late,
    /** The answer has begun: its body, where it is read, has as long again. */
    began: (read: boolean) => {
      clearTimeout(timer);
      if (read) timer = start();
    },
    over: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", follow);
    },
  };
}

function refusalOf(answer: Answer): AtelierError {
  let details: Refusal = { code: `http_${answer.status}`, message: answer.text.slice(0, 200) || "no explanation" };
  try {
    const { error } = JSON.parse(answer.text) as { error?: Refusal };
    if (typeof error?.code === "string") details = error;
  } catch {
    // A proxy answered, before the service could.
  }
  return new AtelierError(answer.status, details, {
    retryAfter: secondsOf(answer.headers.get("Retry-After")),
    requestId: answer.headers.get("X-Request-Id") ?? undefined,
  });
}

/** Retry-After in seconds; it is a number, or a date where a proxy wrote it. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function causeOf(problem: unknown): string {
  const { message, cause } = problem as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(problem);
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => (clearTimeout(timer), reject(signal?.reason));
    const timer = setTimeout(() => (signal?.removeEventListener("abort", end), resolve()), milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}
