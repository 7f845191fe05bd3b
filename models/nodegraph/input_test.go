//go:build !race

package nodegraph

import (
	"encoding/json"
	"strings"
	"testing"

	"atelier/models"
)

// shop is a graph with everything that a run may and may not change.
func shop() (Nodes, Edges, []Input) {
	all := Nodes{
		text("title", "A title"),
		text("where", "https://example.org/in"),
		node("page", "template-text", map[string]any{"template": "{{a}}", "values": map[string]any{"a": "1", "b": "2"}}),
		node("image", "generate-image", map[string]any{"prompt": "a cat", "aspectRatio": "1:1"}),
		node("motion", "motion", map[string]any{"motionPlan": plan3()}),
		node("send", "webhook-output", map[string]any{"url": "https://example.org/x", "credentialId": "c1"}),
		node("send2", "webhook-output", map[string]any{}),
		node("part", "component", map[string]any{"workflowId": "w"}),
	}
	edges := Edges{handle(edge("where", "send2"), "", "url"), handle(edge("image", "send"), "", "result")}
	exposed := []Input{
		{ID: "i-title", NodeID: "title", Field: "text"},
		{ID: "i-ratio", NodeID: "image", Field: "aspectRatio", AllowedValues: []any{"1:1", "16:9"}},
		{ID: "i-a", NodeID: "page", Field: "values.a", AllowedValues: []any{"1", "2"}},
		{ID: "i-head", NodeID: "motion", Field: "slot:headline"},
		{ID: "i-accent", NodeID: "motion", Field: "slot:accent", AllowedValues: []any{"#00ff00"}},
		{ID: "i-prompt", NodeID: "image", Field: "prompt"},
	}
	return all, edges, exposed
}

func TestApplyInputsRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		inputs, overrides map[string]any
		code              models.Code
		part              string
	}{
		"an unknown input":           {map[string]any{"nope": 1.0}, nil, models.CodeValidation, "inputs.nope names no input"},
		"an unknown node":            {nil, override("nope", "text", "x"), models.CodeValidation, "inputOverrides.nope names no node"},
		"an override by label":       {nil, map[string]any{"title": "x"}, models.CodeValidation, "inputOverrides.title must be an object"},
		"an empty field":             {nil, override("title", "", "x"), models.CodeValidation, "must name a field"},
		"a wrong type":               {map[string]any{"i-title": 3.0}, nil, models.CodeValidation, "title.text must be a text"},
		"a wrong type unexposed":     {nil, override("image", "seed", "many"), models.CodeValidation, "image.seed must be a"},
		"a wrong option":             {nil, override("image", "resolution", "huge"), models.CodeValidation, "image.resolution must be one of"},
		"a value that is forbidden":  {map[string]any{"i-ratio": "4:3"}, nil, models.CodeValidation, "i-ratio must be one of the allowed values"},
		"the same by override":       {nil, override("image", "aspectRatio", "4:3"), models.CodeValidation, "i-ratio must be one of the allowed values"},
		"null where values are set":  {nil, override("image", "aspectRatio", nil), models.CodeValidation, "i-ratio must be one of the allowed values"},
		"the same around a path":     {nil, override("page", "values", map[string]any{"a": "9"}), models.CodeValidation, "i-a must be one of"},
		"the same by leaving it out": {nil, override("page", "values", map[string]any{"b": "9"}), models.CodeValidation, "i-a must be one of"},
		"the same by a path":         {nil, override("page", "values.a", "9"), models.CodeValidation, "i-a must be one of"},
		"a colour that is forbidden": {map[string]any{"i-accent": "#0000ff"}, nil, models.CodeValidation, "i-accent must be one of"},
		"an unknown slot":            {nil, override("motion", "slot:nope", "x"), models.CodeValidation, "is no slot"},
		"a wrong colour":             {nil, override("motion", "slot:accent", "red-ish"), models.CodeValidation, "must be a colour"},
		"a wrong slot text":          {nil, override("motion", "slot:headline", 3.0), models.CodeValidation, "must be a text"},
		"a wrong slot number":        {nil, override("motion", "slot:size", "3"), models.CodeValidation, "must be a number"},
		"a plan without animation":   {nil, override("motion", "motionPlan", map[string]any{"slotValues": map[string]any{"headline": "x"}}), models.CodeValidation, "animation"},
		"a destination":              {nil, override("send", "url", "https://evil.example"), models.CodeLockedField, "url of node"},
		"a credential":               {nil, override("send", "credentialId", "c2"), models.CodeLockedField, "credentialId of node"},
		"below a destination":        {nil, override("send", "url.x", "y"), models.CodeLockedField, "url.x of node"},
		"what feeds a destination":   {nil, override("where", "text", "https://evil.example"), models.CodeLockedField, "text of node"},
		"another way of feeding":     {nil, override("send", "fieldMappings", map[string]any{"url": map[string]any{"nodeId": "title"}}), models.CodeLockedField, "fieldMappings"},
		"a review":                   {nil, override("title", "holdForReview", false), models.CodeLockedField, "holdForReview"},
		"another workflow":           {nil, override("part", "workflowId", "v"), models.CodeLockedField, "workflowId"},
		"into another workflow":      {nil, override("part", "inputs", map[string]any{"send": map[string]any{"url": "x"}}), models.CodeLockedField, "inputs"},
		"into it by a path":          {nil, override("part", "inputs.send.url", "x"), models.CodeLockedField, "inputs.send.url"},
	} {
		t.Run(name, func(t *testing.T) {
			all, edges, exposed := shop()
			_, err := ApplyInputs(nil, all, edges, exposed, c.inputs, c.overrides)
			wantError(t, err, c.code, c.part)
		})
	}
}

