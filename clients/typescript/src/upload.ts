import type { PostOptions, Transport } from "./http.js";
import { ConnectionError } from "./errors.js";
import type { StoredFile } from "./types.js";

/** What can be uploaded. Node reads a file from the disk by openAsBlob of node:fs. */
export type Uploadable = Blob | ArrayBuffer | Uint8Array;

export interface UploadProgress {
  /** Bytes that have left, of the form around the file too. */
  sent: number;
  total: number;
}

export interface UploadOptions extends PostOptions {
  /** The name of the file; its own unless said. The service goes by the content. */
  name?: string;
  onProgress?: (progress: UploadProgress) => void;
}

export async function upload(transport: Transport, file: Uploadable, options: UploadOptions): Promise<StoredFile> {
  const blob = file instanceof Blob ? file : new Blob([file as BlobPart]);
  const name = options.name ?? (blob as Partial<File>).name ?? "file";
  const boundary = `atelier-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const quoted = name.replace(/["\r\n\\]/g, "_");
  const form = new Blob([
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: ${blob.type || "application/octet-stream"}\r\n\r\n`,
    blob,
    `\r\n--${boundary}--\r\n`,
  ]);
  const { name: _, onProgress, ...call } = options;
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  const told = (sent: number) => onProgress?.({ sent, total: form.size });
  const content = () => {
    told(0);
    if (!onProgress || hasRequests()) return { body: form, headers };
    return { body: counted(form, told), headers, streamed: true };
  };
  const through = onProgress && hasRequests() ? transport.with(byRequest(told)) : transport;
  const { data } = await through.request<{ data: StoredFile }>("POST", "/v1/upload", { ...call, content, timeout: 0 });
  told(form.size);
  return data;
}

/** The bytes of a form as they are read, which in servers is as they leave. */
function counted(form: Blob, told: (sent: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return form.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        told((sent += chunk.byteLength));
        out.enqueue(chunk);
      },
    }),
  );
}

/** Browsers tell how far a request has come by XMLHttpRequest alone. */
function hasRequests(): boolean {
  return typeof XMLHttpRequest !== "undefined";
}

/** A fetch that tells how much has left. */
function byRequest(told: (sent: number) => void): typeof fetch {
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest();
      const stop = () => request.abort();
      const over = () => init?.signal?.removeEventListener("abort", stop);
      request.open(init?.method ?? "GET", String(input));
      for (const [name, value] of Object.entries((init?.headers ?? {}) as Record<string, string>)) request.setRequestHeader(name, value);
      request.upload.onprogress = (event) => told(event.loaded);
      request.onload = () => {
        over();
        const headers = new Headers();
        for (const line of request.getAllResponseHeaders().trim().split(/[\r\n]+/)) {
          const colon = line.indexOf(":");
          if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
        }
        resolve(new Response(request.responseText || null, { status: request.status, headers }));
      };
      request.onerror = () => (over(), reject(new ConnectionError("the upload broke off")));
      request.onabort = () => (over(), reject(new ConnectionError("the upload was ended")));
      init?.signal?.addEventListener("abort", stop, { once: true });
      request.send(init?.body as XMLHttpRequestBodyInit);
    });
}
