// Package jsontext reads JSON that another person wrote within bounds: on how
// deep it nests, and on its numbers. It knows nothing of the house, so that
// every room can read with it: models says a refusal in the contract's terms,
// the console beside the field that was typed into.
package jsontext
