// Package assets holds what a browser needs beside the HTML: style sheets, scripts and the typeface.
//
// Everything is embedded. The layers of css/ are joined into one app.css in the process, fonts are
// named in it by their hashed address, and every file is compressed once, so that there is no build step.
package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

// Prefix is where Handler has to be mounted.
const Prefix = "/assets/"

//go:embed css js font img
var files embed.FS

// layers is the order of the cascade, weakest first. A file holds the layer of its name, or a part of it: "pages.css",
// "pages-class.css".
var layers = []string{"reset", "tokens", "base", "layout", "components", "pages", "editor", "print"}

// asset is one file as it is sent.
type asset struct {
	hashed string // base name with the hash of its content
	*Packed
}

// served are all files as they are sent, by base name and by hashed name. They are packed once they are asked for: most
// commands, and the children that a service starts for what people brought, send none.
var served = sync.OnceValues(load)

// URL returns the address of a file by its base name ("app.css"); it changes with the content.
// It panics on an unknown name, for that is a mistake in a template.
func URL(name string) string {
	byName, _ := served()
	a, ok := byName[name]
	if !ok {
		panic("assets: no file " + name)
	}
	return Prefix + a.hashed
}

func load() (byName, byHash map[string]*asset) {
	byName, byHash = map[string]*asset{}, map[string]*asset{}
	put := func(name string, data []byte) {
		a := newAsset(name, data)
		byName[name], byHash[a.hashed] = a, a
	}
	for _, dir := range []string{"font", "img", "js"} {
		each(dir, put)
	}
	put("app.css", withFonts(joinLayers(), byName))
	each("css", func(name string, data []byte) {
		if !isLayer(name) {
			put(name, withFonts(data, byName))
		}
	})
	return byName, byHash
}

func each(dir string, do func(name string, data []byte)) {
	err := fs.WalkDir(files, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(p)
		if err == nil {
			do(path.Base(p), data)
		}
		return err
	})
	if err != nil {
		panic("assets: " + err.Error())
	}
}

func joinLayers() []byte {
	var b bytes.Buffer
	b.WriteString("@layer " + strings.Join(layers, ", ") + ";\n")
	each("css", func(name string, data []byte) {
		if isLayer(name) {
			b.Write(data)
		}
	})
	return b.Bytes()
}

// isLayer tells whether a style sheet is a part of app.css.
func isLayer(name string) bool {
	layer, _, _ := strings.Cut(strings.TrimSuffix(name, ".css"), "-")
	return slices.Contains(layers, layer)
}

// withFonts replaces the names of fonts in a style sheet by their hashed names.
func withFonts(css []byte, names map[string]*asset) []byte {
	for name, a := range names {
		if strings.HasSuffix(name, ".woff2") {
			css = bytes.ReplaceAll(css, []byte(`url("`+name+`")`), []byte(`url("`+a.hashed+`")`))
		}
	}
	return css
}

func newAsset(name string, data []byte) *asset {
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:6])
	ext := path.Ext(name)
	kind := mime.TypeByExtension(ext)
	switch ext { // not left to the machine's own tables
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".css":
		kind = "text/css; charset=utf-8"
	case ".woff2":
		kind = "font/woff2"
	case ".svg":
		kind = "image/svg+xml"
	}
	level := gzip.BestCompression
	if ext == ".woff2" { // is compressed already
		level = gzip.NoCompression
	}
	return &asset{strings.TrimSuffix(name, ext) + "." + hash + ext, Pack(kind, hash, data, level)}
}

// Handler serves every file below Prefix. A hashed name may be kept for ever, a plain one is checked each time.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		byName, byHash := served()
		a, cache := byHash[name], "public, max-age=31536000, immutable"
		if a == nil {
			a, cache = byName[name], "public, no-cache"
		}
		if a == nil {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		a.Serve(w, r, http.StatusOK, cache)
	})
}

// Files are the bytes of files by the names that they have below Prefix, for pages that are served elsewhere.
func Files(names ...string) map[string][]byte {
	out := map[string][]byte{}
	_, byHash := served()
	for _, name := range names {
		a := byHash[path.Base(URL(name))]
		out[a.hashed] = a.Plain()
	}
	return out
}
