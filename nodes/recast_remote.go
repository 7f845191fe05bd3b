package nodes

import (
	"bytes"
	"context"
	"io"
	"maps"
	"strings"

	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

// recastFields are the names of inputs that models of recast share.
var recastFields = map[string]string{"videoUrl": "video", "imageUrl": "image", "characterImage": "character_image"}

// recastByReplicate has a model put the character in the place of the person. The provider gets
// the bytes of all files, and no address of this install.
func recastByReplicate(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	if in.Refs == nil || len(in.Refs.Elements) == 0 {
		return nil, kit.Failf("There is no character").WithHint("Choose one of the library.")
	}
	e := &in.Refs.Elements[0]
	if err := e.CheckMayLeave(); err != nil {
		return nil, err
	}
	if len(e.Pictures) == 0 {
		return nil, kit.Failf("%s has no picture that a model could follow", e.Name).WithHint("Add one, or use mode cover, which draws the character.")
	}
	names := maps.Clone(recastFields)
	maps.Copy(names, model.Fields)
	model.Fields = names
	kind := "video"
	if in.Text("imageUrl") != "" {
		kind = "image"
	}
	fields := map[string]any{"prompt": in.Text("prompt"), "seed": in.Input["seed"]}
	out, err := in.PredictWith(ctx, model, kind, func(l *kit.Loan) (map[string]any, error) {
		file, err := mediaFile(ctx, in, in.Text(kind+"Url"), kind)
		if err != nil {
			return nil, err
		}
		if fields[kind+"Url"], err = l.Lend(ctx, file); err != nil {
			return nil, err
		}
		picture, err := in.PictureFile(ctx, e.Pictures[0].Address)
		if err != nil {
			return nil, err
		}
		lent, err := l.Lend(ctx, picture)
		if err != nil {
			return nil, err
		}
		fields["characterImage"] = lent
		if model.Takes("referenceImages") {
			fields["referenceImages"] = []any{lent}
		}
		return model.Inputs(fields), nil
	})
	if err != nil {
		return nil, err
	}
	out["mode"] = modeReplace
	out["elements"] = in.ToldElements(func(*kit.ElementRef) string { return "pictures" })
	out["warnings"] = []any{}
	return out, nil
}

// maxSentMedia bounds a video that goes to a provider, in bytes.
const maxSentMedia = 100 << 20

// mediaFile is a picture or a video as it goes to a provider: its bytes, under a name that says nothing.
func mediaFile(ctx context.Context, in *kit.Call, address, kind string) (provider.File, error) {
	if kind == "image" {
		return in.PictureFile(ctx, address)
	}
	body, contentType, err := in.Open(ctx, address, kind, maxSentMedia)
	if err != nil {
		return provider.File{}, err
	}
	defer body.Close()
	content, err := io.ReadAll(body)
	if err != nil {
		return provider.File{}, kit.NotOpened(err, kind)
	}
	return provider.File{Name: kind + "." + strings.TrimPrefix(contentType, kind+"/"), ContentType: contentType, Content: bytes.NewReader(content)}, nil
}
