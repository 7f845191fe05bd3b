import type { ReactNode } from "react";
import type { ShownResult } from "./state.js";

/** A result by its kind: a picture, a player, a text, or JSON. */
export function RunResult({ result, name }: { result: ShownResult; name: string }): ReactNode {
  const url = result.url !== null && /^https?:\/\//.test(result.url) ? result.url : undefined;
  const shown = (): ReactNode => {
    if (url) {
      if (result.kind === "image") return <img src={url} alt={`Result of ${name}`} />;
      if (result.kind === "video") return <video src={url} controls aria-label={`Result of ${name}`} />;
      if (result.kind === "audio") return <audio src={url} controls aria-label={`Result of ${name}`} />;
    }
    if (result.text !== null) return <p style={{ whiteSpace: "pre-wrap" }}>{result.text}</p>;
    return result.data && <pre tabIndex={0}>{JSON.stringify(result.data, null, 2)}</pre>;
  };
  return (
    <section className="atelier-result" aria-label="Result">
      {shown()}
      {url && (
        <p>
          <a href={url} download target="_blank" rel="noopener noreferrer">Download</a>
        </p>
      )}
    </section>
  );
}
