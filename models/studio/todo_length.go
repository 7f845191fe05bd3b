package studio

import (
	"strings"

	"atelier/nodes/phrase"
)

// length stands here until renders are there.
func (s *Shot) length(sound *float64) float64 {
	said := float64(len(strings.Fields(s.Dialogue))) / phrase.WordsPerSecond
	switch {
	case sound != nil:
		said = *sound
	}
	switch {
	case s.Duration != nil:
		return max(*s.Duration, said)
	case said > 0:
		return min(said+0.6, longestShot)
	}
	return 4
}
