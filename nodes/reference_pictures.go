package nodes

import (
	"context"
	"strings"

	"atelier/nodes/provider"
)

// mostElementPictures is how many pictures of one element go along with a request.
const mostElementPictures = 4

// mayLeave refuses to send what a person did not agree to have sent.
func (e *ElementRef) mayLeave() error {
	if e.DepictsPerson && !e.MayLeave {
		return failf("%s shows a person whose consent keeps the pictures on this install", e.Name).
			hint("Use provider local, or leave it out.")
	}
	return nil
}

// references are the addresses of the pictures that a provider's model is to follow: the node's own,
// then those of its elements in their order, the first of each before the second of any.
func (in *Call) references() ([]string, error) {
	var found []string
	if own := in.text("referenceImage"); own != "" {
		found = append(found, own)
	}
	if in.Refs == nil {
		return found, nil
	}
	for i := range in.Refs.Elements {
		if err := in.Refs.Elements[i].mayLeave(); err != nil {
			return nil, err
		}
	}
	for n := range mostElementPictures {
		for i := range in.Refs.Elements {
			if pictures := in.Refs.Elements[i].Pictures; n < len(pictures) {
				found = append(found, pictures[n].Address)
			}
		}
	}
	return found[:min(len(found), provider.MaxReferences)], nil
}

// trained is the first element that has a model of its own at a provider; nil for none.
func (in *Call) trained(providerName string) *ElementRef {
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

// followsPictures tells whether a model takes pictures that it is to follow.
func (m Model) followsPictures() bool {
	if m.takes("referenceImages") {
		return true
	}
	if m.Provider == openaiName {
		return strings.HasPrefix(m.ID, "gpt-image") || strings.HasPrefix(m.ID, "chatgpt-image")
	}
	return m.takes("imageUrl") || m.takes("characterImage") || m.takes("faceImage")
}

// tellReferences says in the output how the elements went into a picture that a model made.
func (in *Call) tellReferences(out Output, model Model, prompt string, trained *ElementRef) {
	out["prompt"] = prompt
	follows := model.followsPictures()
	if in.Refs != nil && len(in.Refs.Elements) > 0 {
		out["elements"] = in.toldElements(func(e *ElementRef) string {
			switch {
			case e == trained:
				return "trained"
			case follows && len(e.Pictures) > 0:
				return "pictures"
			}
			return "words"
		})
	}
	if sent, err := in.references(); err == nil && len(sent) > 0 && !follows && trained == nil {
		out["warnings"] = []any{"The model " + model.ID + " takes no reference pictures: words alone were used."}
	}
}

// pictureFiles are pictures as they go to a provider.
func (in *Call) pictureFiles(ctx context.Context, addresses []string) ([]provider.File, error) {
	files := make([]provider.File, len(addresses))
	for i, address := range addresses {
		file, err := in.pictureFile(ctx, address)
		if err != nil {
			return nil, err
		}
		files[i] = file
	}
	return files, nil
}

// lendPictures puts pictures under the names that a model has for them: a list, or the first of them.
func (l *loan) lendPictures(ctx context.Context, model Model, addresses []string, fields map[string]any) error {
	if len(addresses) == 0 {
		return nil
	}
	if !model.takes("referenceImages") {
		addresses = addresses[:1]
	}
	files, err := l.in.pictureFiles(ctx, addresses)
	if err != nil {
		return err
	}
	lent := make([]any, len(files))
	for i, file := range files {
		if lent[i], err = l.lend(ctx, file); err != nil {
			return err
		}
	}
	if model.takes("referenceImages") {
		fields["referenceImages"] = lent
		return nil
	}
	for _, name := range []string{"characterImage", "faceImage", "imageUrl"} {
		if model.takes(name) {
			fields[name] = lent[0]
			return nil
		}
	}
	return nil
}
