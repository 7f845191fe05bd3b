package docs

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"atelier/web/assets"
)

// Write writes all pages and what they need into a folder, with links that work wherever the folder is served from.
func (s *Site) Write(folder string) error {
	s.Apart = true
	paths, err := s.Paths()
	if err != nil {
		return err
	}
	for _, at := range append(paths, searchPath, indexPath) {
		page, err := s.page(at)
		if err != nil {
			return err
		}
		if page == nil {
			return fmt.Errorf("there is no page at %q", at)
		}
		body := page.Plain()
		if page.Kind == htmlKind {
			body = withRelativeLinks(addressOf(at), body)
		}
		if err := put(folder, fileOf(addressOf(at)), body); err != nil {
			return err
		}
	}
	return s.writeFiles(folder)
}

// writeFiles writes what pages link to: the document of the API, files to copy, styles and scripts.
func (s *Site) writeFiles(folder string) error {
	document, err := s.Document()
	if err != nil {
		return err
	}
	if err := put(folder, "openapi.json", document); err != nil {
		return err
	}
	files, err := handedOut()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := put(folder, name, text); err != nil {
			return err
		}
	}
	for name, body := range assets.Files("app.css", "docs.js", "icon.svg", "inter-latin.woff2", "inter-latin-ext.woff2") {
		if err := put(folder, path.Join("assets", name), body); err != nil {
			return err
		}
	}
	return nil
}

func put(folder, name string, body []byte) error {
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}

// Paths are those of all pages.
func (s *Site) Paths() (out []string, err error) {
	sections, err := s.contents()
	if err != nil {
		return nil, err
	}
	out = append(out, "")
	for _, section := range sections {
		for _, p := range section.Pages {
			out = append(out, p.Path)
		}
	}
	codes, err := s.codes()
	for _, e := range codes {
		out = append(out, errorsPath+"/"+e.Code)
	}
	return out, err
}

// fileOf is the file of an address, within the folder that is written; "" for an address of the program.
func fileOf(address string) string {
	address, _, _ = strings.Cut(address, "#")
	switch at := strings.TrimPrefix(address, Prefix+"/"); {
	case address == Prefix:
		return "index.html"
	case address == "/v1/openapi.json":
		return "openapi.json"
	case strings.HasPrefix(address, assets.Prefix):
		return address[1:]
	case at == address:
		return ""
	case at == indexPath || strings.HasPrefix(at, "monitoring/") || strings.HasPrefix(at, "examples/"):
		return at
	default:
		return at + ".html"
	}
}

// relative is how a page leads to an address.
func relative(from, to string) string {
	target := fileOf(to)
	if target == "" {
		return to
	}
	_, anchor, found := strings.Cut(to, "#")
	if found {
		anchor = "#" + anchor
	}
	return strings.Repeat("../", strings.Count(fileOf(from), "/")) + target + anchor
}

// linked are the attributes that hold addresses; templates write them with double quotes, and text has none that are not
// escaped.
var linked = regexp.MustCompile(` (href|src|action|data-index)="(/[^"]*)"`)

func withRelativeLinks(from string, page []byte) []byte {
	return linked.ReplaceAllFunc(page, func(found []byte) []byte {
		parts := linked.FindSubmatch(found)
		return bytes.Join([][]byte{[]byte(" "), parts[1], []byte(`="`), []byte(relative(from, string(parts[2]))), []byte(`"`)}, nil)
	})
}
