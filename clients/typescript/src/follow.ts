import { AtelierError, ConnectionError } from "./errors.js";
import type { Answer, CallOptions, Transport } from "./http.js";

export interface FollowOptions extends CallOptions {
  /** false polls from the beginning. */
  stream?: boolean;
  /** Milliseconds between two polls; 2 seconds unless said, and no less than that. */
  pollEvery?: number;
}

/** A stream sends a sign of life every 15 seconds; one that is silent for longer does not come through. */
const longestSilence = 45_000;
/** After as many streams without news, and those that cannot be had, the client polls. */
const mostSilentStreams = 2;

/**
 * Yields what a path shows, at once and after each change, until it has ended: by its stream of server-sent events, and
 * by polling where there is none, such as behind a proxy that keeps answers back.
 */
export async function* follow<T>(transport: Transport, path: string, read: (body: unknown) => T, ended: (state: T) => boolean, options: FollowOptions = {}): AsyncGenerator<T, void, undefined> {
  let seen = "";
  let silent = options.stream === false ? mostSilentStreams : 0;
  while (silent < mostSilentStreams) {
    const events = await open(transport, path, seen, options);
    if (events === "polling") break;
    if (events === "over") {
      yield (await poll(transport, path, "", read, options))!.state;
      return;
    }
    silent++;
    try {
      for await (const event of events) {
        const state = JSON.parse(event.data) as T;
        silent = 0;
        seen = event.id;
        yield state;
        if (ended(state)) return;
      }
    } catch (problem) {
      options.signal?.throwIfAborted();
      if (!(problem instanceof ConnectionError)) throw problem;
    }
    await transport.sleep(1_000, options.signal);
  }
  const between = Math.max(options.pollEvery ?? 0, 2_000);
  // The tag of a stream's event is that of a poll.
  for (let tag = seen && `"${seen}"`; ; await transport.sleep(between, options.signal)) {
    const news = await poll(transport, path, tag, read, options);
    if (!news) continue;
    tag = news.tag;
    yield news.state;
    if (ended(news.state)) return;
  }
}

/** One poll; undefined when nothing has changed since the tag. */
async function poll<T>(transport: Transport, path: string, tag: string, read: (body: unknown) => T, options: CallOptions) {
  const answer = await transport.send("GET", path, { ...calling(options), headers: tag ? { "If-None-Match": tag } : {} });
  if (answer.status === 304) return undefined;
  return { state: read(transport.json(answer.text)), tag: answer.headers.get("ETag") ?? "" };
}

function calling({ signal, workspace }: CallOptions): CallOptions {
  return { ...(signal && { signal }), ...(workspace && { workspace }) };
}

interface ServerEvent {
  id: string;
  data: string;
}

/** Opens a stream: its events, "over" when it has nothing more to say, "polling" when there is none to be had. */
async function open(transport: Transport, path: string, seen: string, options: CallOptions): Promise<AsyncGenerator<ServerEvent> | "over" | "polling"> {
  let answer: Answer;
  try {
    answer = await transport.send("GET", `${path}/events`, {
      ...calling(options),
      headers: { Accept: "text/event-stream", ...(seen && { "Last-Event-ID": seen }) },
      retries: 0,
      unread: true,
    });
  } catch (problem) {
    options.signal?.throwIfAborted();
    // A poll says the same where it concerns the run, and not only the stream.
    if (problem instanceof ConnectionError || problem instanceof AtelierError) return "polling";
    throw problem;
  }
  if (answer.status === 204) return "over";
  if (!answer.body || !/^text\/event-stream\b/.test(answer.headers.get("Content-Type") ?? "")) {
    await answer.body?.cancel();
    return "polling";
  }
  return eventsOf(answer.body, options.signal);
}

/** Reads server-sent events. Ends when they do, and when nothing came for longer than the service is ever silent. */
async function* eventsOf(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  let rest = "";
  let id = "";
  let data: string[] = [];
  try {
    for (;;) {
      const silence = setTimeout(stop, longestSilence);
      const { done, value } = await reader.read().catch((problem: unknown) => {
        throw new ConnectionError("the stream broke off", { cause: problem });
      });
      clearTimeout(silence);
      signal?.throwIfAborted();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { id, data: data.join("\n") };
          data = [];
          continue;
        }
        const [, field, text] = /^([^:]*):? ?(.*)$/s.exec(line) as unknown as [string, string, string];
        if (field === "data") data.push(text);
        if (field === "id") id = text;
      }
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}
