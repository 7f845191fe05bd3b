//go:build !race

package lottie

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/nodes/program"
)

// shapes is a document of a layer with these shapes.
func shapes(list string) string {
	return `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"layers":[{"ty":4,"ind":1,"ip":0,"op":10,"st":0,"ks":{"o":{"a":0,"k":100}},"shapes":[` + list + `]}]}`
}

const rectangle = `{"ty":"rc","p":{"a":0,"k":[25,25]},"s":{"a":0,"k":[50,50]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}}`

func repeater(copies string) string {
	return rectangle + `,{"ty":"rp","c":{"a":0,"k":` + copies + `},"o":{"a":0,"k":0},"m":1,"tr":{"p":{"a":0,"k":[1,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"so":{"a":0,"k":100},"eo":{"a":0,"k":100}}}`
}

// nested is a group in a group in a group.
func nested(deep int) string {
	return strings.Repeat(`{"ty":"gr","it":[`, deep) + rectangle + strings.Repeat(`]}`, deep)
}

// multiplied are compositions that each show the next one a hundred times.
func multiplied() string {
	var assets []string
	for i := range 6 {
		layer := fmt.Sprintf(`{"ty":0,"ip":0,"op":10,"st":0,"w":100,"h":100,"refId":"c%d","ks":{"o":{"a":0,"k":100}}}`, i+1)
		assets = append(assets, fmt.Sprintf(`{"id":"c%d","layers":[%s]}`, i, strings.TrimSuffix(strings.Repeat(layer+",", 100), ",")))
	}
	return `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"assets":[` + strings.Join(assets, ",") + `],"layers":[{"ty":0,"ip":0,"op":10,"st":0,"w":100,"h":100,"refId":"c0","ks":{"o":{"a":0,"k":100}}}]}`
}

