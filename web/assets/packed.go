package assets

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
)

// Packed is a body that everyone gets as it is. It is kept compressed where that pays, and unpacked for the few who do not
// take that.
type Packed struct {
	Kind   string // its Content-Type
	body   []byte
	packed bool
	tag    string
}

// Pack makes a body of a kind ready to be sent, under a tag that changes with it; level is one of gzip.
func Pack(kind, tag string, body []byte, level int) *Packed {
	p := &Packed{Kind: kind, body: body, tag: tag}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, level)
	if _, err := z.Write(body); err == nil && z.Close() == nil && b.Len() < len(body) {
		p.body, p.packed = b.Bytes(), true
	}
	return p
}

// Plain is the body as it was before.
func (p *Packed) Plain() []byte {
	if !p.packed {
		return p.body
	}
	z, err := gzip.NewReader(bytes.NewReader(p.body))
	if err != nil {
		panic(err) // Pack wrote it
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return plain
}

// Serve answers GET and HEAD with the body, or with 304 to the one who has it; caching is the answer's Cache-Control.
// Accept-Encoding is gzip or nothing: the server has settled it.
func (p *Packed) Serve(w http.ResponseWriter, r *http.Request, status int, caching string) {
	h := w.Header()
	h.Set("Content-Type", p.Kind)
	h.Set("Cache-Control", caching)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	zipped := p.packed && r.Header.Get("Accept-Encoding") == "gzip"
	if status == http.StatusOK {
		etag := `"` + p.tag + `"`
		if zipped {
			etag = `"` + p.tag + `-gz"`
		}
		h.Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := p.body
	if zipped {
		h.Set("Content-Encoding", "gzip")
	} else {
		body = p.Plain()
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}
