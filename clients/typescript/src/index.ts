export * from "./client.js";
export { AtelierError, ConnectionError, RunFailedError, type ErrorCode, type Refusal } from "./errors.js";
export type { FollowOptions } from "./follow.js";
export type { CallOptions, Options, PostOptions, RequestOptions } from "./http.js";
export { Pages, type Page } from "./pages.js";
export { mainResult, resultOf, resultsOf, type Result } from "./results.js";
export type { Uploadable, UploadOptions, UploadProgress } from "./upload.js";
export { version } from "./version.js";
export type * from "./types.js";
