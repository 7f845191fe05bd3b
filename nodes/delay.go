package nodes

import (
	"context"
	"encoding/json"
	"path"
	"strings"
	"time"

	"atelier/mediatype"
	"atelier/nodes/kit"
)

var delayNode = &kit.Node{
	Type: "delay", Label: "Delay", Category: "flow", OutputType: "data",
	Description:  "Waits, then passes on what reached it.",
	Capabilities: []string{"wait"},
	InputSchema: kit.Object(
		kit.Number("seconds", "Seconds", "How long to wait.", 0, 600).Or(1.0),
		kit.Anything("input", "Input", "Passed on unchanged after the wait."),
	),
	MainInput: "input", MainOutput: "data", Pool: kit.Cheap,
	Run: delay,
}

// delayState is what a waiting delay keeps: when it is over, whatever happens
// to the settings meanwhile.
type delayState struct {
	Until time.Time `json:"until"`
}

func delay(_ context.Context, in *kit.Call) (kit.Output, error) {
	seconds := in.Number("seconds")
	var state delayState
	if in.State == nil {
		state.Until = in.Now.Add(time.Duration(seconds * float64(time.Second)))
	} else if err := json.Unmarshal(in.State, &state); err != nil {
		return nil, err
	}
	if in.Now.Before(state.Until) {
		kept, err := json.Marshal(state)
		if err != nil {
			return nil, err
		}
		return nil, &kit.Pause{Until: state.Until, State: kept}
	}
	out := passOn(in.Input["input"])
	out["seconds"] = seconds
	return out, nil
}

// passOn is an output that carries a value unchanged under data, and a text or
// an address also where a result of its kind is looked for.
func passOn(value any) kit.Output {
	out := kit.Output{}
	if value == nil {
		return out
	}
	out["data"] = value
	s, ok := value.(string)
	switch {
	case !ok:
	case kit.IsAddress(s):
		out["url"] = s
		switch kind := mediatype.KindOf(strings.TrimPrefix(strings.ToLower(path.Ext(s)), ".")); kind {
		case "image", "video", "audio":
			out[kind+"Url"] = s
		}
	default:
		out["text"] = s
	}
	return out
}