func TestApplyInputsRefusesADestinationThroughAnInput(t *testing.T) {
	all, edges, _ := shop()
	exposed := []Input{{ID: "u", NodeID: "send", Field: "url"}}
	_, err := ApplyInputs(nil, all, edges, exposed, map[string]any{"u": "https://evil.example"}, nil)
	wantError(t, err, models.CodeLockedField, "url of node")
}

func TestApplyInputsByFieldName(t *testing.T) {
	all, edges, exposed := shop()
	run, err := ApplyInputs(nil, all, edges, exposed, map[string]any{"prompt": "a dog"}, nil)
	if err != nil || field(run, "image", "prompt") != "a dog" {
		t.Fatalf("prompt %v, error %v", field(run, "image", "prompt"), err)
	}
	exposed = append(exposed, Input{ID: "second", NodeID: "title", Field: "prompt"})
	_, err = ApplyInputs(nil, all, edges, exposed, map[string]any{"prompt": "a dog"}, nil)
	wantError(t, err, models.CodeValidation, "names 2 inputs")
}

func field(all Nodes, id, path string) any {
	for _, n := range all {
		if n.ID == id {
			value, _ := valueOf(n, path)
			return value
		}
	}
	return nil
}

func TestOverridesWinOverInputs(t *testing.T) {
	all, edges, exposed := shop()
	run, err := ApplyInputs(nil, all, edges, exposed,
		map[string]any{"i-title": "from inputs", "i-prompt": "kept", "i-a": "2"},
		map[string]any{"title": map[string]any{"text": "from overrides"}, "image": map[string]any{"promptPrefix": "soft light"}, "page": map[string]any{"values": map[string]any{"a": "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[[2]string]any{
		{"title", "text"}: "from overrides", {"image", "prompt"}: "kept", {"image", "promptPrefix"}: "soft light",
		{"page", "values.a"}: "1", {"page", "values.b"}: nil,
	} {
		if got := field(run, path[0], path[1]); got != want {
			t.Errorf("%v is %v, want %v", path, got, want)
		}
	}
	before, _, _ := shop()
	if !SameJSON(all, before) {
		t.Error("the published nodes changed")
	}
}

func TestSlots(t *testing.T) {
	all, edges, exposed := shop()
	run, err := ApplyInputs(nil, all, edges, exposed, map[string]any{"i-head": "Sale", "i-accent": "#00FF00"}, override("motion", "slot:size", 12.0))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"headline": "Sale", "accent": []any{0.0, 1.0, 0.0, 1.0}, "size": 12.0}
	if got := field(run, "motion", "motionPlan.slotValues"); !SameJSON(got, want) {
		t.Fatalf("slotValues %v", got)
	}
	if !onlySlotsChanged(all, run) {
		t.Error("only slots changed")
	}
}

func TestOnlySlotsChanged(t *testing.T) {
	plan := plan3()
	plan["slotValues"] = map[string]any{"headline": "Sale", "accent": []any{0.0, 1.0, 0.0, 1.0}}
	other := plan3()
	other["animation"].(map[string]any)["op"] = 90.0
	for name, c := range map[string]struct {
		inputs, overrides map[string]any
		want              bool
	}{
		"nothing":                    {nil, nil, false},
		"the published values again": {map[string]any{"i-title": "A title"}, nil, false},
		"a slot":                     {map[string]any{"i-head": "Sale"}, nil, true},
		"a slot beside old values":   {map[string]any{"i-head": "Sale", "i-title": "A title", "i-ratio": "1:1"}, nil, true},
		"a whole plan":               {nil, override("motion", "motionPlan", plan), true},
		"a slot and a text":          {map[string]any{"i-head": "Sale", "i-title": "Another"}, nil, false},
		"another animation":          {nil, override("motion", "motionPlan", other), false},
		"a field that was not there": {map[string]any{"i-head": "Sale"}, override("image", "seed", 4.0), false},
		"a slot's own value":         {map[string]any{"i-head": "Hello"}, override("motion", "slot:size", 10.0), false},
		"a note beside a slot":       {map[string]any{"i-head": "Sale"}, override("motion", "notes", "x"), false},
		"slot values of no motion":   {nil, override("title", "motionPlan", map[string]any{"slots": map[string]any{"a": map[string]any{"type": "number"}}, "slotValues": map[string]any{"a": 1.0}}), false},
	} {
		t.Run(name, func(t *testing.T) {
			all, edges, exposed := shop()
			run, err := ApplyInputs(nil, all, edges, exposed, c.inputs, c.overrides)
			if err != nil {
				t.Fatal(err)
			}
			if got := onlySlotsChanged(all, run); got != c.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

func TestWorkflowInputsLeaveOutWhatIsFedOrLocked(t *testing.T) {
	all, edges, _ := shop()
	ids := map[string]bool{}
	for _, input := range WorkflowInputs(nil, all, edges) {
		ids[input.ID] = true
	}
	for _, id := range []string{"title.text", "image.prompt", "motion.slot:headline", "part.input"} {
		if !ids[id] {
			t.Errorf("%s is missing", id)
		}
	}
	for _, id := range []string{"where.text", "send.url", "send.credentialId", "send.result", "send2.url", "part.workflowId", "part.inputs"} {
		if ids[id] {
			t.Errorf("%s is offered", id)
		}
	}
}

func TestCheckItems(t *testing.T) {
	for name, c := range map[string]struct {
		items string
		code  models.Code
		part  string
	}{
		"an unknown type":        {`[{"type":"picture"}]`, models.CodeValidation, "[0].type must be field"},
		"no id":                  {`[{"type":"field","nodeId":"title","field":"text"}]`, models.CodeValidation, "[0].id is required"},
		"an id twice":            {`[{"type":"field","id":"a","nodeId":"title","field":"text"},{"type":"richtext","id":"a"}]`, models.CodeValidation, `[1].id "a" is used twice`},
		"an unknown node":        {`[{"type":"field","id":"a","nodeId":"x","field":"text"}]`, models.CodeValidation, `[0].nodeId names no node: "x"`},
		"an unknown field":       {`[{"type":"field","id":"a","nodeId":"title","field":"x"}]`, models.CodeValidation, `"x" is no field of node "title"`},
		"no field":               {`[{"type":"field","id":"a","nodeId":"title"}]`, models.CodeValidation, "is no field"},
		"an unknown slot":        {`[{"type":"field","id":"a","nodeId":"motion","field":"slot:x"}]`, models.CodeValidation, "is no field"},
		"a wrong allowed value":  {`[{"type":"field","id":"a","nodeId":"title","field":"text","allowedValues":["x",3]}]`, models.CodeValidation, "allowedValues[1]"},
		"a wrong allowed colour": {`[{"type":"field","id":"a","nodeId":"motion","field":"slot:accent","allowedValues":["blue-ish"]}]`, models.CodeValidation, "allowedValues[0]"},
		"a node of nowhere":      {`[{"type":"node","id":"a","nodeId":"x"}]`, models.CodeValidation, "nodeId names no node"},
		"an output of nowhere":   {`[{"type":"output","id":"a","nodeId":"x"}]`, models.CodeValidation, "nodeId names no node"},
		"a group in a group":     {`[{"type":"group","id":"g","items":[{"type":"group","id":"h","items":[]}]}]`, models.CodeValidation, "groups do not nest"},
		"deep inside a group":    {`[{"type":"group","items":[{"type":"field","id":"a","nodeId":"x","field":"text"}]}]`, models.CodeValidation, "items[0].nodeId"},
		"a destination":          {`[{"type":"field","id":"a","nodeId":"send","field":"url"}]`, models.CodeLockedField, "url of node"},
		"a credential":           {`[{"type":"field","id":"a","nodeId":"send","field":"credentialId"}]`, models.CodeLockedField, "credentialId"},
		"what feeds one":         {`[{"type":"group","items":[{"type":"field","id":"a","nodeId":"where","field":"text"}]}]`, models.CodeLockedField, "text of node"},
		"a review":               {`[{"type":"field","id":"a","nodeId":"title","field":"holdForReview"}]`, models.CodeLockedField, "holdForReview"},
	} {
		t.Run(name, func(t *testing.T) {
			all, edges, _ := shop()
			items, err := ReadItems(json.RawMessage(c.items))
			if err != nil {
				t.Fatal(err)
			}
			wantError(t, CheckItems(nil, items, all, edges), c.code, c.part)
		})
	}
	t.Run("everything that is allowed", func(t *testing.T) {
		all, edges, _ := shop()
		items, err := ReadItems(json.RawMessage(`[
			{"type":"richtext","id":"r","content":"# Hello"},
			{"type":"group","id":"g","items":[
				{"type":"field","id":"a","nodeId":"title","field":"text","allowedValues":null},
				{"type":"field","id":"b","nodeId":"page","field":"values.a"},
				{"type":"field","id":"c","nodeId":"motion","field":"slot:accent","allowedValues":["#f00"]}]},
			{"type":"node","id":"n","nodeId":"send"},
			{"type":"output","id":"o","nodeId":"image"},{"type":"output"}]`))
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckItems(nil, items, all, edges); err != nil {
			t.Fatal(err)
		}
		if n := len(ExposedInputs(items)); n != 3 {
			t.Errorf("%d inputs", n)
		}
	})
}

func TestSnapshotsShowNoDestination(t *testing.T) {
	all, _, _ := shop()
	mapped(all[5], "url", "title")
	raw, err := json.Marshal(WithoutDestinations(all))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"https://example.org/x", "c1", `"workflowId"`, `"nodeId":"title"`} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the snapshot shows %s", secret)
		}
	}
	if all[5].Data["url"] == nil {
		t.Error("the stored nodes lost their destination")
	}
}
