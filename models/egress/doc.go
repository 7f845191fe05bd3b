// Package egress is the one way out: every HTTP request to an address that
// a person gave goes through its client. The client resolves the name itself,
// refuses it when any of its addresses is not public, connects to exactly the
// addresses that it has judged, knows no proxy, follows no redirect unless
// told, and bounds the time, the headers and the body of what comes back.
//
// A client may keep connections. Resolving and judging stay what each request
// begins with; a kept connection is taken only where it leads to one of the
// addresses that this request has judged.
package egress
