import type { ErrorCode } from "./codes.js";
import type { Run, Execution, Job } from "./types.js";

export type { ErrorCode };

/** What the service answers when it refuses: { error: { code, message, … } }. */
export interface Refusal {
  code: string;
  message: string;
  field?: string;
  missingScope?: string;
  [more: string]: unknown;
}

/**
 * The service refused a request. Dispatch on code; message is for people.
 *
 *     if (failure instanceof AtelierError && failure.code === "not_found") …
 */
export class AtelierError extends Error {
  override readonly name: string = "AtelierError";
  /** One of the codes that the service documents, or one that is yet to come. */
  readonly code: ErrorCode | (string & {});
  /** The status of the answer. */
  readonly status: number;
  /** The input at fault, where it is one. */
  readonly field: string | undefined;
  /** The scope that the token lacks, at insufficient_scope. */
  readonly missingScope: string | undefined;
  /** After how many seconds to try again, where the service said so. */
  readonly retryAfter: number | undefined;
  /** X-Request-Id, by which an operator finds the request in the log. */
  readonly requestId: string | undefined;
  /** All that the error object held. */
  readonly details: Refusal;

  constructor(status: number, details: Refusal, more: { retryAfter?: number | undefined; requestId?: string | undefined } = {}) {
    super(`${details.code}: ${details.message}`);
    this.status = status;
    this.details = details;
    this.code = details.code;
    this.field = details.field;
    this.missingScope = details.missingScope;
    this.retryAfter = more.retryAfter;
    this.requestId = more.requestId;
  }
}

/** The service could not be reached, did not answer in time, or answered with something else than JSON. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** A run, an execution or a job ended without a result. The message is what it says of the reason. */
export class RunFailedError extends Error {
  override readonly name = "RunFailedError";
  /** errorCode of the execution, or "failed"; "cancelled" when it was cancelled. */
  readonly code: string;
  /** How it ended. */
  readonly ended: Run | Execution | Job;

  constructor(ended: Run | Execution | Job, message: string | null | undefined, code: string | undefined) {
    super(message || "The run failed.");
    this.ended = ended;
    this.code = code ?? "failed";
  }
}
