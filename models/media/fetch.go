package media

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/egress"
	"atelier/nodes/kit"
)

// SaveToStorage keeps a copy of what lies at a public https address, or gives
// a file of this install a further address, as an upload of the actor: see
// FetchFile and KeepFile.
func (s *Service) SaveToStorage(ctx context.Context, url string) (*File, error) {
	incoming, err := s.FetchFile(ctx, url)
	if err != nil {
		return nil, err
	}
	defer incoming.Close()
	return s.KeepFile(ctx, incoming)
}

// FetchFile takes what lies at an address as ReceiveFile takes what is sent,
// without a transaction. An address that leads nowhere is validation_error.
func (s *Service) FetchFile(ctx context.Context, url string) (*Incoming, error) {
	if err := s.mayUpload(ctx); err != nil {
		return nil, err
	}
	if name, own := s.own(url); own {
		return s.again(ctx, name)
	}
	body, info, err := fetch(ctx, s.HTTP, url)
	if err != nil {
		return nil, notFetched(err)
	}
	defer body.Close()
	if info.Size > MaxUploadBytes {
		return nil, tooLarge(MaxUploadBytes)
	}
	arrived := &arrival{from: body}
	incoming, err := s.ReceiveFile(ctx, arrived)
	if err != nil && arrived.err != nil {
		return nil, notFetched(arrived.err)
	}
	return incoming, atAddress(err)
}

// again is a file of this install as if it had arrived.
func (m *Store) again(ctx context.Context, name string) (*Incoming, error) {
	found, err := m.named(ctx, name)
	if err != nil {
		return nil, err
	}
	if found.Size > MaxUploadBytes {
		return nil, tooLarge(MaxUploadBytes)
	}
	file := File{
		ContentType: found.ContentType, SHA256: found.SHA256, Size: found.Size,
		Width: found.Width, Height: found.Height, Duration: found.Duration,
	}
	return &Incoming{file: file}, m.store(ctx, nil, file.SHA256)
}

// own is the name of a file of this install that an address leads to.
func (m *Store) own(url string) (name string, own bool) {
	return strings.CutPrefix(url, m.PublicURL+"/media/")
}

// Own tells whether an address is that of a file of this install, there or not.
func (m *Store) Own(address string) bool {
	_, own := m.own(address)
	return own
}

// CheckSource refuses an address from which no node would take a file: it is that of a file of this
// install that is there, or begins with https://. Whether anything lies elsewhere is seen when it is used.
func (m *Store) CheckSource(q *gorm.DB, field, address string) error {
	if _, own := m.own(address); own {
		return m.CheckThere(q, field, address)
	}
	if strings.HasPrefix(strings.ToLower(address), "https://") {
		return nil
	}
	return models.Invalid(field, "must start with https://, or be the address of a file of this service")
}

// CheckThere refuses an address of this install at which no file lies; of any other it says nothing.
func (m *Store) CheckThere(q *gorm.DB, field, address string) error {
	if m == nil {
		return nil
	}
	gone, err := m.FilesGone(q, []string{address})
	if err == nil && gone[address] {
		return models.Invalid(field, "leads to no file of this service")
	}
	return err
}

// arrival remembers why a download broke off.
type arrival struct {
	from io.Reader
	err  error
}

func (a *arrival) Read(p []byte) (int, error) {
	n, err := a.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
	}
	return n, err
}

// fetchTroubles are the reasons for which an address cannot be fetched.
var fetchTroubles = map[string]string{
	egress.ClassTimeout:         "did not answer in time",
	egress.ClassConnectionReset: "closed the connection",
	egress.ClassTLSError:        "has no valid certificate",
}

// notReached is the one reason for whatever goes wrong before there is a
// connection, so that no one learns the names of the network inside.
const notReached = "could not be reached: it must be a public https address"

// notFetched says as a refusal of the field url why nothing came.
func notFetched(err error) error {
	var failure *kit.Failure
	var refusal *models.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, egress.ErrTooLarge):
		return tooLarge(MaxUploadBytes)
	case errors.As(err, &failure):
		return models.Invalid("url", "cannot be used: %s", failure.Message)
	case errors.As(err, &refusal):
		return models.Invalid("url", "leads to no file: %s", refusal.Message)
	case errors.Is(err, egress.ErrRedirects):
		return models.Invalid("url", "leads on to others too often")
	}
	return models.Invalid("url", "%s", cmp.Or(fetchTroubles[egress.Classify(err)], notReached))
}

// fetchTimeout covers a whole download, for clients that set no shorter time.
const fetchTimeout = 10 * time.Minute

// fetch opens a file that lies elsewhere.
func fetch(ctx context.Context, client *http.Client, url string) (io.ReadCloser, kit.MediaInfo, error) {
	none := kit.MediaInfo{}
	if !strings.HasPrefix(strings.ToLower(url), "https://") {
		return nil, none, &kit.Failure{Message: "The address of a file must start with https://", Hint: "Upload the file, or use an https address."}
	}
	if client == nil {
		return nil, none, errors.New("no client for downloads")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		cancel()
		return nil, none, &kit.Failure{Message: "The address of the file is not valid"}
	}
	answer, err := client.Do(request)
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
	return &download{ReadCloser: answer.Body, cancel: cancel, left: fetchSaved}, kit.MediaInfo{URL: url, ContentType: contentType, Size: max(answer.ContentLength, 0)}, nil
}

// How slowly a file may come from elsewhere: so many bytes a second, judged by the
// last half minute.
const (
	fetchRate  = 16 << 10
	fetchSaved = 30 * time.Second
)

// download ends its time limit with itself, and when it comes too slowly.
type download struct {
	io.ReadCloser
	cancel context.CancelFunc
	left   time.Duration // that may be waited from now on
}

// Read waits no longer than what came recently allows; then it is
// context.DeadlineExceeded.
func (d *download) Read(p []byte) (int, error) {
	var late atomic.Bool
	began := time.Now()
	timer := time.AfterFunc(d.left, func() {
		late.Store(true)
		d.cancel()
	})
	n, err := d.ReadCloser.Read(p)
	timer.Stop()
	d.left = min(d.left-time.Since(began)+time.Duration(n)*time.Second/fetchRate, fetchSaved)
	if err != nil && late.Load() {
		err = context.DeadlineExceeded
	}
	return n, err
}

// Close ends the download.
func (d *download) Close() error {
	defer d.cancel()
	return d.ReadCloser.Close()
}
