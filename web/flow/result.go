package flow

import (
	"net/http"
	"strings"

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
	// Note says more: "1024 × 1024".
	Note string
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
			r.Address, r.Embedded = c.mediaAddress(s)
		}
		break
	}
	if r.Address == "" && (r.Kind == "image" || r.Kind == "video" || r.Kind == "audio") {
		r.Kind = "data"
	}
	if w, ok := output["width"].(float64); ok {
		if h, ok := output["height"].(float64); ok {
			r.Note = ui.Amount(w) + " × " + ui.Amount(h) + " pixels"
		}
	}
	return r
}

// mediaAddress is the address of a file for a page. Files of this install are shown by their path; what is
// elsewhere is linked, for the content security policy shows nothing of other sites. An address that is neither
// http nor https is none.
func (c Pages) mediaAddress(address string) (href string, embedded bool) {
	if path, ok := strings.CutPrefix(address, c.Config.PublicURL); ok {
		address = path
	}
	if strings.HasPrefix(address, "/media/") && frame.SafePath(address) != "" {
		return address, true
	}
	if isWebAddress(address) {
		return address, false
	}
	return "", false
}

// ownMedia is the path of a file of this install, else "".
func (c Pages) ownMedia(address *string) string {
	if address == nil {
		return ""
	}
	if href, ok := c.mediaAddress(*address); ok {
		return href
	}
	return ""
}

// allowMedia lets a page play video and audio of this install.
func allowMedia(w http.ResponseWriter) {
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "media-src") {
		w.Header().Set("Content-Security-Policy", policy+"; media-src 'self'")
	}
}

// mainResults is what a run of an app is about: the output of the thumbnail node; without one the output of the
// last node, or every output that is not empty (contract 1, "Published app endpoints", rule 5).
func (c Pages) mainResults(thumbnail *string, e query.RunDetail, k kinds) []result {
	all, names := map[string]result{}, nodeNames(e.Nodes, k)
	types := make(map[string]string, len(e.Nodes))
	for _, n := range e.Nodes {
		types[n.Id] = n.Type
	}
	for _, s := range e.NodeStates {
		if s.Output != nil && s.Status == query.NodeStatusCompleted {
			all[s.NodeId] = c.resultOf(names[s.NodeId], k[types[s.NodeId]].OutputType, *s.Output)
		}
	}
	chosen := ""
	if thumbnail != nil {
		chosen = *thumbnail
	} else if len(e.Nodes) > 0 {
		chosen = e.Nodes[len(e.Nodes)-1].Id
	}
	if r, ok := all[chosen]; ok && !r.empty() {
		return []result{r}
	}
	if thumbnail != nil {
		return nil
	}
	var out []result
	for _, n := range e.Nodes {
		if r, ok := all[n.Id]; ok && !r.empty() {
			out = append(out, r)
		}
	}
	return out
}
