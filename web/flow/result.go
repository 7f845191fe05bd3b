package flow

import (
	"context"
	"net/http"
	"net/url"
	"path"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
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
	// Model and Print are files of a 3D model: to turn, and for printers. ModelURL is the whole address of Model.
	Model, Print, ModelURL string
	// Motion is the document of an animation that was filmed.
	Motion string
	// Note says more: "1024 × 1024".
	Note string
	// File is what it is kept as, empty where it is only shown.
	File string
	// Words is the rest of the output; Brief leaves it out except for what the node says, for a page of many results.
	Words outputWords
	Brief bool
}

// file is what a further file of the result is kept as.
func (r result) file(ending string) string { return resultFile(r.Name, nil, ending) }

// notes are what the node says; of a brief result the first of them.
func (r result) notes() outputWords {
	w := outputWords{Warnings: r.Words.Warnings, NotUnderstood: r.Words.NotUnderstood}
	if r.Brief {
		w.Warnings = w.Warnings[:min(2, len(w.Warnings))]
	}
	return w
}

// turntableHref is the form that films a model from all sides.
func turntableHref(model string) string {
	return "/make/pro-3d-render?" + url.Values{"in-modelUrl": {model}, "in-output": {`"turntable"`}}.Encode()
}

// empty tells whether there is nothing to show.
func (r result) empty() bool {
	return r.Address == "" && r.Text == "" && r.Model == "" && (r.Data == "" || r.Kind != "data")
}

// resultOf reads the output of a node, made of the input, which may be nil.
func (c Pages) resultOf(ctx context.Context, name string, kind query.NodeKind, output, input map[string]any) result {
	r := result{Name: name, Kind: kind.OutputType}
	if len(output) == 0 {
		return r
	}
	r.Data, r.Words = frame.ShownJSON(output), c.wordsOf(ctx, kind, output, input)
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
	if r.Model != "" {
		r.ModelURL = c.Config.PublicURL + r.Model
	}
	r.Note = pixelsOf(ctx, output)
	return r
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
func (c Pages) mainResults(ctx context.Context, e query.RunDetail, k nodeform.Kinds) []result {
	if e.Status != query.ExecutionStatusCompleted {
		return nil
	}
	all, names := map[string]result{}, nodeform.NodeNames(e.Nodes, k)
	types, inputs := make(map[string]string, len(e.Nodes)), make(map[string]map[string]any, len(e.Nodes))
	for _, n := range e.Nodes {
		types[n.Id], inputs[n.Id] = n.Type, n.Data
	}
	last := ""
	for _, s := range e.NodeStates {
		if s.Output == nil || s.Status != query.NodeStatusCompleted {
			continue
		}
		if r := c.resultOf(ctx, names[s.NodeId], k[types[s.NodeId]], *s.Output, inputs[s.NodeId]); !r.empty() {
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
