package run

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/egress"
	"atelier/models/media"
)

// answers is a web of addresses without a network.
type answers map[string]func() (*http.Response, error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	if answer, ok := a[r.URL.Path]; ok {
		return answer()
	}
	return page(404, nil)()
}

func page(status int, body io.Reader) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		if body == nil {
			body = strings.NewReader("")
		}
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(body), ContentLength: -1}, nil
	}
}

func trouble(err error) func() (*http.Response, error) {
	return func() (*http.Response, error) { return nil, err }
}

// breaking yields some bytes and then an error.
type breaking struct{ err error }

func (b breaking) Read(p []byte) (int, error) { return copy(p, "hello"), b.err }

func testSaveToStorage(t *testing.T, e *engine) {
	e.withMedia(t)
	ctx := e.As(e.user)
	announced := func() (*http.Response, error) {
		r, _ := page(200, strings.NewReader("x"))()
		r.ContentLength = media.MaxUploadBytes + 1
		return r, nil
	}
	e.Media.HTTP = &http.Client{Transport: answers{
		"/p.png": page(200, bytes.NewReader(pngBytes(t, 4, 2))), "/page": page(200, strings.NewReader("<html></html>")), "/empty": page(200, nil),
		"/bomb": page(200, bytes.NewReader(hugePNG(60_000, 60_000))), "/long": page(200, io.LimitReader(zeros{}, media.MaxUploadBytes+1)), "/announced": announced,
		"/blocked": trouble(egress.ErrBlockedAddress), "/slow": trouble(context.DeadlineExceeded),
		"/broken": page(200, breaking{io.ErrUnexpectedEOF}), "/larger": page(200, breaking{egress.ErrTooLarge}),
	}}
	file, err := e.Media.SaveToStorage(ctx, "https://else.example/p.png")
	if err != nil || file.ContentType != "image/png" || *file.Width != 4 || file.AccountID != e.user {
		t.Fatalf("kept as %+v, %v", file, err)
	}
	other := e.AddUser(0)
	again, err := e.Media.SaveToStorage(e.As(other), e.Media.URL(file))
	if err != nil || again.ID == file.ID || again.Key == file.Key || again.AccountID != other || *again.Height != 2 || !bytes.Equal(again.SHA256, file.SHA256) {
		t.Errorf("a file of the install was kept as %+v, %v", again, err)
	}
	for url, code := range map[string]models.Code{
		"https://else.example/page": models.CodeUnsupportedMediaType, "https://else.example/empty": models.CodeValidation, "https://else.example/gone": models.CodeValidation,
		"https://else.example/bomb": models.CodeValidation, "https://else.example/long": models.CodePayloadTooLarge, "https://else.example/announced": models.CodePayloadTooLarge,
		"https://else.example/blocked": models.CodeValidation, "https://else.example/slow": models.CodeValidation, "https://else.example/broken": models.CodeValidation,
		"https://else.example/larger": models.CodePayloadTooLarge, "http://else.example/p.png": models.CodeValidation, "": models.CodeValidation, "https://\x00/": models.CodeValidation,
		e.Flows.PublicURL + "/media/guessed.png": models.CodeValidation,
	} {
		_, err := e.Media.SaveToStorage(ctx, url)
		wantCode(t, err, code)
		if refusal := (*models.Error)(nil); code == models.CodeValidation && errors.As(err, &refusal) && refusal.Field != "url" {
			t.Errorf("%q: the field is %q: %v", url, refusal.Field, err)
		}
	}
	_, err = e.Media.SaveToStorage(context.Background(), e.Media.URL(file))
	wantCode(t, err, models.CodeUnauthorized)
	jobsOnly := models.WithActor(ctx, models.Actor{Kind: models.ByOAuth, UserID: e.user, Scopes: []models.Scope{models.ScopeJobsRead}})
	_, err = e.Media.SaveToStorage(jobsOnly, e.Media.URL(file))
	wantCode(t, err, models.CodeInsufficientScope)
}

// hugePNG is the head of a PNG that claims a huge picture.
func hugePNG(width, height uint32) []byte {
	header := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	header[12], header[13] = 8, 6
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(header))
}
