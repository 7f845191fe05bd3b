//go:build !race

package operator

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"

	"atelier/web/locale"
	"atelier/web/query"
)

var (
	// doctorSentence is a sentence of the doctor, in its source.
	doctorSentence = regexp.MustCompile(`^[A-Zc%].* .*\.$`)
	verb           = regexp.MustCompile(`%[a-z]`)
)

// rawSentences are of nothing but what another program said.
var rawSentences = map[string]bool{"%s: %v.": true, "%s is %s: %s.": true, "%s is not installed: %s.": true, "%s; %d pieces of work are under way, %d wait.": true}

// Everything that the doctor says is read from its source, and has words here.
func TestEveryFindingIsKnown(t *testing.T) {
	pseudo := locale.With(context.Background(), locale.ByCode("ar-XB")) // in which no sentence stays as it is
	known := func(text string) bool {
		return findingSayings.In(pseudo, text) != text || doSayings.In(pseudo, text) != text
	}
	found := 0
	for _, name := range []string{"doctor_looks.go", "doctor_database.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), "../../server/"+name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(literal.Value)
			if doctorSentence.MatchString(text) && !rawSentences[text] {
				if found++; !known(verb.ReplaceAllString(text, "7")) {
					t.Errorf("%s: %q", name, text)
				}
			}
			return true
		})
	}
	if found < 90 {
		t.Errorf("only %d sentences were found", found)
	}
	for _, text := range []string{
		"fsync is off: a power cut destroys the database.", "synchronous_commit is off: runs that were accepted are lost in a crash.",
		"autovacuum is off: tables grow without end.", "track_counts is off: autovacuum does not know where to work.",
		"data_checksums is off: a damaged disk goes unnoticed.", "ffmpeg is not installed: films and sounds are neither taken nor made.",
		"heif-convert is not installed: pictures in HEIC are not read.", "espeak-ng is not installed: no text is spoken without a provider.",
		"pocketsphinx_continuous is not installed: no speech is written down without a provider.", "povray is not installed: scenes are drawn by the built-in renderer.",
		"1 process works; 0 pieces of work are under way, 3 wait.", "2 processes work; 7 pieces of work are under way, 3 wait.",
		"Install the Debian package ffmpeg, where workers run.", "Set ENCRYPTION_KEY to use event endpoints and credentials.",
		"Reports are read from the primary: it is 3s behind.", "OIDC_PROVIDERS school is not reached: timeout.",
	} {
		if !known(text) {
			t.Errorf("%q", text)
		}
	}
}

func TestFindingsAreInTheReadersLanguage(t *testing.T) {
	german := locale.With(context.Background(), locale.ByCode("de"))
	f := findingIn(german, query.Finding{Name: "Disk", Says: "3.2 GB are free where DATA_DIR lies.", Do: "Make the disk larger soon."})
	if f.Name != "Datenträger" || f.Says != "Wo DATA_DIR liegt, sind 3,2 GB frei." || f.Do != "Vergrößern Sie den Datenträger bald." {
		t.Errorf("%+v", f)
	}
	if f := findingIn(german, query.Finding{Name: "Disk", Says: "A finding of tomorrow.", Do: ""}); f.Says != "A finding of tomorrow." || f.Do != "" {
		t.Errorf("%+v", f)
	}
	if got := storagePlaceIn(german, "A bucket"); got != "Ein Bucket" {
		t.Error(got)
	}
}
