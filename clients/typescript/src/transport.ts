/** What the client is made of, for programs that bring requests to another address, such as a page to a route of its own. */
export { follow, type FollowOptions } from "./follow.js";
export { pathOf, Transport, type CallOptions, type Options, type PostOptions, type RequestOptions } from "./http.js";
export { AtelierError, ConnectionError } from "./errors.js";
