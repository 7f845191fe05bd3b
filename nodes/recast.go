package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/face"
	"atelier/nodes/kit"
)

// The modes of recast.
const (
	modeCover   = "cover"
	modeReplace = "replace"
)

var recastNode = &kit.Node{
	Type: "recast", Label: "Recast", Category: "video", OutputType: "video",
	Description:  "Puts a character of the library in the place of the people in a picture or a video: over their faces here, or redrawn by a provider's model.",
	Providers:    []string{kit.LocalName},
	Capabilities: []string{"video-to-video", "image-to-image", "faces"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The picture; or a video instead.", "image"),
		kit.Address("videoUrl", "Video", "The video, at most 60 seconds long where faces are covered; or a picture instead.", "video"),
		kit.LibraryField("characterId", "Character", "Who comes in their place, from the library.", kit.NamesCharacter).Required(),
		oneOf("mode", "Mode", "cover lays the character's head over faces, replace redraws the person by a provider's model; empty takes replace where one is set up.",
			modeCover, modeReplace),
		kit.Anything("target", "Target", "Whose face is covered: all, largest, or { x, y } in parts of the picture.").Or(targetAll),
		kit.Number("scale", "Scale", "How far the head reaches over the face.", 1, 2).Or(1.4),
		kit.Toggle("keepAudio", "Keep the sound", "Of a video.", true),
		kit.Area("prompt", "Prompt", "What a provider's model is told besides."),
		kit.Integer("seed", "Seed", "For models that take one.", 0, 2147483647),
		oneOf("provider", "Provider", "Who does the work; empty leaves it to the mode.", kit.LocalName),
	),
	Cost: 3 * models.Credit, PricedBy: []string{"mode"}, MainInput: "videoUrl", MainOutput: "url", Pool: kit.Media,
	Check:   checkRecast,
	Run:     coverFaces,
	Remote:  map[string]kit.RemoteRun{kit.ReplicateName: recastByReplicate},
	Chooses: chooseRecast, Refuses: refuseRecast,
}

// oneOf is one of a few words, or none.
func oneOf(name, title, description string, options ...string) kit.Property {
	p := kit.FieldOf("string", name, title, description)
	p.Schema.Enum = options
	return p
}

// chooseRecast is who does the work: the mode decides, then the provider that is named, then
// whether there is one.
func chooseRecast(n *kit.Node, input map[string]any) string {
	mode, _ := input["mode"].(string)
	named, _ := input["provider"].(string)
	switch {
	case mode == modeCover:
		return kit.LocalName
	case mode == modeReplace:
		return kit.ReplicateName
	case named != "":
		return named
	case len(n.Models()) > 0:
		return kit.ReplicateName
	}
	return kit.LocalName
}

// refuseRecast refuses to replace without a model, and a provider that contradicts the mode.
func refuseRecast(n *kit.Node, prefix string, input map[string]any) error {
	mode, _ := input["mode"].(string)
	named, _ := input["provider"].(string)
	switch {
	case (mode == modeReplace || named == kit.ReplicateName) && len(n.Models()) == 0:
		refusal := models.Invalid(prefix+"mode", "")
		refusal.Message = "replace needs a provider; its operator must set REPLICATE_API_TOKEN and name a model of type recast in PROVIDER_MODELS"
		return refusal
	case mode == modeCover && named == kit.ReplicateName || mode == modeReplace && named == kit.LocalName:
		return models.Invalid(prefix+"mode", "and provider contradict each other")
	}
	return nil
}

// The targets of recast, beside a point.
const (
	targetAll     = "all"
	targetLargest = "largest"
)

func checkRecast(prefix string, input map[string]any) error {
	image, _ := input["imageUrl"].(string)
	video, _ := input["videoUrl"].(string)
	if (image == "") == (video == "") {
		return models.Invalid(prefix+"imageUrl", "or videoUrl must be given, and not both")
	}
	if _, err := targetOf(prefix, input["target"]); err != nil {
		return err
	}
	return nil
}

// recastTarget is whose faces are covered.
type recastTarget struct {
	largest bool
	at      *face.Point
}

func targetOf(prefix string, value any) (recastTarget, error) {
	switch value := value.(type) {
	case nil:
		return recastTarget{}, nil
	case string:
		if value == targetAll || value == targetLargest || value == "" {
			return recastTarget{largest: value == targetLargest}, nil
		}
	case map[string]any:
		x, okX := kit.ToNumber(value["x"])
		y, okY := kit.ToNumber(value["y"])
		if okX && okY && len(value) == 2 && x >= 0 && x <= 1 && y >= 0 && y <= 1 {
			return recastTarget{at: &face.Point{X: x, Y: y}}, nil
		}
	}
	return recastTarget{}, models.Invalid(prefix+"target", "must be all, largest, or { x, y } in parts of the picture from 0 to 1")
}

// of are the tracks that are covered.
func (t recastTarget) of(tracks []*face.Track) []*face.Track {
	if len(tracks) == 0 || !t.largest && t.at == nil {
		return tracks
	}
	var best *face.Track
	at := 0
	for _, track := range tracks {
		if t.at == nil {
			if best == nil || track.Area() > best.Area() {
				best = track
			}
			continue
		}
		for i, b := range track.Boxes {
			if frame := track.First + i; b.Holds(*t.at) && (best == nil || frame < at) {
				best, at = track, frame
				break
			}
		}
	}
	if best == nil {
		return nil
	}
	return []*face.Track{best}
}

// coverWarning is said of every cover.
const coverWarning = "Faces turned aside may be missed: this is a mask for fun and for showing less, no proof of anonymity."

// coverFaces lays the head of the character over faces.
func coverFaces(ctx context.Context, in *kit.Call) (kit.Output, error) {
	if in.Refs == nil || len(in.Refs.Elements) == 0 {
		return nil, kit.Failf("There is no character").WithHint("Choose one of the library.")
	}
	head, how, err := headOf(ctx, in, &in.Refs.Elements[0])
	if err != nil {
		return nil, err
	}
	target, err := targetOf("", in.Input["target"])
	if err != nil {
		return nil, kit.FailureOf(err)
	}
	cover := &cover{in: in, head: head, scale: in.Number("scale"), target: target}
	var out kit.Output
	if in.Text("imageUrl") != "" {
		out, err = cover.picture(ctx)
	} else {
		out, err = cover.film(ctx)
	}
	if err != nil {
		return nil, err
	}
	out["mode"], out["provider"] = modeCover, kit.LocalName
	out["elements"] = in.ToldElements(func(*kit.ElementRef) string { return how })
	out["warnings"] = []any{coverWarning}
	return out, nil
}
