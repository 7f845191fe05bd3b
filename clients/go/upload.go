package atelier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"

	"atelier/clients/go/api"
)

// UploadOption is a choice of how a file is sent.
type UploadOption func(*uploadChoices)

type uploadChoices struct{ progress func(sent, total int64) }

// OnSent is told how many bytes of the file are on their way, of how many: -1 where that is not known. A repeated upload
// begins again at 0.
func OnSent(tell func(sent, total int64)) UploadOption {
	return func(u *uploadChoices) { u.progress = tell }
}

// UploadFile uploads a file of this machine.
func (c *Client) UploadFile(ctx context.Context, path string, options ...UploadOption) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return c.Upload(ctx, filepath.Base(path), file, options...)
}

// Upload uploads a file. What can be read again from its beginning (an io.Seeker, as *os.File and *bytes.Reader are) is
// sent with its length and repeated like other calls; anything else is sent once.
func (c *Client) Upload(ctx context.Context, name string, content io.Reader, options ...UploadOption) (*File, error) {
	var u uploadChoices
	for _, option := range options {
		option(&u)
	}
	size, begin, seeker := int64(-1), int64(0), io.Seeker(nil)
	if s, ok := content.(io.Seeker); ok {
		var err error
		if begin, err = s.Seek(0, io.SeekCurrent); err == nil {
			var end int64
			if end, err = s.Seek(0, io.SeekEnd); err == nil {
				size, seeker = end-begin, s
			}
		}
	}
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	if _, err := form.CreateFormFile("file", name); err != nil {
		return nil, err
	}
	tail := "\r\n--" + form.Boundary() + "--\r\n"
	response, err := c.send(ctx, &outgoing{
		method: http.MethodPost, path: "/v1/upload", once: seeker == nil,
		header: http.Header{"Content-Type": {form.FormDataContentType()}},
		body: func() (io.Reader, int64, error) {
			length := int64(-1)
			if seeker != nil {
				if _, err := seeker.Seek(begin, io.SeekStart); err != nil {
					return nil, 0, err
				}
				length = int64(head.Len()) + size + int64(len(tail))
			}
			// The reader is not closed with the request: the file is the caller's.
			file := &counted{Reader: content, tell: u.progress, total: size}
			if seeker != nil { // a file that grows meanwhile is sent as long as it was
				file.Reader = io.LimitReader(content, size)
			}
			return io.MultiReader(bytes.NewReader(head.Bytes()), file, bytes.NewReader([]byte(tail))), length, nil
		},
	})
	if err != nil {
		return nil, err
	}
	defer closeBody(response)
	var answer struct{ Data File }
	if err := json.NewDecoder(io.LimitReader(response.Body, api.MaxAnswer)).Decode(&answer); err != nil {
		return nil, fmt.Errorf("POST /v1/upload: %w", err)
	}
	return &answer.Data, nil
}

// counted tells how much of a file was read.
type counted struct {
	io.Reader
	tell        func(sent, total int64)
	sent, total int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if n > 0 {
		c.sent += int64(n)
		if c.tell != nil {
			c.tell(c.sent, c.total)
		}
	}
	return n, err
}
