package operator

import (
	"atelier/web/frame"
	"atelier/web/locale"
)

// What is said goes through these, see docs/translation.md.
var (
	t    = locale.T
	tn   = locale.N
	tc   = locale.C
	th   = locale.H
	mark = locale.Mark

	markc = locale.MarkC

	inCredits = frame.CreditsIn
)
