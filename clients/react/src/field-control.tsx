import { memo, useState, type ReactNode } from "react";
import type { Field } from "atelier-sdk/form";
import { problemOf } from "./use-run.js";

export interface FieldControlProps {
  /** The id of the control in the page. */
  id: string;
  field: Field;
  /** What the control holds: the JSON of a choice, "on" or "" of a toggle. */
  text: string;
  error?: string | undefined;
  onChange: (field: Field, text: string) => void;
  /** Passes a file on and answers its address. */
  onUpload: (file: File) => Promise<string>;
}

/** One field of a form: its label, the control that its kind asks for, what it is for and what is wrong with it. */
export const FieldControl = memo(function FieldControl({ id, field, text, error, onChange, onUpload }: FieldControlProps): ReactNode {
  const [upload, setUpload] = useState<{ busy: boolean; error?: string }>({ busy: false });
  const wrong = error ?? upload.error;
  const says = [field.hint && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(" ");
  const shared = { id, required: field.required, "aria-describedby": says || undefined, "aria-invalid": wrong ? true : undefined };
  const changed = (event: { currentTarget: { value: string } }) => onChange(field, event.currentTarget.value);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setUpload({ busy: true });
    try {
      onChange(field, await onUpload(file));
      setUpload({ busy: false });
    } catch (problem) {
      setUpload({ busy: false, error: problemOf(problem).message });
    }
  };

  const control = (): ReactNode => {
    switch (field.kind) {
      case "select":
        return (
          <select {...shared} value={text} onChange={changed}>
            {!field.options.some((option) => JSON.stringify(option) === text) && <option value={text}>Choose…</option>}
            {field.options.map((option) => (
              <option key={JSON.stringify(option)} value={JSON.stringify(option)}>
                {typeof option === "string" ? option : JSON.stringify(option)}
              </option>
            ))}
          </select>
        );
      case "toggle":
        return <input {...shared} required={false} type="checkbox" checked={text !== ""} onChange={(event) => onChange(field, event.currentTarget.checked ? "on" : "")} />;
      case "number":
        return <input {...shared} type="text" inputMode={field.whole ? "numeric" : "decimal"} autoComplete="off" value={text} onChange={changed} />;
      case "slider":
        return (
          <>
            <input {...shared} type="range" min={field.min} max={field.max} step={field.whole ? 1 : "any"} value={text} onChange={changed} />
            <output htmlFor={id}>{text}</output>
          </>
        );
      case "color":
        return <input {...shared} type="color" value={text} onChange={changed} />;
      case "area":
        return <textarea {...shared} rows={4} value={text} onChange={changed} {...bounded(field)} />;
      case "json":
      case "things":
        return <textarea {...shared} rows={5} spellCheck={false} value={text} onChange={changed} />;
      case "file":
        return (
          <>
            <input {...shared} required={false} type="file" accept={field.accept && `${field.accept}/*`} onChange={(event) => void choose(event.currentTarget.files?.[0])} />
            <input type="url" aria-label={`Or the address of a file on the web: ${field.label}`} placeholder="https://" value={text} onChange={changed} />
            <span role="status">{upload.busy && "Uploading…"}</span>
          </>
        );
      default:
        return <input {...shared} type="text" value={text} onChange={changed} {...bounded(field)} />;
    }
  };

  return (
    <div className={`atelier-field atelier-${field.kind}`}>
      <label htmlFor={id}>
        {field.label}
        {!field.required && field.kind !== "toggle" && <span className="atelier-optional"> (optional)</span>}
      </label>
      {control()}
      {field.hint && <p id={`${id}-hint`} className="atelier-hint">{field.hint}</p>}
      {wrong && <p id={`${id}-error`} className="atelier-error">{wrong}</p>}
    </div>
  );
});

function bounded(field: Field): { maxLength?: number } {
  return field.maxLength > 0 ? { maxLength: field.maxLength } : {};
}
