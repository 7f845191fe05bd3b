package nodes

import (
	"context"
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/phrase"
)

var scriptBreakdownNode = &kit.Node{
	Type: "script-breakdown", Label: "Script breakdown", Category: "text", OutputType: "data",
	Description:  "Takes a script apart into shots: what is seen, what is said, by whom and where. No word is lost or added.",
	Capabilities: []string{"text-to-data", "storyboard"},
	InputSchema:  breakdownSchema(),
	MainInput:    "script", MainOutput: "data", Inline: true, Pool: kit.Cheap,
	Check: checkScript,
	Run: func(_ context.Context, in *kit.Call) (kit.Output, error) {
		found, err := breakDown(in)
		if err != nil {
			return nil, err
		}
		return breakdownOutput(found.Shots, found.Names), nil
	},
}

// The lengths of shots that a breakdown may be asked for, in seconds.
const (
	MinSecondsPerShot   = 2
	MaxSecondsPerShot   = 15
	usualSecondsPerShot = 6.0
)

// breakdownSchema is the form of a breakdown, the one who does the work.
func breakdownSchema() kit.Schema {
	script := kit.Area("script", "Script", "Scenes begin with INT. or EXT.; NAME above a line, \"Name: line\" and quoted speech beside a name are dialogue.").Required()
	script.Schema.MaxLength = phrase.MaxScript
	return kit.Object(
		script,
		kit.Number("secondsPerShot", "Seconds per shot", "About how long a shot is to be, at 2.5 words a second.", MinSecondsPerShot, MaxSecondsPerShot).Or(usualSecondsPerShot),
		kit.Integer("maxShots", "Most shots", "Shots become longer where there would be more.", 1, phrase.MaxShots).Or(float64(phrase.MaxShots)),
	)
}

func checkScript(prefix string, input map[string]any) error {
	if script, ok := input["script"].(string); ok && strings.TrimSpace(script) == "" {
		return models.Invalid(prefix+"script", "must not be empty")
	}
	return nil
}

// breakDown is the breakdown that this install makes of the settings.
func breakDown(in *kit.Call) (phrase.Breakdown, error) {
	found, err := phrase.BreakDown(in.Text("script"), phrase.BreakdownOptions{
		SecondsPerShot: in.Number("secondsPerShot"), MaxShots: in.Integer("maxShots"),
	})
	var many *phrase.TooManyShots
	switch {
	case errors.As(err, &many):
		err = kit.Failf("The script needs %d shots, and %d is the most", many.Needed, many.Most).
			WithHint("A shot has one scene, one speaker and at most %d characters of dialogue. Allow more shots, or break the script down in parts.", phrase.MaxDialogue)
	case errors.Is(err, phrase.ErrScriptTooLong):
		err = kit.Failf("The script is longer than %d characters", phrase.MaxScript).WithHint("Break it down in parts.")
	}
	return found, err
}

func breakdownOutput(shots []phrase.Shot, names []phrase.FoundName) kit.Output {
	listed, found, length := make([]any, len(shots)), make([]any, len(names)), 0.0
	for i, s := range shots {
		duration := math.Round(s.Seconds*10) / 10
		length += duration
		listed[i] = map[string]any{
			"title": s.Title, "action": s.Action, "dialogue": s.Dialogue, "speaker": s.Speaker, "place": s.Place, "time": s.Time, "seconds": duration,
		}
	}
	for i, n := range names {
		found[i] = map[string]any{"name": n.Name, "kind": n.Kind, "count": n.Count}
	}
	return kit.Output{
		"data":  map[string]any{"shots": listed, "names": found},
		"count": len(shots), "seconds": math.Round(length*10) / 10, "provider": kit.LocalName,
	}
}

// tooLongFor tells whether a text has more than so many characters.
func tooLongFor(text string, most int) bool { return utf8.RuneCountInString(text) > most }
