// Package operator is the pages of those who operate the install: its organizations, its people, its sign-in and its
// health, and credits that are given.
package operator

import "atelier/web/frame"

// Pages are the pages of operators.
type Pages struct{ *frame.Console }
