package flow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	_ "image/gif"  // sizes of
	_ "image/jpeg" // the images
	_ "image/png"  // that are
	"io"
	"os"
	"strings"

	"gocloud.dev/blob"
	_ "golang.org/x/image/webp" // kept

	"atelier/models"
	"atelier/nodes"
)

// Upload keeps a file that a person sent. Its type is sniffed: images (no
// SVG), video, audio, plain text, JSON and Lottie pass, anything else is
// unsupported_media_type; beyond 100 MiB it is payload_too_large.
func (s *Service) Upload(ctx context.Context, r io.Reader) (*MediaFile, error) {
	actor := models.ActorFrom(ctx)
	if err := requireWorkflows(actor); err != nil {
		return nil, err
	}
	if s.Media == nil {
		return nil, errNoMedia
	}
	temp, err := spool(r, mostUploadBytes)
	if err != nil {
		return nil, err
	}
	defer temp.remove()
	contentType, err := temp.uploadType()
	if err != nil {
		return nil, err
	}
	if err := s.stillWelcome(ctx); err != nil {
		return nil, err
	}
	return s.Media.keep(ctx, temp, MediaFile{AccountID: actor.UserID, ContentType: contentType})
}

// stillWelcome asks again, behind a body that took minutes to arrive, whether
// the caller's credentials count and the selected workspace is open to them.
func (s *Service) stillWelcome(ctx context.Context) error {
	if err := s.Accounts.StillValid(ctx); err != nil {
		return err
	}
	_, err := s.selectedSpace(ctx)
	return err
}

// spooled is a file on its way into the bucket.
type spooled struct {
	file *os.File
	sum  []byte
	size int64
}

// spool writes r to a temporary file and hashes it meanwhile.
func spool(r io.Reader, most int64) (*spooled, error) {
	file, err := os.CreateTemp("", "atelier-media-*")
	if err != nil {
		return nil, err
	}
	s := &spooled{file: file}
	hash := sha256.New()
	s.size, err = io.Copy(io.MultiWriter(file, hash), io.LimitReader(r, most+1))
	if err == nil && s.size > most {
		err = tooLarge(most)
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	s.sum = hash.Sum(nil)
	return s, nil
}

func (s *spooled) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// head is the beginning of the file.
func (s *spooled) head(n int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(s.file, 0, min(n, s.size)))
}

// uploadType is the sniffed type, when it is one that may be uploaded.
func (s *spooled) uploadType() (string, error) {
	head, err := s.head(4096)
	if err != nil {
		return "", err
	}
	found := nodes.SniffType(head)
	kind, _, _ := strings.Cut(found, "/")
	switch {
	case found == "image/x-icon" || isSVG(head):
		found = "image/svg+xml or an icon"
	case kind == "image" || kind == "video" || kind == "audio":
		return found, nil
	case found == "text/plain":
		if json.NewDecoder(io.NewSectionReader(s.file, 0, s.size)).Decode(new(json.RawMessage)) == nil && startsJSON(head) {
			return "application/json", nil
		}
		return found, nil
	}
	return "", models.Err(models.CodeUnsupportedMediaType, "Images (no SVG), video, audio, plain text, JSON and Lottie can be uploaded; this is %s", found)
}

// isSVG tells whether a text is an image that can hold scripts.
func isSVG(head []byte) bool {
	text := strings.ToLower(strings.TrimLeft(string(head), "\ufeff \t\r\n"))
	return strings.HasPrefix(text, "<") && strings.Contains(text, "<svg")
}

func startsJSON(head []byte) bool {
	text := strings.TrimLeft(string(head), " \t\r\n")
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// pixels reads the size of an image; zero for others and for broken ones.
func (s *spooled) pixels() (width, height int) {
	config, _, err := image.DecodeConfig(io.NewSectionReader(s.file, 0, s.size))
	if err != nil {
		return 0, 0
	}
	return config.Width, config.Height
}

// keep stores the content, unless it is there, and then commits the row: an
// address never leads nowhere.
func (m *MediaStore) keep(ctx context.Context, temp *spooled, file MediaFile) (*MediaFile, error) {
	file.SHA256, file.Size = temp.sum, temp.size
	if strings.HasPrefix(file.ContentType, "image/") {
		if width, height := temp.pixels(); width > 0 {
			file.Width, file.Height = &width, &height
		}
	}
	for {
		if err := m.store(ctx, temp); err != nil {
			return nil, err
		}
		kept := false
		err := m.DB.Write(ctx, func(tx *models.Tx) error {
			if err := lockContent(tx, file.SHA256); err != nil {
				return err
			}
			exists, err := m.Bucket.Exists(ctx, blobName(file.SHA256))
			if kept = exists; err != nil || !exists {
				return err
			}
			file.ID, file.Key, file.CreatedAt = tx.NewID(), models.NewSecret("", 24), tx.Now
			return tx.Create(&file).Error
		})
		if err != nil || kept {
			return &file, err
		}
	}
}

// store uploads the content when the bucket does not have it.
func (m *MediaStore) store(ctx context.Context, temp *spooled) error {
	name := blobName(temp.sum)
	if exists, err := m.Bucket.Exists(ctx, name); err != nil || exists {
		return err
	}
	return m.Bucket.Upload(ctx, name, io.NewSectionReader(temp.file, 0, temp.size),
		&blob.WriterOptions{ContentType: "application/octet-stream"})
}

// lockContent keeps the sweeper and whoever refers to a content apart.
func lockContent(tx *models.Tx, sum []byte) error {
	return tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "media:"+hex.EncodeToString(sum)).Error
}
