package media

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"atelier/models"
)

// Arrive takes a file that a person sends, as ReceiveFile does, but leaves its
// content on this machine: what becomes of it is for the caller, and nothing of it
// reaches the bucket before WithContent. Close it in the end.
func (s *Service) Arrive(ctx context.Context, r io.Reader) (*Incoming, error) {
	if !s.ready() {
		return nil, errNoMedia
	}
	ctx, _, done, err := s.Arriving(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return s.TakeMade(ctx, r)
}

// TakeMade is Arrive for contents that the program itself made: it asks nothing about a caller.
func (m *Store) TakeMade(ctx context.Context, r io.Reader) (*Incoming, error) {
	temp, err := m.spool(ctx, r, MaxUploadBytes)
	if err != nil {
		return nil, err
	}
	in := &Incoming{temp: temp}
	if temp.size == 0 {
		err = models.Invalid("file", "is empty")
	} else {
		err = in.admit(ctx)
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// ArriveFrom is Arrive for what lies at an address, public https or an ordinary
// file of this install: refusals name the field url. An own file that is
// unknown or private is not_found; its row is returned beside what arrived.
func (s *Service) ArriveFrom(ctx context.Context, url string) (*Incoming, *File, error) {
	if !s.ready() {
		return nil, nil, errNoMedia
	}
	if name, own := s.own(url); own {
		return s.arriveAgain(ctx, name)
	}
	body, info, err := fetch(ctx, s.HTTP, url)
	if err != nil {
		return nil, nil, notFetched(err)
	}
	defer body.Close()
	if info.Size > MaxUploadBytes {
		return nil, nil, tooLarge(MaxUploadBytes)
	}
	arrived := &arrival{from: body}
	in, err := s.Arrive(ctx, arrived)
	if err != nil && arrived.err != nil {
		return nil, nil, notFetched(arrived.err)
	}
	return in, nil, atAddress(err)
}

// arriveAgain is a file of this install as if a person had sent it.
func (m *Store) arriveAgain(ctx context.Context, name string) (*Incoming, *File, error) {
	found, err := m.named(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if found.Size > MaxUploadBytes {
		return nil, nil, tooLarge(MaxUploadBytes)
	}
	content, err := m.Content(ctx, found)
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, errLeadsNowhere
	}
	if err != nil {
		return nil, nil, err
	}
	defer content.Close()
	in, err := m.TakeMade(ctx, content)
	return in, found, atAddress(err)
}

// atAddress turns a refusal of a file into one of the address that led there.
func atAddress(err error) error {
	var refusal *models.Error
	if errors.As(err, &refusal) && refusal.Field == "file" {
		return models.Invalid("url", "leads to a file that %s", strings.TrimPrefix(refusal.Message, "file "))
	}
	return err
}

// ContentType is the sniffed type of what has arrived.
func (in *Incoming) ContentType() string { return in.file.ContentType }

// Size is its length in bytes.
func (in *Incoming) Size() int64 { return in.file.Size }

// Pixels are the width and height of a picture or a video; 0 where they are unknown.
func (in *Incoming) Pixels() (width, height int) {
	if in.file.Width == nil || in.file.Height == nil {
		return 0, 0
	}
	return *in.file.Width, *in.file.Height
}

// Seconds is the length of a sound or a video; 0 where it is unknown.
func (in *Incoming) Seconds() float64 {
	if in.file.Duration == nil {
		return 0
	}
	return *in.file.Duration
}

// File is what has arrived, and lies on this machine until Close.
func (in *Incoming) File() *os.File { return in.temp.file }

// Content reads what has arrived, each time from its beginning.
func (in *Incoming) Content() *io.SectionReader {
	return io.NewSectionReader(in.temp.file, 0, in.temp.size)
}
