// Package models is the vocabulary that every room of the house shares: who
// acts (Actor), what can go wrong (Error and its codes), the database and its
// transactions (DB, Tx), time (Clock), money (Credits), lists (Page, Cursor),
// partial updates (Opt), and the rows that accompany a change (Audit, Limit,
// Idempotency). The areas are the folders below it, which docs/architecture.md
// lists; each holds its own rows and use cases.
package models
