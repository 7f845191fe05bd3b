package media

import (
	"context"
	"encoding/hex"
	"io"

	"gocloud.dev/blob"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// Incoming is a file that has arrived, whose type and measures are known and
// whose content lies in the bucket. KeepFile gives it an address; what gets
// none is swept away later.
type Incoming struct {
	file File
	temp *spooled // nil when the content came from the bucket
}

// Close removes what lies on this machine. It may be called more than once.
func (in *Incoming) Close() error {
	if in != nil && in.temp != nil {
		in.temp.remove()
	}
	return nil
}

// Upload keeps a file that a person sent: ReceiveFile and KeepFile in one.
func (s *Service) Upload(ctx context.Context, r io.Reader) (*File, error) {
	incoming, err := s.ReceiveFile(ctx, r)
	if err != nil {
		return nil, err
	}
	defer incoming.Close()
	return s.KeepFile(ctx, incoming)
}

// ReceiveFile takes a file that a person sends, without a transaction, for it
// may take long. Without any room left nothing of it is read: limit_reached. Its type is sniffed: images (no SVG), video, audio, plain
// text, JSON and Lottie pass, anything else is unsupported_media_type; beyond
// 100 MiB it is payload_too_large.
func (s *Service) ReceiveFile(ctx context.Context, r io.Reader) (*Incoming, error) {
	if err := s.mayUpload(ctx); err != nil {
		return nil, err
	}
	ctx, _, done, err := s.Arriving(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	temp, err := s.spool(ctx, r, MaxUploadBytes)
	if err != nil {
		return nil, err
	}
	if temp.size == 0 {
		temp.remove()
		return nil, models.Invalid("file", "is empty")
	}
	return s.receive(ctx, temp)
}

// receive makes of a file what is kept, measures it and brings its content into the bucket.
func (m *Store) receive(ctx context.Context, temp *spooled) (*Incoming, error) {
	in := &Incoming{temp: temp}
	err := in.admit(ctx)
	if err == nil {
		err = m.store(ctx, in.temp, in.file.SHA256)
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// admit makes of what lies on this machine what is kept, by the one door for files of people: see nodes.Admit.
func (in *Incoming) admit(ctx context.Context) error {
	contentType, err := in.temp.uploadType(ctx)
	if err != nil {
		return err
	}
	admitted, err := kit.Admit(ctx, in.temp.file, in.temp.size, contentType)
	if err != nil {
		return err
	}
	if admitted.File != nil {
		temp := in.temp
		defer temp.remove()
		if in.temp, err = spooledAs(admitted.File); err != nil {
			in.temp = nil
			return err
		}
	}
	in.file = File{ContentType: admitted.ContentType, SHA256: in.temp.sum, Size: in.temp.size}
	in.file.measured(admitted.MediaInfo)
	return nil
}

// KeepFile gives a file that has arrived an address of the actor's account.
func (s *Service) KeepFile(ctx context.Context, incoming *Incoming) (*File, error) {
	if err := s.mayUpload(ctx); err != nil {
		return nil, err
	}
	if err := s.stillWelcome(ctx); err != nil {
		return nil, err
	}
	file := incoming.file
	file.AccountID = models.ActorFrom(ctx).UserID
	return s.keep(ctx, incoming.temp, file)
}

// stillWelcome asks again, behind a body that took minutes to arrive, whether
// the caller's credentials count and the selected workspace is open to them.
func (s *Service) stillWelcome(ctx context.Context) error {
	if err := s.Accounts.StillValid(ctx); err != nil {
		return err
	}
	_, err := s.Spaces.Selected(ctx)
	return err
}

// mayUpload tells whether the actor may keep files.
func (s *Service) mayUpload(ctx context.Context) error {
	if err := space.RequireSomeWorkflows(models.ActorFrom(ctx)); err != nil {
		return err
	}
	if !s.ready() {
		return errNoMedia
	}
	return nil
}

// measured takes over the measures that are known.
func (f *File) measured(info kit.MediaInfo) {
	if info.Width > 0 && info.Height > 0 {
		f.Width, f.Height = &info.Width, &info.Height
	}
	if info.Duration > 0 {
		f.Duration = &info.Duration
	}
}

// keep stores the content, unless it is there, and then commits the row: an
// address never leads nowhere.
func (m *Store) keep(ctx context.Context, temp *spooled, file File) (*File, error) {
	for {
		if err := m.store(ctx, temp, file.SHA256); err != nil {
			return nil, err
		}
		kept := false
		err := m.DB.Write(ctx, func(tx *models.Tx) error {
			if err := lockContent(tx, file.SHA256); err != nil {
				return err
			}
			exists, err := m.Bucket.Exists(ctx, BlobName(file.SHA256))
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

// store uploads the content when the bucket does not have it. Without a
// temporary file it must be there.
func (m *Store) store(ctx context.Context, temp *spooled, sum []byte) error {
	name := BlobName(sum)
	exists, err := m.Bucket.Exists(ctx, name)
	if err != nil || exists {
		return err
	}
	if temp == nil {
		return models.NotFound("File")
	}
	return m.Bucket.Upload(ctx, name, io.NewSectionReader(temp.file, 0, temp.size),
		&blob.WriterOptions{ContentType: "application/octet-stream"})
}

// lockContent keeps the sweeper and anyone who refers to a content apart.
func lockContent(tx *models.Tx, sum []byte) error {
	return tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "media:"+hex.EncodeToString(sum)).Error
}
