// Package inbound is the one entry for bytes that a client sends: bodies,
// forms, files, and the texts of addresses. It knows the limits that hold for
// all of them, whichever face they come to: on their size as they arrive and as
// they unpack, on the memory that they take for each sender and in all, on how
// many values they hold, and on their encoding. It knows nothing of the house:
// what it refuses is a Refusal, which each face says in its own form.
package inbound
