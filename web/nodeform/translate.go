package nodeform

import "atelier/web/locale"

// What is said goes through these, see docs/translation.md.
var (
	t     = locale.T
	tn    = locale.N
	tc    = locale.C
	mark  = locale.Mark
	markc = locale.MarkC
)
