package kit

import (
	"context"
	"strings"

	"atelier/nodes/provider"
)

// MaxElementPictures is how many pictures of one element go along with a request.
const MaxElementPictures = 4

// CheckMayLeave refuses to send what a person did not agree to have sent.
func (e *ElementRef) CheckMayLeave() error {
	if e.DepictsPerson && !e.MayLeave {
		return Failf("%s shows a person whose consent keeps the pictures on this install", e.Name).
			WithHint("Use provider local, or leave it out.")
	}
	return nil
}

// References are the addresses of the pictures that a provider's model is to follow: the node's own,
// then those of its elements in their order, the first of each before the second of any.
func (in *Call) References() ([]string, error) {
	var found []string
	if own := in.Text("referenceImage"); own != "" {
		found = append(found, own)
	}
	if in.Refs == nil {
		return found, nil
	}
	for i := range in.Refs.Elements {
		if err := in.Refs.Elements[i].CheckMayLeave(); err != nil {
			return nil, err
		}
	}
	for n := range MaxElementPictures {
		for i := range in.Refs.Elements {
			if pictures := in.Refs.Elements[i].Pictures; n < len(pictures) {
				found = append(found, pictures[n].Address)
			}
		}
	}
	return found[:min(len(found), provider.MaxReferences)], nil
}

// Trained is the first element that has a model of its own at a provider; nil for none.
func (in *Call) Trained(providerName string) *ElementRef {
	if in.Refs == nil {
		return nil
	}
	for i := range in.Refs.Elements {
		if t := in.Refs.Elements[i].Trained; t != nil && t.Provider == providerName && t.Version != "" {
			return &in.Refs.Elements[i]
		}
	}
	return nil
}

// FollowsPictures tells whether a model takes pictures that it is to follow.
func (m Model) FollowsPictures() bool {
	if m.Takes("referenceImages") {
		return true
	}
	if m.Provider == OpenAIName {
		return strings.HasPrefix(m.ID, "gpt-image") || strings.HasPrefix(m.ID, "chatgpt-image")
	}
	return m.Takes("imageUrl") || m.Takes("characterImage") || m.Takes("faceImage")
}

// TellReferences says in the output how the elements went into a picture that a model made.
func (in *Call) TellReferences(out Output, model Model, prompt string, trained *ElementRef) {
	out["prompt"] = prompt
	follows := model.FollowsPictures()
	if in.Refs != nil && len(in.Refs.Elements) > 0 {
		out["elements"] = in.ToldElements(func(e *ElementRef) string {
			switch {
			case e == trained:
				return "trained"
			case follows && len(e.Pictures) > 0:
				return "pictures"
			}
			return "words"
		})
	}
	if sent, err := in.References(); err == nil && len(sent) > 0 && !follows && trained == nil {
		out["warnings"] = []any{"The model " + model.ID + " takes no reference pictures: words alone were used."}
	}
}

// PictureFiles are pictures as they go to a provider.
func (in *Call) PictureFiles(ctx context.Context, addresses []string) ([]provider.File, error) {
	files := make([]provider.File, len(addresses))
	for i, address := range addresses {
		file, err := in.PictureFile(ctx, address)
		if err != nil {
			return nil, err
		}
		files[i] = file
	}
	return files, nil
}

// LendPictures puts pictures under the names that a model has for them: a list, or the first of them.
func (l *Loan) LendPictures(ctx context.Context, model Model, addresses []string, fields map[string]any) error {
	if len(addresses) == 0 {
		return nil
	}
	if !model.Takes("referenceImages") {
		addresses = addresses[:1]
	}
	files, err := l.in.PictureFiles(ctx, addresses)
	if err != nil {
		return err
	}
	lent := make([]any, len(files))
	for i, file := range files {
		if lent[i], err = l.Lend(ctx, file); err != nil {
			return err
		}
	}
	if model.Takes("referenceImages") {
		fields["referenceImages"] = lent
		return nil
	}
	for _, name := range []string{"characterImage", "faceImage", "imageUrl"} {
		if model.Takes(name) {
			fields[name] = lent[0]
			return nil
		}
	}
	return nil
}
