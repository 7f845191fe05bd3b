package media

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // s3:// in STORAGE_URL
	"gocloud.dev/gcerrors"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/kit"
)

// File is one kept file under an address of its own. Its content lies in
// the bucket under its SHA-256, so equal files are stored once.
type File struct {
	ID          models.ID `gorm:"primaryKey"`
	AccountID   models.ID
	ExecutionID *models.ID
	// WorkspaceID is whose room it takes; nil takes the account's. The database
	// sets it for files of executions.
	WorkspaceID *models.ID
	// Key is the unguessable part of the address.
	Key           string
	SHA256        []byte `gorm:"column:sha256"`
	ContentType   string
	Size          int64
	Width, Height *int
	Duration      *float64
	// Private files are served at signed addresses alone; see SignedURL.
	Private   bool
	CreatedAt time.Time
}

func (File) TableName() string { return "media_files" }

// Store keeps the files of the install.
type Store struct {
	DB     *models.DB
	Bucket *blob.Bucket
	// PublicURL is the base of the files' addresses.
	PublicURL string
	// HTTP is the guarded client for files that lie elsewhere.
	HTTP *http.Client
	// Imports is the same with more patience, for whole videos; HTTP when nil.
	Imports *http.Client
	// DiskFloor is how many bytes of the disk for temporary files stay free; 0 does not look.
	DiskFloor int64
	// Large counts a file above 1 MiB among the large bodies of the request's sender, or is a refusal; nil counts nothing.
	Large func(context.Context) error

	arriving arrivals
}

// OpenBucket opens the bucket of storageURL (s3://bucket?region=…, file:///path),
// or without one the folder media under dataDir.
func OpenBucket(ctx context.Context, storageURL, dataDir string) (*blob.Bucket, error) {
	if storageURL != "" {
		return blob.OpenBucket(ctx, storageURL)
	}
	folder := filepath.Join(dataDir, "media")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return fileblob.OpenBucket(folder, &fileblob.Options{
		NoTempDir: true, // written beside its place, so that the rename is atomic
		Metadata:  fileblob.MetadataDontWrite,
	})
}

// URL is the file's address.
func (m *Store) URL(file *File) string {
	return m.PublicURL + "/media/" + file.Key + "." + mediatype.Extension(file.ContentType)
}

// Info describes the file to nodes.
func (m *Store) Info(file *File) kit.MediaInfo {
	info := kit.MediaInfo{URL: m.URL(file), ContentType: file.ContentType, Size: file.Size}
	if file.Width != nil && file.Height != nil {
		info.Width, info.Height = *file.Width, *file.Height
	}
	if file.Duration != nil {
		info.Duration = *file.Duration
	}
	return info
}

// Find reads the file that an address ends in: its key, with or without an
// extension. A private file is not found, whatever else the address holds.
func (m *Store) Find(ctx context.Context, name string) (*File, error) {
	file, err := m.findAny(ctx, name)
	if err == nil && file.Private {
		return nil, errNoFile
	}
	return file, err
}

func (m *Store) findAny(ctx context.Context, name string) (*File, error) {
	key, _, _ := strings.Cut(name, ".")
	return models.First[File](m.DB.Read(ctx).Where("key = ?", key), errNoFile)
}

var errNoFile = models.NotFound("File")

// named is Find for an address that a caller sent: one that leads nowhere is a
// validation_error of the field url.
func (m *Store) named(ctx context.Context, name string) (*File, error) {
	file, err := m.Find(ctx, name)
	if models.HasCode(err, models.CodeNotFound) {
		return nil, errLeadsNowhere
	}
	return file, err
}

var errLeadsNowhere = models.Invalid("url", "leads to no file of this service")

// Content opens a file's content, which can be read from any position.
func (m *Store) Content(ctx context.Context, file *File) (*blob.Reader, error) {
	r, err := m.Bucket.NewReader(ctx, BlobName(file.SHA256), nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, errNoFile
	}
	return r, err
}

// BlobName is where the content of a SHA-256 lies in the bucket: they are spread over folders.
func BlobName(sum []byte) string {
	name := hex.EncodeToString(sum)
	return name[:2] + "/" + name
}

var errNoMedia = errors.New("the service has no place for files")

// Limits of files in bytes: of what people send, and of what nodes make.
const (
	MaxUploadBytes = 100 << 20
	maxMediaBytes  = 500 << 20
)

func tooLarge(most int64) error {
	return models.Err(models.CodePayloadTooLarge, "A file may have at most %s", megabytes(most))
}

func megabytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
