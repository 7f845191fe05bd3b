package org

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"atelier/models"

	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// maxSlug is a slug's length in bytes.
const maxSlug = 50

var slugForm = regexp.MustCompile(`^[a-z0-9-]{1,50}$`)

// CheckSlug refuses what is no slug: validation_error.
func CheckSlug(slug *string) error {
	if slug != nil && !slugForm.MatchString(*slug) {
		return models.Invalid("slug", "must be 1 to %d lower-case letters, digits and hyphens", maxSlug)
	}
	return nil
}

// DeriveSlug makes a slug of a name: letters lose their marks, everything else
// becomes a hyphen. A name without any such letter gives otherwise.
func DeriveSlug(name, otherwise string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == 'ß':
			b.WriteString("ss")
		case unicode.Is(unicode.Mn, r):
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	slug := strings.Trim(b.String(), "-")
	if slug == "" {
		return otherwise
	}
	return strings.TrimRight(slug[:min(len(slug), maxSlug)], "-")
}

// suffixed is the n-th choice of a derived slug: school, school-2, school-3.
func suffixed(base string, n int) string {
	if n < 2 {
		return base
	}
	suffix := "-" + strconv.Itoa(n)
	return strings.TrimRight(base[:min(len(base), maxSlug-len(suffix))], "-") + suffix
}

// InsertWithSlug inserts a row whose slug is unique among those of taken. A
// sent slug must be free (name_taken); a derived one takes the first free
// suffix, and who loses a race for a suffix takes the next.
func InsertWithSlug(tx *models.Tx, row any, slug, sent *string, base string, taken *gorm.DB) error {
	var used []string
	if sent == nil {
		stem := suffixed(base, 999_999)
		stem = stem[:strings.LastIndexByte(stem, '-')]
		if err := taken.Where("slug = ? OR slug LIKE ?", base, stem+"%").Pluck("slug", &used).Error; err != nil {
			return err
		}
	}
	for n := 1; n < len(used)+100; n++ {
		*slug = suffixed(base, n)
		if sent != nil {
			*slug = *sent
		}
		if slices.Contains(used, *slug) {
			continue
		}
		inserted, err := models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(row))
		if err != nil || inserted == 1 {
			return err
		}
		if sent != nil {
			break
		}
	}
	e := models.Err(models.CodeNameTaken, "The slug %s is taken", *slug)
	e.Field = "slug"
	return e
}
