package nodes

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path"
	"strings"

	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

// usualTriggerWord stands for what was trained where no one chose a word.
const usualTriggerWord = "TOK"

// trainByReplicate has a model trained on the pictures of the first element. What comes of it is a
// version of a private model that belongs to this element alone.
func trainByReplicate(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	if in.Refs == nil || len(in.Refs.Elements) == 0 || len(in.Refs.Elements[0].Pictures) == 0 {
		return nil, kit.Failf("There are no pictures to learn from").WithHint("Add pictures, and train again.")
	}
	of := &in.Refs.Elements[0]
	if err := of.CheckMayLeave(); err != nil {
		return nil, err
	}
	e := kit.ProviderTaskOf(in.State)
	if e == nil || e.ID == "" {
		return nil, beginTraining(ctx, in, model, of)
	}
	found, err := in.Providers.Replicate.FindTraining(ctx, e.ID)
	if err != nil {
		return nil, in.AskAgain(e, err)
	}
	if !found.Ended() {
		return nil, in.Wait(e)
	}
	in.TakeBack(ctx, e)
	if found.Status != "succeeded" {
		return nil, kit.Failf("%s ended the training as %s%s", kit.ReplicateName, kit.StatusWord(found.Status), kit.Colon(found.Message())).
			WithHint("Nothing was charged. Look at the pictures, and train again.")
	}
	version := found.Version()
	if version == "" {
		return nil, kit.RemoteFailure(kit.ReplicateName, &provider.Trouble{Kind: provider.Unreadable})
	}
	return kit.Output{
		"provider": kit.ReplicateName, "model": model.ID, "version": version, "triggerWord": triggerWord(in), "used": len(of.Pictures), "learned": "likeness",
	}, nil
}

func triggerWord(in *kit.Call) string { return cmp.Or(in.Text("triggerWord"), usualTriggerWord) }

// beginTraining makes the model that the training goes into and lends the pictures, both of which may
// happen twice, and then has the training begin, which may not.
func beginTraining(ctx context.Context, in *kit.Call, model kit.Model, of *kit.ElementRef) error {
	replicate := in.Providers.Replicate
	var version, destination string
	prepare := func(l *kit.Loan) (map[string]any, error) {
		owner, err := replicate.Account(ctx)
		if err != nil {
			return nil, err
		}
		name := "atelier-" + of.ID
		if err := replicate.CreateModel(ctx, owner, name); !isThere(err) {
			return nil, err
		}
		destination = owner + "/" + name
		base := ""
		if base, version, _ = strings.Cut(model.ID, ":"); version == "" {
			if version, err = replicate.LatestVersion(ctx, base); err != nil {
				return nil, err
			}
		}
		pictures, err := pictureArchive(ctx, in, of)
		if err != nil {
			return nil, err
		}
		address, err := l.Lend(ctx, pictures)
		if err != nil {
			return nil, err
		}
		fields := maps.Clone(model.Input)
		if fields == nil {
			fields = map[string]any{}
		}
		maps.Copy(fields, model.Inputs(map[string]any{"images": address, "triggerWord": triggerWord(in), "steps": in.Input["steps"]}))
		return fields, nil
	}
	return in.OnceWithFiles(ctx, prepare, func(e *kit.ProviderTask, fields map[string]any) error {
		base, _, _ := strings.Cut(model.ID, ":")
		made, err := replicate.Train(ctx, e.Key, base, version, destination, fields)
		if err != nil {
			return err
		}
		e.ID, e.Kind, e.Tries = made.ID, kit.Training, 0
		return e.Pause(in, kit.MaxPoll)
	})
}

// isThere tells whether something was made, or had been made before.
func isThere(err error) bool {
	var trouble *provider.Trouble
	return err == nil || errors.As(err, &trouble) && trouble.Status == http.StatusConflict
}

// pictureArchive are the pictures of an element as trainings take them, under names that say nothing.
func pictureArchive(ctx context.Context, in *kit.Call, of *kit.ElementRef) (provider.File, error) {
	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	for i, picture := range of.Pictures {
		file, err := in.PictureFile(ctx, picture.Address)
		if err != nil {
			return provider.File{}, err
		}
		entry, err := archive.Create(fmt.Sprintf("%02d%s", i+1, path.Ext(file.Name)))
		if err != nil {
			return provider.File{}, err
		}
		if _, err := io.Copy(entry, file.Content); err != nil {
			return provider.File{}, err
		}
	}
	if err := archive.Close(); err != nil {
		return provider.File{}, err
	}
	return provider.File{Name: "pictures.zip", ContentType: "application/zip", Content: &content}, nil
}
