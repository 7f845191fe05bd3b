package phrase

import "strings"

// The words of a camera, by the names of its parts; what is usual says nothing.
var (
	sizeWords = map[string]string{
		"extreme-wide": "extreme wide shot", "wide": "wide shot", "full": "full figure", "medium": "medium shot", "close": "close up", "extreme-close": "extreme close up",
	}
	angleWords    = map[string]string{"high": "seen from above", "low": "seen from below", "overhead": "seen from straight above"}
	movementWords = map[string]string{
		"static": "still camera", "push-in": "the camera moves slowly closer", "pull-out": "the camera moves slowly away", "pan-left": "the camera pans to the left",
		"pan-right": "the camera pans to the right", "tilt-up": "the camera tilts up", "tilt-down": "the camera tilts down",
	}
)

// ShotPrompt is a prompt for the picture of a shot: what is seen, verbatim, and how the camera
// looks at it.
func ShotPrompt(seen, size, angle string) string {
	return list([]string{strings.TrimRight(strings.TrimSpace(seen), "."), sizeWords[size], angleWords[angle]})
}

// Moving is a prompt with how the camera moves, for the video of a shot.
func Moving(prompt, movement string) string {
	return list([]string{strings.TrimSpace(prompt), movementWords[movement]})
}
