// What the editor asks of the console. Every refusal is an error with status, code, message and field.

import { word } from "./words.js";

export class Refusal extends Error {
  constructor(status, body) {
    super(body?.error?.message || word("failed"));
    this.status = status;
    this.code = body?.error?.code ?? "internal_error";
    this.field = body?.error?.field ?? "";
    this.body = body;
  }
}

async function answer(response) {
  const body = response.headers.get("Content-Type")?.startsWith("application/json") ? await response.json() : null;
  if (!response.ok || !body) throw new Refusal(response.status, body);
  return body;
}

async function send(url, options) {
  let response;
  try {
    response = await fetch(url, { credentials: "same-origin", redirect: "manual", ...options });
  } catch {
    throw new Refusal(0, { error: { code: "offline", message: word("unreachable") } });
  }
  if (response.type === "opaqueredirect") throw new Refusal(401, { error: { code: "unauthorized", message: word("signedOut") } });
  return response;
}

export const ask = async (url) => answer(await send(url, { headers: { Accept: "application/json" } }));
export const post = async (url, fields) => answer(await send(url, { method: "POST", body: new URLSearchParams(fields) }));
export const upload = async (url, form) => answer(await send(url, { method: "POST", body: form }));

// submit sends a form of a page and stays here; where it leads to does not matter.
export async function submit(form) {
  const response = await fetch(form.action, { method: "POST", redirect: "manual", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) });
  if (!response.ok && response.type !== "opaqueredirect") throw new Refusal(response.status, null);
}

// part is a piece of a page.
export async function part(url) {
  const response = await send(url, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Refusal(response.status, null);
  return response.text();
}
