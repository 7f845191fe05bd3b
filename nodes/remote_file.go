package nodes

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"atelier/nodes/provider"
)

// loan collects the files that an errand lends to a provider.
type loan struct {
	in  *Call
	ids []string
}

// lend brings a file to the provider and returns the address that its models read. Nothing of
// this install is named there.
func (l *loan) lend(ctx context.Context, file provider.File) (string, error) {
	there, err := l.in.providers.Replicate.Upload(ctx, "", file)
	if err != nil {
		return "", err
	}
	l.ids = append(l.ids, there.ID)
	return there.URL, nil
}

// onceWithFiles is once for a request whose inputs need files to be lent first, which may
// happen twice: they are taken back when the errand ends.
func (in *Call) onceWithFiles(ctx context.Context, input func(*loan) (map[string]any, error), send func(e *errand, fields map[string]any) error) error {
	lent := &loan{in: in}
	var fields map[string]any
	if e := errandOf(in.State); !in.Late && (e == nil || !e.Sent) {
		var err error
		if fields, err = input(lent); err != nil {
			in.takeBack(ctx, &errand{Files: lent.ids})
			return in.notLent(err)
		}
	}
	return in.once(ctx, replicateName, func(e *errand) error {
		e.Files = append(e.Files, lent.ids...)
		return send(e, fields)
	})
}

// notLent tries again later where the provider was busy, or nobody knows whether it has the file.
func (in *Call) notLent(err error) error {
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) || trouble.Kind != provider.Busy && trouble.Kind != provider.Uncertain {
		return remoteFailure(replicateName, err)
	}
	e := errandOf(in.State)
	if e == nil {
		e = newErrand(replicateName, in.Now)
	}
	if e.Tries >= mostRefusals {
		return remoteFailure(replicateName, &provider.Trouble{Kind: provider.Busy})
	}
	wait := max(trouble.Wait, backoff(e.Tries))
	e.Tries++
	return e.pause(in, wait)
}

// takeBack deletes the files of an errand. Those that stay end by themselves within a day.
func (in *Call) takeBack(ctx context.Context, e *errand) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for _, id := range e.Files {
		_ = in.providers.Replicate.DeleteFile(ctx, id)
	}
}

// pictureFile is a picture as it goes to a provider: its bytes, under a name that says nothing.
func (in *Call) pictureFile(ctx context.Context, address string) (provider.File, error) {
	body, contentType, err := in.open(ctx, address, "image", maxSentPicture)
	if err != nil {
		return provider.File{}, err
	}
	defer body.Close()
	content, err := io.ReadAll(body)
	if err != nil {
		return provider.File{}, notOpened(err, "image")
	}
	name := "picture." + strings.TrimPrefix(contentType, "image/")
	return provider.File{Name: name, ContentType: contentType, Content: bytes.NewReader(content)}, nil
}

// maxSentPicture bounds a picture that goes to a provider, in bytes.
const maxSentPicture = 50 << 20
