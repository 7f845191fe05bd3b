package assets

import (
	"embed"
	"sort"
)

//go:embed licences
var licenceFiles embed.FS

// Licence is the licence of one vendored thing, as its authors ship it.
type Licence struct {
	Name string // "htmx"
	Text string
}

// Licences returns the licences of everything vendored here, by name.
func Licences() []Licence {
	entries, err := licenceFiles.ReadDir("licences")
	if err != nil {
		panic("assets: " + err.Error())
	}
	out := make([]Licence, 0, len(entries))
	for _, e := range entries {
		text, err := licenceFiles.ReadFile("licences/" + e.Name())
		if err != nil {
			panic("assets: " + err.Error())
		}
		out = append(out, Licence{Name: e.Name()[:len(e.Name())-len(".txt")], Text: string(text)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