// TestHostileDocuments draws what the library must not survive, or may: it ends
// the child within its limits, and this process goes on.
func TestHostileDocuments(t *testing.T) {
	path := func(points string) string {
		return shapes(`{"ty":"sh","ks":{"a":0,"k":` + points + `}},{"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":1e30}}`)
	}
	ends := map[string]error{
		"a billion copies": ErrUnreadable, "copies of copies": ErrUnreadable, "deep groups": ErrUnreadable, "compositions of many": ErrTooSlow,
		"kinds of everything": ErrUnreadable, "no layers": ErrUnreadable,
	}
	for name, raw := range map[string]string{
		"a billion copies":         shapes(repeater("1e9")),
		"copies of copies":         shapes(repeater("9999") + "," + strings.Join([]string{repeater("9999"), repeater("9999"), repeater("9999")}, ",")),
		"less than no copies":      shapes(repeater("-1e9")),
		"deep groups":              shapes(nested(20_000)),
		"compositions of many":     multiplied(),
		"a composition of itself":  `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"assets":[{"id":"c","layers":[{"ty":0,"ip":0,"op":10,"refId":"c","w":100,"h":100,"ks":{}}]}],"layers":[{"ty":0,"ip":0,"op":10,"refId":"c","w":100,"h":100,"ks":{}}]}`,
		"a parent of itself":       `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"layers":[{"ty":4,"ind":1,"parent":2,"ks":{},"ip":0,"op":10,"shapes":[]},{"ty":4,"ind":2,"parent":1,"ks":{},"ip":0,"op":10,"shapes":[]}]}`,
		"points beyond everything": path(`{"c":true,"v":[[1e300,-1e300],[5e307,1],[0,0]],"i":[[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0]]}`),
		"points of other lengths":  path(`{"c":true,"v":[[1,2],[3,4],[5,6]],"i":[],"o":[[0,0]]}`),
		"no points":                path(`{"c":true,"v":[],"i":[],"o":[]}`),
		"a huge layer":             `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"layers":[{"ty":1,"sw":2147483647,"sh":2147483647,"sc":"#ff0000","ip":0,"op":10,"ks":{"s":{"a":0,"k":[1e30,1e30]}}}]}`,
		"kinds of everything":      `{"v":7,"w":"x","h":[],"fr":{},"ip":null,"op":true,"layers":[1,"x",null,[],{"ty":"x","ks":7},{"ty":4,"shapes":{"ty":"gr"},"ks":{"p":{"a":1,"k":[{}]}}}],"assets":[1,{"layers":7},{"id":7,"layers":[[]]}]}`,
		"no layers":                `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10}`,
		"dashes of nothing":        shapes(`{"ty":"el","p":{"a":0,"k":[50,50]},"s":{"a":0,"k":[9e4,9e4]}},{"ty":"st","c":{"a":0,"k":[1,0,0]},"w":{"a":0,"k":1},"d":[{"n":"d","v":{"a":0,"k":1e-9}},{"n":"g","v":{"a":0,"k":1e-9}}]}`),
		"a star of many points":    shapes(`{"ty":"sr","sy":1,"p":{"a":0,"k":[50,50]},"pt":{"a":0,"k":2e9},"or":{"a":0,"k":50},"ir":{"a":0,"k":5},"os":{"a":0,"k":0},"is":{"a":0,"k":0},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[1,0,0]}}`),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			document, _, err := Prepare([]byte(raw))
			if err == nil {
				f := Film{Document: document, Width: 100, Height: 100, Frames: 3, Step: 1}
				err = f.Draw(context.Background(), io.Discard)
			}
			if err != nil && !errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrTooSlow) {
				t.Error(err)
			}
			if took := time.Since(start); took > 3*frameTime {
				t.Errorf("took %v", took)
			}
			if want, ok := ends[name]; ok && !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// TestFilesAreNotRead lets pictures name a file that is there: nothing of it is drawn, nor asked for.
func TestFilesAreNotRead(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.png")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, asset := range []string{
		fmt.Sprintf(`{"id":"i","w":100,"h":100,"u":"%s/","p":"secret.png","e":0}`, filepath.Dir(secret)),
		fmt.Sprintf(`{"id":"i","w":100,"h":100,"u":"","p":%q,"e":1}`, secret),
		`{"id":"i","w":100,"h":100,"u":"https://files.example/","p":"a.png"}`, `{"id":"i","p":"data:image/svg+xml;base64,AAAA"}`,
	} {
		document, warnings, err := Prepare([]byte(`{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"assets":[` + asset + `],"layers":[{"ty":2,"refId":"i","ip":0,"op":10,"ks":{}}]}`))
		if err != nil || len(warnings) != 1 || warnings[0] != noFiles {
			t.Fatal(warnings, err)
		}
		for _, word := range []string{"secret", "files.example", "svg", `"p"`, `"u"`} {
			if bytes.Contains(document, []byte(word)) {
				t.Errorf("%s stays in %s", word, document)
			}
		}
	}
}

func TestMissingLibrary(t *testing.T) {
	names := Library
	defer func() { Library = names }()
	Library = []string{"librlottie-that-is-not-there.so"}
	err := Film{Document: []byte(square), Width: 100, Height: 100, Frames: 1, Step: 1}.Draw(context.Background(), io.Discard)
	var missing *program.Missing
	if !errors.As(err, &missing) || missing.Package != Package {
		t.Fatal(err)
	}
}

// TestMuchText bounds what texts and slots make of a small document.
func TestMuchText(t *testing.T) {
	text := func(s string, times int) string {
		layer := `{"ty":5,"ks":{},"t":{"d":{"sid":"a","k":[{"t":0,"s":{"t":"` + s + `","s":20,"fc":[0,0,0]}}]}}}`
		return `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"layers":[` + strings.TrimSuffix(strings.Repeat(layer+",", times), ",") + `]`
	}
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"enough":           {text(strings.Repeat("o", 1_500), 1) + `}`, nil},
		"letters":          {text(strings.Repeat("o", 2_100), 1) + `}`, ErrTooMuchText},
		"empty lines":      {text(strings.Repeat(`\r`, 2_100), 1) + `}`, ErrTooMuchText},
		"empty texts":      {text("", 2_100) + `}`, ErrTooMuchText},
		"a slot in many":   {text("", 1_000) + `,"slots":{"a":{"p":{"k":[],"note":"` + strings.Repeat("o", 100_000) + `"}}}}`, ErrUnreadable},
		"a slot in a slot": {text("", 1) + `,"slots":{"a":{"p":{"k":[{"s":{"sid":"a","t":"x"}}]}}}}`, nil},
	} {
		if _, _, err := Prepare([]byte(c.raw)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
