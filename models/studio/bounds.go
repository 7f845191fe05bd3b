package studio

import "atelier/nodes/phrase"

// The bounds of the studio; see docs/security.md. Lengths are in characters.
const (
	// MaxPipelines and MaxProductions are how many a space holds.
	MaxPipelines   = 100
	MaxProductions = 500
	// MaxShots is how many a production has.
	MaxShots = phrase.MaxShots
	// MaxCast is how many elements a production names.
	MaxCast = 400

	maxDescription = 4_000
	maxScript      = phrase.MaxScript
	maxTitle       = 100
	maxAction      = phrase.MaxAction
	maxDialogue    = phrase.MaxDialogue
	maxPrompt      = 2_000
	maxNotes       = 4_000
	// maxEach and maxTogether are how many characters, creatures and objects a shot has.
	maxEach     = 4
	maxTogether = 6
)
