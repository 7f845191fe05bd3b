package lottie

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// ErrTooMuchText says that the texts of a document have too many letters.
var ErrTooMuchText = errors.New("the animation has too much text")

// The kinds of layers, as Lottie numbers them. Others are cameras, sounds and
// videos.
const (
	compositionLayer = 0
	solidLayer       = 1
	imageLayer       = 2
	nullLayer        = 3
	shapeLayer       = 4
	textLayer        = 5
)

// document is one that is being prepared.
type document struct {
	root     map[string]any
	slots    map[string]any
	sizes    map[string]int        // of the slots that were asked for
	filled   int                   // bytes of values of slots
	pictures map[string][2]float64 // ids and sizes of those that stay
	framed   map[string]bool       // pictures that have a composition of their own
	letters  letters
	warnings map[string]bool
}

// What cannot be drawn, in words for people.
const (
	noFiles       = "Pictures that lie in files of their own are not shown: only those inside the animation are."
	noExpressions = "Expressions are not followed: properties keep the values that stand beside them."
	noEffects     = "Effects are not drawn, and paths that are merged are drawn apart."
	noAnimators   = "Letters that move one by one, and text on a path, are drawn as plain text."
)

// Prepare makes a Lottie document one that can be drawn: values of slots stand
// in their places, texts are outlines of letters, and nothing leads to files. The
// document is JSON of bounded depth. Warnings say in sentences what will be missing. It returns
// ErrUnreadable, or ErrTooMuchText.
func Prepare(raw []byte) (prepared []byte, warnings []string, err error) {
	d := &document{sizes: map[string]int{}, pictures: map[string][2]float64{}, framed: map[string]bool{}, warnings: map[string]bool{}}
	if err := json.Unmarshal(raw, &d.root); err != nil || d.root == nil {
		return nil, nil, ErrUnreadable
	}
	d.slots = object(d.root["slots"])
	d.letters.read(d.root)
	for _, unused := range []string{"slots", "fonts", "chars", "markers", "meta", "metadata"} {
		delete(d.root, unused)
	}
	d.root["assets"] = d.assets()
	if d.settle(d.root); d.filled > MaxDocument {
		return nil, nil, ErrUnreadable
	}
	assets := list(d.root["assets"])
	for _, holder := range append([]any{d.root}, assets...) {
		if fields := object(holder); fields["layers"] != nil {
			fields["layers"] = d.layers(list(fields["layers"]))
		}
	}
	for id := range d.framed {
		assets = append(assets, framedPicture(id))
	}
	d.root["assets"] = assets
	if d.letters.tooMany() {
		return nil, nil, ErrTooMuchText
	}
	for _, warning := range d.letters.warnings() {
		d.warnings[warning] = true
	}
	whole(d.root, "w", "h")
	if _, ok := d.root["v"].(string); !ok {
		d.root["v"] = "5.7.0"
	}
	var b bytes.Buffer
	if err := encode(&b, d.root); err != nil || b.Len() > MaxDocument {
		return nil, nil, ErrUnreadable
	}
	return b.Bytes(), slices.Sorted(maps.Keys(d.warnings)), nil
}

// assets are the compositions, and the pictures that the document itself holds.
func (d *document) assets() []any {
	kept := []any{}
	for _, asset := range list(d.root["assets"]) {
		fields := object(asset)
		id, _ := fields["id"].(string)
		if _, ok := fields["layers"].([]any); ok {
			kept = append(kept, map[string]any{"id": id, "layers": fields["layers"]})
			continue
		}
		if data, _ := fields["p"].(string); isPicture(data) {
			d.pictures[id] = [2]float64{number(fields["w"]), number(fields["h"])}
			kept = append(kept, map[string]any{"id": id, "w": fields["w"], "h": fields["h"], "u": "", "p": data, "e": 1})
		}
	}
	return kept
}

// isPicture tells whether an address holds a picture itself.
func isPicture(address string) bool {
	for _, start := range []string{"data:image/png;base64,", "data:image/jpeg;base64,", "data:image/jpg;base64,"} {
		if strings.HasPrefix(address, start) {
			return true
		}
	}
	return false
}

// settle puts values of slots into their places, and takes expressions away. A
// value that stands in many places counts in each.
func (d *document) settle(at any) {
	switch v := at.(type) {
	case []any:
		for _, item := range v {
			d.settle(item)
		}
	case map[string]any:
		if _, ok := v["x"].(string); ok && v["k"] != nil {
			delete(v, "x")
			d.warnings[noExpressions] = true
		}
		if v["ty"] == "mm" || v["ks"] != nil && len(list(v["ef"])) > 0 {
			d.warnings[noEffects] = true
		}
		if name, ok := v["sid"].(string); ok && d.slots[name] != nil && d.filled <= MaxDocument {
			d.filled += d.size(name)
			maps.Copy(v, object(object(d.slots[name])["p"]))
			return // the value itself names no slots
		}
		for _, item := range v {
			d.settle(item)
		}
	}
}

// size is how many bytes the value of a slot has.
func (d *document) size(name string) int {
	if size, ok := d.sizes[name]; ok {
		return size
	}
	raw, _ := json.Marshal(d.slots[name])
	d.sizes[name] = len(raw)
	return len(raw)
}

// layers prepares those of the document or of a composition.
func (d *document) layers(all []any) []any {
	all = neighbours(all)
	for _, layer := range all {
		fields := object(layer)
		d.prepareLayer(fields)
		if matted(fields) {
			d.paintTwice(fields)
		}
	}
	return all
}

// prepareLayer makes a layer one that the library draws. What cannot be drawn
// stays as a layer of nothing, for others may hang on it.
func (d *document) prepareLayer(layer map[string]any) {
	if layer["ddd"] == nil {
		layer["ddd"] = 0 // which the library takes for 1
	}
	whole(layer, "ty", "ddd", "ind", "parent", "w", "h", "sw", "sh", "ao")
	kind, id := number(layer["ty"]), ""
	switch {
	case kind == textLayer:
		d.outline(layer)
	case kind == imageLayer:
		id, _ = layer["refId"].(string)
		if _, ok := d.pictures[id]; !ok {
			layer["ty"] = nullLayer
			d.warnings[noFiles] = true
		}
	case kind < 0 || kind > textLayer:
		layer["ty"] = nullLayer
	}
}

// object, list and number read what may be anything.
func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any            { l, _ := v.([]any); return l }
func number(v any) float64        { n, _ := v.(float64); return n }
