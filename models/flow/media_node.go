package flow

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"atelier/models"
	"atelier/nodes"
)

// executionMedia is the store as the nodes of one execution use it: what they
// save belongs to its account.
type executionMedia struct {
	store *MediaStore
	exec  *Execution
}

// Open opens a file of this install from the bucket, any other over https.
func (m *executionMedia) Open(ctx context.Context, url string) (io.ReadCloser, nodes.MediaInfo, error) {
	if m.store == nil {
		return nil, nodes.MediaInfo{}, errNoMedia
	}
	name, own := strings.CutPrefix(url, m.store.PublicURL+"/media/")
	if !own {
		return m.store.fetch(ctx, url)
	}
	file, err := m.store.Find(ctx, name)
	if err != nil {
		return nil, nodes.MediaInfo{}, err
	}
	r, err := m.store.Content(ctx, file)
	if err != nil {
		return nil, nodes.MediaInfo{}, err
	}
	return r, m.store.Info(file), nil
}

// Save keeps a result for good.
func (m *executionMedia) Save(ctx context.Context, _, contentType string, r io.Reader) (nodes.MediaInfo, error) {
	if m.store == nil {
		return nodes.MediaInfo{}, errNoMedia
	}
	temp, err := spool(r, mostMediaBytes)
	if err != nil {
		return nodes.MediaInfo{}, err
	}
	defer temp.remove()
	file, err := m.store.keep(ctx, temp, MediaFile{AccountID: m.exec.AccountID, ExecutionID: &m.exec.ID, ContentType: contentType})
	if err != nil {
		return nodes.MediaInfo{}, err
	}
	return m.store.Info(file), nil
}

// fetchTimeout covers a whole download.
const fetchTimeout = 5 * time.Minute

// fetch opens a file that lies elsewhere.
func (m *MediaStore) fetch(ctx context.Context, url string) (io.ReadCloser, nodes.MediaInfo, error) {
	none := nodes.MediaInfo{}
	if !strings.HasPrefix(strings.ToLower(url), "https://") {
		return nil, none, &nodes.Failure{Message: "The address of a file must start with https://", Hint: "Upload the file, or use an https address."}
	}
	if m.HTTP == nil {
		return nil, none, errors.New("no client for downloads")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		cancel()
		return nil, none, &nodes.Failure{Message: "The address of the file is not valid"}
	}
	answer, err := m.HTTP.Do(request)
	if err != nil {
		cancel()
		return nil, none, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		cancel()
		return nil, none, models.Err(models.CodeNotFound, "its server answered %d", answer.StatusCode)
	}
	contentType, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	return &download{ReadCloser: answer.Body, cancel: cancel}, nodes.MediaInfo{URL: url, ContentType: contentType, Size: max(answer.ContentLength, 0)}, nil
}

// download ends its time limit with itself.
type download struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close ends the download.
func (d *download) Close() error {
	defer d.cancel()
	return d.ReadCloser.Close()
}
