package server

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"atelier/web"
)

// Answers of the console are compressed from minCompressed on; below it the frame costs more than it saves.
const minCompressed = 1 << 10

// gzipWriters are kept, for each has tables of a good 800 kB.
var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return z
}}

// compressed, below settleEncoding, sends the console's HTML and JSON with gzip to the one who takes it,
// whole and with its length. What has no length yet is a stream, and passes as
// it is. See docs/security.md, "Compression", for what is never compressed.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &compressor{ResponseWriter: w, head: r.Method == http.MethodHead, asked: r.Header.Get("Accept-Encoding") == "gzip", shielded: mayBeProbed(r)}
		next.ServeHTTP(c, r)
		c.finish()
	})
}

// mayBeProbed tells whether another site may have caused the request in the
// name of the one who is signed in, and might learn from the length of the answer.
// Answers to forms are made once and may show a secret once.
func mayBeProbed(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return true
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return len(r.Cookies()) > 0
	}
	return false
}

// settleEncoding leaves gzip or nothing in Accept-Encoding, so that handlers that keep a packed copy need not read the list.
func settleEncoding(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked := r.Header.Values("Accept-Encoding"); takesGzip(asked) {
			r.Header.Set("Accept-Encoding", "gzip")
		} else if asked != nil {
			r.Header.Del("Accept-Encoding")
		}
		next.ServeHTTP(w, r)
	})
}

// takesGzip reads Accept-Encoding: gzip named, or *, and not with q=0.
func takesGzip(accept []string) (takes bool) {
	for _, part := range strings.Split(strings.Join(accept, ","), ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(part), ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		_, value, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(parameters, " ", "")), "q=")
		quality, err := strconv.ParseFloat(value, 64)
		takes = value == "" || err == nil && quality > 0
		if name == "gzip" {
			return takes
		}
	}
	return takes
}

// compressor holds an answer that is compressed until its handler is through.
type compressor struct {
	http.ResponseWriter
	head, asked, shielded bool
	decided               bool
	status                int
	body                  *bytes.Buffer // nil where the answer passes as it is
	squeezer              *gzip.Writer
}

// WriteHeader decides.
func (c *compressor) WriteHeader(status int) {
	if c.decided {
		return
	}
	h := c.Header()
	c.decided, c.status = true, status
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	whole, err := strconv.Atoi(h.Get("Content-Length"))
	fits := err == nil && whole >= minCompressed && (kind == "text/html" || kind == "application/json") && h.Get("Content-Encoding") == ""
	if fits {
		h.Add("Vary", "Accept-Encoding")
		h.Add("Vary", "Sec-Fetch-Site")
	}
	if secret := web.TakeSecretMark(h); secret || !fits || !c.asked || c.shielded {
		c.ResponseWriter.WriteHeader(status)
		return
	}
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	if c.head {
		c.ResponseWriter.WriteHeader(status)
		return
	}
	c.body = &bytes.Buffer{}
	c.squeezer = gzipWriters.Get().(*gzip.Writer)
	c.squeezer.Reset(c.body)
	c.squeezer.Comment = noise()
}

// noise is 0 to 31 letters that no one reads: equal pages differ in length.
func noise() string {
	var length [1]byte
	_, _ = rand.Read(length[:])
	return strings.Repeat("n", int(length[0]&31))
}

// Write compresses, or passes on.
func (c *compressor) Write(p []byte) (int, error) {
	if !c.decided {
		c.WriteHeader(http.StatusOK)
	}
	if c.body == nil {
		return c.ResponseWriter.Write(p)
	}
	return c.squeezer.Write(p)
}

// finish sends what was compressed.
func (c *compressor) finish() {
	if c.body == nil {
		return
	}
	err := c.squeezer.Close()
	c.squeezer.Reset(nil)
	gzipWriters.Put(c.squeezer)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	c.Header().Set("Content-Length", strconv.Itoa(c.body.Len()))
	c.ResponseWriter.WriteHeader(c.status)
	_, _ = c.body.WriteTo(c.ResponseWriter)
}

// Unwrap lets http.ResponseController reach the connection: streams are flushed below.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// FlushError sends what there is; a compressed answer waits for its end.
func (c *compressor) FlushError() error {
	if !c.decided {
		c.WriteHeader(http.StatusOK)
	}
	if c.body != nil {
		return nil
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}
