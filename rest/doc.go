// Package rest is the /v1 face, exactly as the contract says. Each route is a
// typed huma operation on a gorilla/mux router; it calls a resolver method as
// plain Go and maps the result to the contract's JSON. The frame - who acts,
// envelopes, errors, limits, idempotency - is in this folder once:
//
//	identity.go     who sent the request, as server's chain found out
//	api.go          the operations' frame: authentication, scope, selection
//	error.go        the contract's error form for every failure there is
//	envelope.go     { data }, { data, nextCursor }, { success: true }
//	idempotency.go  Idempotency-Key and ?wait=true
//	selection.go    X-Service-Workspace and bound tokens
//
// and then a file per resource.
package rest
