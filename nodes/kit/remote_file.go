package kit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"atelier/nodes/provider"
)

// Loan collects the files that a task lends to a provider.
type Loan struct {
	in  *Call
	ids []string
}

// Lend brings a file to the provider and returns the address that its models read. Nothing of
// this install is named there.
func (l *Loan) Lend(ctx context.Context, file provider.File) (string, error) {
	there, err := l.in.Providers.Replicate.Upload(ctx, "", file)
	if err != nil {
		return "", err
	}
	l.ids = append(l.ids, there.ID)
	return there.URL, nil
}

// OnceWithFiles is once for a request whose inputs need files to be lent first, which may
// happen twice: they are taken back when the task ends.
func (in *Call) OnceWithFiles(ctx context.Context, input func(*Loan) (map[string]any, error), send func(e *ProviderTask, fields map[string]any) error) error {
	lent := &Loan{in: in}
	var fields map[string]any
	if e := ProviderTaskOf(in.State); !in.Late && (e == nil || !e.Sent) {
		var err error
		if fields, err = input(lent); err != nil {
			in.TakeBack(ctx, &ProviderTask{Files: lent.ids})
			return in.notLent(err)
		}
	}
	return in.Once(ctx, ReplicateName, func(e *ProviderTask) error {
		e.Files = append(e.Files, lent.ids...)
		return send(e, fields)
	})
}

// notLent tries again later where the provider was busy, or no one knows whether it has the file.
func (in *Call) notLent(err error) error {
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) || trouble.Kind != provider.Busy && trouble.Kind != provider.Uncertain {
		return RemoteFailure(ReplicateName, err)
	}
	e := ProviderTaskOf(in.State)
	if e == nil {
		e = NewProviderTask(ReplicateName, in.Now)
	}
	if e.Tries >= MaxRefusals {
		return RemoteFailure(ReplicateName, &provider.Trouble{Kind: provider.Busy})
	}
	wait := max(trouble.Wait, Backoff(e.Tries))
	e.Tries++
	return e.Pause(in, wait)
}

// TakeBack deletes the files of a task. Those that stay end by themselves within a day.
func (in *Call) TakeBack(ctx context.Context, e *ProviderTask) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for _, id := range e.Files {
		_ = in.Providers.Replicate.DeleteFile(ctx, id)
	}
}

// PictureFile is a picture as it goes to a provider: its bytes, under a name that says nothing.
func (in *Call) PictureFile(ctx context.Context, address string) (provider.File, error) {
	body, contentType, err := in.Open(ctx, address, "image", maxSentPicture)
	if err != nil {
		return provider.File{}, err
	}
	defer body.Close()
	content, err := io.ReadAll(body)
	if err != nil {
		return provider.File{}, NotOpened(err, "image")
	}
	name := "picture." + strings.TrimPrefix(contentType, "image/")
	return provider.File{Name: name, ContentType: contentType, Content: bytes.NewReader(content)}, nil
}

// maxSentPicture bounds a picture that goes to a provider, in bytes.
const maxSentPicture = 50 << 20
