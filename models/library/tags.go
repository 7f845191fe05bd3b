package library

import (
	"slices"
	"strings"
	"unicode/utf8"

	"atelier/humantext"
	"atelier/models"
)

// The bounds of tags; see docs/security.md.
const (
	MaxTags      = 10
	maxTagLength = 30
)

// CleanTags are tags in small letters, each once.
func CleanTags(tags []string) (models.Strings, error) {
	kept := models.Strings{}
	for _, tag := range tags {
		tag = strings.ToLower(strings.TrimSpace(humantext.Name(tag)))
		if tag == "" || utf8.RuneCountInString(tag) > maxTagLength {
			return nil, models.Invalid("tags", "must have 1 to %d characters each", maxTagLength)
		}
		if _, err := models.CleanName("tags", tag); err != nil {
			return nil, err
		}
		if !slices.Contains(kept, tag) {
			kept = append(kept, tag)
		}
	}
	if len(kept) > MaxTags {
		return nil, models.Invalid("tags", "must be at most %d", MaxTags)
	}
	return kept, nil
}
