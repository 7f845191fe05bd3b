import { useCallback, useId, useState, type FormEvent, type ReactNode } from "react";
import { FieldError, fieldsOf, keyOf, valuesOf, type Field, type Form, type FormPart } from "atelier-sdk/form";
import { FieldControl } from "./field-control.js";
import { RunResult } from "./run-result.js";
import type { RunState, ShownResult } from "./state.js";
import { useForm, useRoute, useRun, type Problem } from "./use-run.js";

export interface AppFormProps {
  /** The route of your server for the app, such as /api/atelier/poster (createHandler of atelier-react/server). */
  endpoint: string;
  /** The form, when the page has it already, as one that a server renders does. */
  form?: Form;
  /** What the button says; "Run" unless said. */
  submitLabel?: ReactNode;
  /** Shows a text of the publisher, which is Markdown; as it is written unless said. */
  renderText?: (markdown: string) => ReactNode;
  /** Shows a result; as a picture, a player, a text or JSON unless said. */
  renderResult?: (result: ShownResult) => ReactNode;
  /** Told when a run has completed. */
  onResult?: (run: RunState) => void;
  className?: string;
}

/** An app as a form: fields by its schema, live progress, and the result. */
export function AppForm(props: AppFormProps): ReactNode {
  const route = useRoute(props.endpoint);
  const { form, error } = useForm(route, props.form);
  if (error) return <p role="alert" className="atelier-error">{error.message}</p>;
  if (!form) return <p role="status">Loading…</p>;
  return <Filling key={props.endpoint} {...props} form={form} />;
}

function Filling({ endpoint, form, submitLabel = "Run", renderText, renderResult, onResult, className }: AppFormProps & { form: Form }): ReactNode {
  const route = useRoute(endpoint);
  const { phase, run } = useRun(route);
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [wrong, setWrong] = useState<Problem | undefined>();
  const [uploads, setUploads] = useState(0);
  const prefix = useId();
  const running = phase.name === "running";
  const problem = wrong ?? (phase.name === "filling" || phase.name === "failed" ? phase.error : undefined);
  const fields = fieldsOf(form.parts);
  // A refusal that names none of the fields is shown below them.
  const at = problem?.field !== undefined && fields.some((field) => keyOf(field) === problem.field) ? problem.field : undefined;

  const change = useCallback((field: Field, text: string) => {
    setTexts((before) => ({ ...before, [keyOf(field)]: text }));
    setWrong(undefined);
  }, []);
  const upload = useCallback(
    async (file: File) => {
      setUploads((count) => count + 1);
      try {
        const content = () => ({ body: file, headers: { "Content-Type": file.type || "application/octet-stream", "X-File-Name": encodeURIComponent(file.name) } });
        return (await route.request<{ url: string }>("POST", "/files", { content, timeout: 0 })).url;
      } finally {
        setUploads((count) => count - 1);
      }
    },
    [route],
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (running || uploads > 0) return;
    let values;
    try {
      values = valuesOf(form.parts, texts);
    } catch (failure) {
      if (!(failure instanceof FieldError)) throw failure;
      setWrong({ code: "validation_error", message: failure.message, field: keyOf(failure.field) });
      document.getElementById(`${prefix}-${keyOf(failure.field)}`)?.focus();
      return;
    }
    setWrong(undefined);
    const ended = await run(values);
    if (ended?.status === "completed") onResult?.(ended);
  };
  const show = (part: FormPart, index: number): ReactNode => {
    switch (part.type) {
      case "text":
        return <div key={index} className="atelier-text">{renderText ? renderText(part.text) : <p style={{ whiteSpace: "pre-wrap" }}>{part.text}</p>}</div>;
      case "group":
        return (
          <fieldset key={index} className="atelier-group">
            {part.title && <legend>{part.title}</legend>}
            {part.parts.map(show)}
          </fieldset>
        );
      case "field": {
        const key = keyOf(part);
        return <FieldControl key={key} id={`${prefix}-${key}`} field={part} text={texts[key] ?? part.text} error={at === key ? problem?.message : undefined} onChange={change} onUpload={upload} />;
      }
    }
  };

  return (
    <form className={className ?? "atelier-form"} onSubmit={submit} noValidate aria-label={form.name}>
      {form.parts.map(show)}
      {problem && at === undefined && <p role="alert" className="atelier-error">{problem.message}</p>}
      <p className="atelier-cost">
        {form.estimatedCredits === 1 ? "1 credit" : `${form.estimatedCredits} credits`}
        {form.maxRunsPerUserPerDay !== null && `, at most ${form.maxRunsPerUserPerDay} runs a day`}
      </p>
      <button type="submit" aria-disabled={running || uploads > 0}>{submitLabel}</button>
      <div role="status" aria-live="polite">
        {running && <Progress run={phase.run} />}
        {phase.name === "done" && <p className="atelier-visually-hidden">Done.</p>}
      </div>
      {phase.name === "done" && phase.run.result && (renderResult ? renderResult(phase.run.result) : <RunResult result={phase.run.result} name={form.name} />)}
    </form>
  );
}

function Progress({ run }: { run: RunState | null }): ReactNode {
  const words = run && run.totalNodes > 0 ? `${run.completedNodes} of ${run.totalNodes} steps` : "Starting…";
  return (
    <p className="atelier-progress">
      <progress aria-label="Progress" {...(run && run.totalNodes > 0 ? { value: run.completedNodes, max: run.totalNodes } : {})} /> <span>{words}</span>
    </p>
  );
}
