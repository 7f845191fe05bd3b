package nodes

import (
	"bytes"
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/lottie"
)

var motionNode = &kit.Node{
	Type: "motion", Label: "Motion", Category: "video", OutputType: "data",
	Description:  "Renders a vector animation (Lottie) with its colours, texts and numbers filled in, as a document for players or on film.",
	Capabilities: []string{"vector-animation", "slots"},
	InputSchema: kit.Object(
		kit.Property{Name: "motionPlan", Needed: true, Schema: kit.Schema{
			Type: "object", Title: "Motion plan", Control: "motion",
			Description: "{ animation, slots: { name: { type, value } }, slotValues }",
		}},
		kit.Choice("format", "Format", "json is the document alone. mp4 is a film on a background; webm and gif keep what is transparent.", jsonFormat, mp4Format, webmFormat, gifFormat),
		filmBackground(),
		kit.Integer("width", "Width", "Of the film in pixels; its height follows. Without one, the animation's own.", minFilmSide, lottie.MaxSide),
		kit.Number("frameRate", "Frames per second", "Of the film. Without one, the animation's own, at most 60, and 25 of a GIF.", 1, maxFilmRate),
	),
	Cost: 5 * models.Credit, MainInput: "motionPlan", MainOutput: "url", Pool: kit.Media,
	Check: checkMotion,
	Run:   renderMotion,
}

func checkMotion(prefix string, input map[string]any) error {
	plan, err := kit.ReadMotionPlan(prefix+"motionPlan", input["motionPlan"])
	if err != nil {
		return err
	}
	return checkFilm(prefix, input, plan.Animation)
}

// renderMotion saves the plan's document with every slot's value in place,
// both in Lottie's own slots and, for players that know none, at the
// properties that name the slot. With a format, the document is filmed, too.
func renderMotion(ctx context.Context, in *kit.Call) (kit.Output, error) {
	plan, err := kit.ReadMotionPlan("motionPlan", in.Input["motionPlan"])
	if err != nil {
		return nil, kit.FailureOf(err)
	}
	values, err := kit.FillPlan(plan)
	if err != nil {
		return nil, err
	}
	document, err := json.Marshal(plan.Animation)
	if err != nil {
		return nil, err
	}
	width, _ := kit.ToNumber(plan.Animation["w"])
	height, _ := kit.ToNumber(plan.Animation["h"])
	out := kit.Output{"contentType": "application/json", "width": width, "height": height, "duration": kit.LottieSeconds(plan.Animation), "slotValues": values}
	filmed := in.Text("format") != jsonFormat
	if filmed {
		if err := filmInto(ctx, in, plan.Animation, document, out); err != nil {
			return nil, err
		}
	}
	info, err := in.Media.Save(ctx, "motion.json", "application/json", bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	if filmed {
		out["motionUrl"] = info.URL
	}
	if out["url"] == nil {
		out["url"], out["resultUrl"] = info.URL, info.URL
	}
	return out, nil
}
