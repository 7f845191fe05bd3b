package media

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/nodes/kit"
)

// signedFor is the step in which signed addresses end: an address lasts at
// least this long and at most twice as long.
const signedFor = 15 * time.Minute

// SignedURL is the address at which a private file is served until a time, for
// readers who may see it: it ends with the next quarter of an hour but one, so that answers
// of the same quarter repeat it. That of any other file is its ordinary address,
// which does not end; until says so all the same.
func (m *Store) SignedURL(file *File, now time.Time) (address string, until time.Time) {
	until = now.UTC().Truncate(signedFor).Add(2 * signedFor)
	if !file.Private {
		return m.URL(file), until
	}
	ends := strconv.FormatInt(until.Unix(), 10)
	query := url.Values{"until": {ends}, "sig": {hex.EncodeToString(m.signature(file.Key, ends))}}
	return m.URL(file) + "?" + query.Encode(), until
}

// signature is HMAC-SHA256 over a file's key and the end of its address.
func (m *Store) signature(key, until string) []byte {
	mac := hmac.New(sha256.New, m.DB.DerivedKey("private files"))
	mac.Write([]byte(key + "\n" + until))
	return mac.Sum(nil)
}

// FindServed is Find for the one who has an address with its query: a private file
// is found by a signature of this install whose time is not over.
func (m *Store) FindServed(ctx context.Context, name string, query url.Values) (*File, error) {
	file, err := m.findAny(ctx, name)
	if err != nil || !file.Private {
		return file, err
	}
	ends := query.Get("until")
	given, err := hex.DecodeString(query.Get("sig"))
	if err != nil || !hmac.Equal(given, m.signature(file.Key, ends)) {
		return nil, errNoFile
	}
	until, err := strconv.ParseInt(ends, 10, 64)
	if err != nil || !m.DB.Clock.Now().Before(time.Unix(until, 0)) {
		return nil, errNoFile
	}
	return file, nil
}

// PrivateFiles reads files by their ids. It asks nothing about access.
func (m *Store) PrivateFiles(q *gorm.DB, ids ...models.ID) (map[models.ID]*File, error) {
	byID := make(map[models.ID]*File, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	var files []*File
	err := q.Model(&File{}).Where("id IN ?", ids).Find(&files).Error
	for _, file := range files {
		byID[file.ID] = file
	}
	return byID, err
}

// OpenPrivate opens a private file by its row's id: not_found when it is gone.
// It asks nothing about access.
func (m *Store) OpenPrivate(ctx context.Context, id models.ID) (io.ReadCloser, kit.MediaInfo, error) {
	file, err := models.First[File](m.DB.Read(ctx).Where("id = ? AND private", id), errNoFile)
	if err != nil {
		return nil, kit.MediaInfo{}, err
	}
	r, err := m.Content(ctx, file)
	if err != nil {
		return nil, kit.MediaInfo{}, err
	}
	info := m.Info(file)
	info.URL = "" // no one reads it there
	return r, info, nil
}

// errContentGone says that a content was swept between its arrival and the
// transaction; WithContent brings it again.
var errContentGone = errors.New("the content is gone")

// maxContentTries bounds how often WithContent begins.
const maxContentTries = 5

// WithContent brings what has arrived into the bucket and then runs fn in a
// transaction, in which KeepPrivate gives it rows.
func (m *Store) WithContent(ctx context.Context, arrived []*Incoming, fn func(*models.Tx) error) error {
	for try := 1; ; try++ {
		for _, in := range arrived {
			if err := m.store(ctx, in.temp, in.file.SHA256); err != nil {
				return err
			}
		}
		err := m.DB.Write(ctx, fn)
		if !errors.Is(err, errContentGone) || try == maxContentTries {
			return err
		}
	}
}

// KeepPrivate makes a private file of what has arrived, whose room it takes in
// the workspace, or without one in the account's personal space: limit_reached
// when there is none. Its content must lie in the bucket; see WithContent.
func (m *Store) KeepPrivate(tx *models.Tx, account models.ID, workspace *models.ID, in *Incoming) (*File, error) {
	if err := lockContent(tx, in.file.SHA256); err != nil {
		return nil, err
	}
	exists, err := m.Bucket.Exists(tx.Context(), BlobName(in.file.SHA256))
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, errContentGone
	}
	return insertFile(tx, account, workspace, in.file, true)
}

