package media

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/kit"
)

// jobFiles is the store as the nodes of one execution use it: what they save belongs to
// its account.
type jobFiles struct {
	store                  *Store
	accountID, executionID models.ID
	http                   *http.Client
	// refs name the private files that it may open besides.
	refs *kit.Refs
}

// ForExecution is the store as a node of an execution sees it. A node that imports whole
// videos has more patience with their servers.
func (s *Service) ForExecution(accountID, executionID models.ID, imports bool, refs *kit.Refs) kit.MediaStore {
	files := &jobFiles{accountID: accountID, executionID: executionID, refs: refs}
	if !s.ready() {
		return files
	}
	files.store, files.http = s.Store, s.HTTP
	if imports && s.Imports != nil {
		files.http = s.Imports
	}
	return files
}

// errNotKept refuses a private file that the job was not given.
var errNotKept = errors.New("a file of the library that this job does not use")

// keptPrefix begins the addresses of private files that a job uses: kept:<id>.
const keptPrefix = "kept:"

// Open opens a file of this install from the bucket, a private one by its row when the job
// uses it, any other over https.
func (m *jobFiles) Open(ctx context.Context, url string) (io.ReadCloser, kit.MediaInfo, error) {
	if m.store == nil {
		return nil, kit.MediaInfo{}, errNoMedia
	}
	if kept, ok := strings.CutPrefix(url, keptPrefix); ok {
		id, err := models.ParseID("url", kept)
		if err != nil || !m.refs.Has(url) {
			return nil, kit.MediaInfo{}, errNotKept
		}
		return m.store.OpenPrivate(ctx, id)
	}
	name, own := m.store.own(url)
	if !own {
		return fetch(ctx, m.http, url)
	}
	file, err := m.store.Find(ctx, name)
	if err != nil {
		return nil, kit.MediaInfo{}, err
	}
	r, err := m.store.Content(ctx, file)
	if err != nil {
		return nil, kit.MediaInfo{}, err
	}
	info := m.store.Info(file)
	info.Judged = file.Width != nil || mediatype.Kind(file.ContentType) == "audio"
	return r, info, nil
}

// Save keeps a result for good.
func (m *jobFiles) Save(ctx context.Context, _, contentType string, r io.Reader) (kit.MediaInfo, error) {
	if m.store == nil {
		return kit.MediaInfo{}, errNoMedia
	}
	temp, err := m.store.spool(ctx, r, maxMediaBytes)
	if err != nil {
		return kit.MediaInfo{}, err
	}
	defer temp.remove()
	result := File{AccountID: m.accountID, ExecutionID: &m.executionID, ContentType: contentType, SHA256: temp.sum, Size: temp.size}
	if info, err := kit.Measure(ctx, temp.file.Name(), contentType); err == nil {
		result.measured(info)
	}
	file, err := m.store.keep(ctx, temp, result)
	if refusal, known := models.AsError(err); known && models.HasCode(err, models.CodeLimitReached) {
		return kit.MediaInfo{}, &kit.Failure{Message: "The result could not be kept: there is no room for more files", Hint: refusal.Message}
	}
	if err != nil {
		return kit.MediaInfo{}, err
	}
	return m.store.Info(file), nil
}
