package flow

import (
	"net/http"
	"path"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// outputKeys are where a result is looked for, in their order (contract 1, "Published app endpoints", rule 5).
var outputKeys = []string{"url", "imageUrl", "videoUrl", "audioUrl", "resultUrl", "text"}

// result is what a node yielded, ready to be shown by its outputType.
type result struct {
	Name string // of the node
	Kind string // image, video, audio, text, data
	// Address of a file; Embedded when it is one of this install, which its pages may show.
	Address  string
	Embedded bool
	Text     string
	// Data is the whole output as JSON.
	Data string
	// Model and Print are files of a 3D model: to turn, and for printers.
	Model, Print string
	// Motion is the document of an animation that was filmed.
	Motion string
	// Warnings say what is not as it was asked for.
	Warnings []string
	// Note says more: "1024 × 1024".
	Note string
	// File is what it is kept as, empty where it is only shown.
	File string
}

// empty tells whether there is nothing to show.
func (r result) empty() bool {
	return r.Address == "" && r.Text == "" && (r.Data == "" || r.Kind != "data")
}

// resultOf reads the output of a node.
func (c Pages) resultOf(name, outputType string, output map[string]any) result {
	r := result{Name: name, Kind: outputType}
	if len(output) == 0 {
		return r
	}
	r.Data = frame.ShownJSON(output)
	for _, key := range outputKeys {
		s, ok := output[key].(string)
		if !ok || s == "" {
			continue
		}
		if key == "text" {
			r.Text = s
		} else {
			r.Address, r.Embedded = c.MediaAddress(s)
		}
		break
	}
	if r.Address == "" && (r.Kind == "image" || r.Kind == "video" || r.Kind == "audio") {
		r.Kind = "data"
	}
	if r.Kind == "data" && r.Address != "" {
		r.Kind = filmed(output)
	}
	r.Model, r.Print = c.ownFile(output["modelUrl"]), c.ownFile(output["stlUrl"])
	if r.Motion = c.ownFile(output["motionUrl"]); r.Motion == r.Address {
		r.Motion = ""
	}
	r.Warnings = warningsOf(output)
	if w, ok := output["width"].(float64); ok {
		if h, ok := output["height"].(float64); ok {
			r.Note = ui.Amount(w) + " × " + ui.Amount(h) + " pixels"
		}
	}
	return r
}

// mostWarnings is how many are shown.
const mostWarnings = 5

// warningsOf are the first sentences that a node says about its own work.
func warningsOf(output map[string]any) []string {
	var out []string
	all, _ := output["warnings"].([]any)
	for _, warning := range all[:min(len(all), mostWarnings)] {
		if s, ok := warning.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// filmed is the kind of what data was made visible as: a film or a picture that is its main address; else "data".
func filmed(output map[string]any) string {
	for _, kind := range []string{"video", "image"} {
		if address, ok := output[kind+"Url"].(string); ok && address != "" && address == output["url"] {
			return kind
		}
	}
	return "data"
}

// ownFile is the path of a file of this install that an output names; else "".
func (c Pages) ownFile(address any) string {
	s, _ := address.(string)
	return c.ShownMedia(&s)
}

// allowMedia lets a page play video and audio of this install.
func allowMedia(w http.ResponseWriter) { frame.AllowMedia(w) }

// mainResults is what stands on top of the page of a run that has completed: its result, and the other outputs that the
// form of its app shows. Where there is no file and no text, it is the last output that holds anything.
func (c Pages) mainResults(e query.RunDetail, k kinds) []result {
	if e.Status != query.ExecutionStatusCompleted {
		return nil
	}
	all, names := map[string]result{}, nodeNames(e.Nodes, k)
	types := make(map[string]string, len(e.Nodes))
	for _, n := range e.Nodes {
		types[n.Id] = n.Type
	}
	last := ""
	for _, s := range e.NodeStates {
		if s.Output == nil || s.Status != query.NodeStatusCompleted {
			continue
		}
		if r := c.resultOf(names[s.NodeId], k[types[s.NodeId]].OutputType, *s.Output); !r.empty() {
			r.File = resultFile(e.Title, e.Subject, path.Ext(r.Address))
			all[s.NodeId], last = r, s.NodeId
		}
	}
	main := last
	if e.Result != nil {
		main = e.Result.NodeId
	}
	var out []result
	show := func(node string) {
		if r, ok := all[node]; ok {
			out = append(out, r)
			delete(all, node)
		}
	}
	show(main)
	if e.App != nil {
		for _, item := range readInputItems(e.App.InputItems) {
			if item.Type == "output" {
				show(item.NodeID)
			}
		}
	}
	return out
}
