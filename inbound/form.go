package inbound

import (
	"io"
	"mime"
	"net/http"
	"net/url"
)

// formMemory is how many bytes of the files of a form are kept in memory; the
// rest waits on the disk.
const formMemory = 1 << 20

// Form reads the form of a request within a limit in bytes: its fields, and its
// files, which are read as they arrive. What it read before it does not read again.
func Form(r *http.Request, most int64) error {
	if err := CheckHeaders(r); err != nil {
		Drain(r)
		return err
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		return fileForm(r, most)
	}
	if r.PostForm != nil {
		return nil
	}
	raw, err := Read(r, most)
	if err != nil {
		return err
	}
	fields := url.Values{}
	if kind == "application/x-www-form-urlencoded" {
		if fields, err = ParseForm(raw); err != nil {
			return err
		}
	}
	if err := From(r.Context()).Weigh(r.Context(), len(raw), len(fields)); err != nil {
		return err
	}
	r.PostForm = fields
	return r.ParseForm() // adds what the address says
}

func fileForm(r *http.Request, most int64) error {
	if r.MultipartForm != nil {
		return nil
	}
	if Announced(r, most) {
		Drain(r)
		return TooLarge()
	}
	Limit(r, most)
	if err := r.ParseMultipartForm(formMemory); err != nil {
		Drain(r)
		return broken(err)
	}
	From(r.Context()).keep(r.MultipartForm)
	err := CheckFields(r.MultipartForm.Value)
	size, n := 0, 0
	for name, values := range r.MultipartForm.Value {
		n += len(values)
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	for name, files := range r.MultipartForm.File {
		for _, file := range files {
			if err == nil {
				err = CheckText("", name)
			}
			if err == nil {
				err = CheckText(name, file.Filename)
			}
		}
	}
	a := From(r.Context())
	if err == nil {
		err = a.Hold(int64(size))
	}
	if err == nil {
		err = a.Weigh(r.Context(), size, n)
	}
	if err != nil {
		_ = r.MultipartForm.RemoveAll()
		r.MultipartForm = nil
	}
	return err
}

// Counting reads a body and tells how many bytes beyond the first mebibyte arrive;
// what it is told is a refusal ends the reading.
func Counting(body io.ReadCloser, take func(n int64) error) io.ReadCloser {
	return &counting{ReadCloser: body, take: take}
}

type counting struct {
	io.ReadCloser
	take func(int64) error
	read int64
	err  error
}

// Read reads what take lets through.
func (c *counting) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.ReadCloser.Read(p)
	before := max(c.read, LargeBody)
	c.read += int64(n)
	if beyond := c.read - before; beyond > 0 {
		if c.err = c.take(beyond); c.err != nil {
			return 0, c.err
		}
	}
	return n, err
}
