//go:build !race

package docs

// Written are the pages that people wrote.
func Written() (out []Page) {
	for _, section := range written {
		out = append(out, section.Pages...)
	}
	return out
}

// Programs are the examples of calls in the languages that have clients.
func Programs() map[string]map[string]string { return programs }
