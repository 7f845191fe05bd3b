//go:build !race

package web

import (
	"regexp"
	"strings"
	"testing"
)

// One word for each thing. What stands left is said by the word to its right.
var otherTerms = map[string]*regexp.Regexp{
	"short name":          regexp.MustCompile(`(?i)\bslugs?\b`),
	"the name of a thing": regexp.MustCompile(`\bUUIDs?\b`),
	"withdraw":            regexp.MustCompile(`(?i)\b(took back|taken back) the invitation\b|\brevoked? (the|an) invitation\b`),
	"node":                regexp.MustCompile(`(?i)\bsteps? of (the|a) workflow\b`),
	"cap":                 regexp.MustCompile(`(?i)\bcredit limits?\b|\b(your|own|the) limit of credits\b|\byour own limit\b`),
	"suspension":          regexp.MustCompile(`(?i)\breinstated?\b`),
	"a plain past tense":  regexp.MustCompile(`(?i)\bsuccessfully\b`),
}

// schoolTerms are words of the schema that no page of a school has: it has words of its own.
var schoolTerms = map[string]*regexp.Regexp{
	"class": regexp.MustCompile(`(?i)\bworkspaces?\b`),
}

func TestOneWordForEachThing(t *testing.T) {
	people := map[string]*fake{"with all rights": newFake(t).school(), "with none": powerless(newFake(t).school())}
	for _, path := range pages(t) {
		for name, f := range people {
			text := shownText(t, get(f, path).Body.String())
			check := func(terms map[string]*regexp.Regexp) {
				for term, other := range terms {
					if at := other.FindStringIndex(text); at != nil {
						t.Errorf("%s %s says %q, not %q: …%s…", path, name, text[at[0]:at[1]], term, text[max(0, at[0]-60):min(len(text), at[1]+60)])
					}
				}
			}
			check(otherTerms)
			if strings.HasPrefix(path, "/orgs/"+someID) || strings.HasPrefix(path, "/workspaces/") {
				check(schoolTerms)
			}
		}
	}
}
