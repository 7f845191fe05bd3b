import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { AtelierError, follow, pathOf, Transport } from "atelier-sdk/transport";
import type { Form, Values } from "atelier-sdk/form";
import type { RunState } from "./state.js";

/** What the form has come to. */
export type Phase =
  | { name: "filling"; error?: Problem }
  | { name: "running"; run: RunState | null }
  | { name: "done"; run: RunState }
  | { name: "failed"; run: RunState | null; error: Problem };

export interface Problem {
  code: string;
  message: string;
  /** The field at fault, by its key; undefined when it is none. */
  field?: string | undefined;
}

/** The route of the server that the form talks to. */
export function useRoute(endpoint: string): Transport {
  return useMemo(() => new Transport({ baseUrl: addressOf(endpoint), token: "" }), [endpoint]);
}

/** A page's own route, which on a server that renders the page is not asked. */
function addressOf(endpoint: string): string {
  return new URL(endpoint, typeof location === "undefined" ? "http://localhost" : location.href).href;
}

/** Fetches the form of an app, unless the page brings it along. */
export function useForm(route: Transport, given: Form | undefined): { form: Form | undefined; error: Problem | undefined } {
  const [fetched, setFetched] = useState<{ form?: Form; error?: Problem }>({});
  useEffect(() => {
    if (given) return;
    const ending = new AbortController();
    setFetched({});
    route.request<Form>("GET", "", { signal: ending.signal }).then(
      (form) => setFetched({ form }),
      (problem: unknown) => ending.signal.aborted || setFetched({ error: problemOf(problem) }),
    );
    return () => ending.abort();
  }, [route, given]);
  return { form: given ?? fetched.form, error: fetched.error };
}

/** Starts runs and follows them: by a stream, and by polling where none comes through. */
export function useRun(route: Transport): { phase: Phase; run: (values: Values) => Promise<RunState | undefined>; reset: () => void } {
  const [phase, setPhase] = useState<Phase>({ name: "filling" });
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), [route]);

  const run = useCallback(
    async (values: Values) => {
      current.current?.abort();
      const ending = (current.current = new AbortController());
      const { signal } = ending;
      let last: RunState | null = null;
      setPhase({ name: "running", run: null });
      try {
        const { runId } = await route.request<{ runId: string }>("POST", "/runs", { body: values, signal });
        for await (last of follow<RunState>(route, pathOf`/runs/${runId}`, (body) => body as RunState, (state) => state.status === "completed" || state.status === "failed", { signal })) {
          setPhase({ name: "running", run: last });
        }
        if (last === null) return undefined;
        if (last.status === "completed") setPhase({ name: "done", run: last });
        else setPhase({ name: "failed", run: last, error: { code: "failed", message: last.error ?? "The run failed." } });
        return last;
      } catch (problem) {
        if (signal.aborted) return undefined;
        const error = problemOf(problem);
        setPhase(last === null ? { name: "filling", error } : { name: "failed", run: last, error });
        return undefined;
      }
    },
    [route],
  );
  const reset = useCallback(() => {
    current.current?.abort();
    setPhase({ name: "filling" });
  }, []);
  return { phase, run, reset };
}

export function problemOf(problem: unknown): Problem {
  if (problem instanceof AtelierError) return { code: problem.code, message: problem.details.message, field: problem.field?.replace(/^inputs\./, "") };
  return { code: "unreachable", message: "The server cannot be reached. Try again in a moment." };
}
