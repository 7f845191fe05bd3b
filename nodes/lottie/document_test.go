//go:build !race

package lottie

import (
	"bytes"
	"slices"
	"testing"
)

// TestWarnings says in sentences what will be missing, and nothing of what will not.
func TestWarnings(t *testing.T) {
	text := func(style, more string) string {
		return `{"w":9,"h":9,"fr":9,"ip":0,"op":9,"fonts":{"list":[{"fName":"T","fFamily":"Inter"},{"fName":"G","fFamily":"Go"}]},"layers":[{"ty":5,"ks":{},"t":{"d":{"k":[{"t":0,"s":{"s":9,` + style + `}}]}` + more + `}}]}`
	}
	for raw, want := range map[string][]string{
		square:                      nil,
		text(`"f":"G","t":"Ж"`, ``): nil,
		text(`"f":"G","t":"x"`, `,"a":[{"nm":"moves"}]`): {noAnimators},
		text(`"f":"T","t":"x"`, ``):                      {"Texts in Inter are drawn in the font Go: of other fonts, only letters that the animation brings along are known."},
		text(`"f":"G","t":"日🙂"`, ``):                     {"Letters that no font here has were left out: 日, 🙂. Latin, Greek and Cyrillic letters work."},
		shapes(rectangle + `,{"ty":"mm","mm":1}`):        {noEffects},
		`{"w":9,"h":9,"layers":[{"ty":3,"ks":{"r":{"a":0,"k":1,"x":"var $bm_rt = time"}},"ef":[{"ty":5}]}]}`: {noEffects, noExpressions},
	} {
		document, warnings, err := Prepare([]byte(raw))
		if err != nil || !slices.Equal(warnings, want) {
			t.Errorf("%v of %s: %v", warnings, raw, err)
		}
		if bytes.Contains(document, []byte("bm_rt")) {
			t.Errorf("an expression stays in %s", document)
		}
	}
}