// CopyPrivate makes a private file of the same content as another file, which
// the transaction still sees: not_found otherwise.
func (m *Store) CopyPrivate(tx *models.Tx, account models.ID, workspace *models.ID, of *File) (*File, error) {
	return copyFile(tx, account, workspace, of, true)
}

// CopyPublic is CopyPrivate for an ordinary file, and RemovePublic deletes it: its
// address ends with it.
func (m *Store) CopyPublic(tx *models.Tx, account models.ID, workspace *models.ID, of *File) (*File, error) {
	return copyFile(tx, account, workspace, of, false)
}

func copyFile(tx *models.Tx, account models.ID, workspace *models.ID, of *File, private bool) (*File, error) {
	if err := lockContent(tx, of.SHA256); err != nil {
		return nil, err
	}
	if _, err := models.First[File](tx.Where("id = ?", of.ID), errNoFile); err != nil {
		return nil, err
	}
	return insertFile(tx, account, workspace, *of, private)
}

// RemovePublic deletes a file that CopyPublic made.
func (m *Store) RemovePublic(tx *models.Tx, id models.ID) error {
	var sums [][]byte
	if err := tx.Raw(`DELETE FROM media_files WHERE id = ? RETURNING sha256`, id).Scan(&sums).Error; err != nil {
		return err
	}
	m.removeAfter(tx, sums...)
	return nil
}

func insertFile(tx *models.Tx, account models.ID, workspace *models.ID, file File, private bool) (*File, error) {
	file.ID, file.Key, file.CreatedAt = tx.NewID(), models.NewSecret("", 24), tx.Now
	file.AccountID, file.WorkspaceID, file.ExecutionID, file.Private = account, workspace, nil, private
	return &file, tx.Create(&file).Error
}

// maxRemovedAtOnce bounds how many contents a request removes from the bucket
// itself; RemoveContents does the rest.
const maxRemovedAtOnce = 100

// RemovePrivate deletes private files. Their contents leave the bucket when the
// transaction has committed, unless another file has them.
func (m *Store) RemovePrivate(tx *models.Tx, ids ...models.ID) error {
	if len(ids) == 0 {
		return nil
	}
	var sums [][]byte
	err := tx.Raw(`DELETE FROM media_files WHERE id IN ? AND private RETURNING sha256`, ids).Scan(&sums).Error
	if err != nil || len(sums) == 0 {
		return err
	}
	m.removeAfter(tx, sums...)
	return nil
}

// removeAfter removes contents once the transaction has committed.
func (m *Store) removeAfter(tx *models.Tx, sums ...[]byte) {
	tx.After(func(ctx context.Context) {
		for _, sum := range sums[:min(len(sums), maxRemovedAtOnce)] {
			_, _ = m.removeOrphan(ctx, sum) // RemoveContents tries again
		}
	})
}

// RemoveContents removes the contents of private files that are gone and whose
// removal did not follow at once.
func (m *Store) RemoveContents(ctx context.Context) error {
	for {
		var sums [][]byte
		if err := m.DB.Read(ctx).Raw(`SELECT sha256 FROM content_removals ORDER BY created_at LIMIT ?`, maxRemovedAtOnce).Scan(&sums).Error; err != nil || len(sums) == 0 {
			return err
		}
		for _, sum := range sums {
			if _, err := m.removeOrphan(ctx, sum); err != nil {
				return unlessHeld(err)
			}
		}
	}
}

// SoundOf is the latest sound that a run made; nil for none.
func (m *Store) SoundOf(tx *models.Tx, executionID models.ID) (*File, error) {
	var found []*File
	err := tx.Where("execution_id = ? AND content_type LIKE 'audio/%'", executionID).Order("id DESC").Limit(1).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// FilesAt reads ordinary files by their addresses at this install.
func (m *Store) FilesAt(q *gorm.DB, urls []string) (map[string]*File, error) {
	keys := map[string]string{}
	for _, address := range urls {
		if name, own := m.own(address); own {
			key, _, _ := strings.Cut(name, ".")
			keys[key] = address
		}
	}
	found := make(map[string]*File, len(keys))
	if len(keys) == 0 {
		return found, nil
	}
	var files []*File
	err := q.Model(&File{}).Where("key IN ? AND NOT private", slices.Collect(maps.Keys(keys))).Find(&files).Error
	for _, file := range files {
		found[keys[file.Key]] = file
	}
	return found, err
}
