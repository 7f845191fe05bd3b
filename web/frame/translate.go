package frame

import "atelier/web/locale"

// What is said goes through these, see docs/translation.md.
var (
	t    = locale.T
	tn   = locale.N
	th   = locale.H
	thn  = locale.HN
	mark = locale.Mark

	tc    = locale.C
	markc = locale.MarkC
)
