package developer

import "atelier/web/locale"

// What is said goes through these, see docs/translation.md.
var (
	t    = locale.T
	tc   = locale.C
	th   = locale.H
	mark = locale.Mark
)
