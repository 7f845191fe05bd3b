package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// Bounds of what a page shows of an output in words; all of it stands behind it as JSON.
const (
	maxOutputFacts   = 40
	maxOutputRows    = 60
	maxOutputColumns = 8
	maxOutputTables  = 6
	maxOutputFiles   = 24
	maxFaceBoxes     = 100
)

// outputWords is what an output holds beside its file or its text, in words.
type outputWords struct {
	Warnings []string
	// NotUnderstood are words of a request that the node could not place.
	NotUnderstood []string
	// Kept is the element that the pictures are kept with.
	Kept     *outputFile
	Pictures []outputFile
	Files    []outputFile
	Faces    *facesFound
	Tables   []outputTable
	Lists    []outputList
	Facts    []ui.Fact

	kinds    nodeform.Kinds // the one that the node is of
	nodeType string
}

// outputFile is a further file of an output.
type outputFile struct{ Label, Href, Note string }

// outputTable is a list of things with the same fields.
type outputTable struct {
	Title   string
	Columns []string
	Rows    [][]string
	More    int
}

// outputList is a list of texts.
type outputList struct {
	Title string
	Items []string
	More  int
}

// facesFound is where faces are in a picture, in its pixels.
type facesFound struct {
	Src           string // path of the picture, empty where it is not of this install
	Width, Height float64
	Boxes         []faceBox
}

type faceBox struct{ X, Y, Width, Height float64 }

// shownElsewhere are the parts of an output that stand above its words.
var shownElsewhere = []string{
	"url", "imageUrl", "videoUrl", "audioUrl", "resultUrl", "modelUrl", "stlUrl", "motionUrl", "text", "contentType", "width", "height", "warnings", "notUnderstood",
	"images", "faces", "scene", "data", "columns", "items", "provider",
}

// wordsOf reads an output of a kind of nodes, with the input that it was made of where that is known.
func (c Pages) wordsOf(ctx context.Context, kind query.NodeKind, output, input map[string]any) outputWords {
	w := outputWords{Warnings: textsIn(output["warnings"]), NotUnderstood: textsIn(output["notUnderstood"]), Pictures: c.picturesIn(ctx, output)}
	w.kinds, w.nodeType = nodeform.Kinds{kind.Type: kind}, kind.Type
	for i, warning := range w.Warnings {
		w.Warnings[i] = frame.FailureIn(ctx, warning, nodeform.NameInWords)
	}
	w.Faces = c.facesIn(output, input)
	if w.Faces == nil && output["faces"] != nil { // how many a recast found
		w.fact(ctx, "faces", output["faces"])
	}
	if data := output["data"]; data != nil {
		w.data(ctx, data, textsIn(output["columns"]))
	} else if items := output["items"]; items != nil {
		w.add(ctx, "items", items, nil)
	}
	for _, key := range frame.SortedKeys(output) {
		switch {
		case slices.Contains(shownElsewhere, key):
		case w.kept(ctx, key, output[key]):
		case key == "elements":
			w.elements(ctx, output[key])
		case key == "understood":
			w.add(ctx, key, countedWords(output[key]), nil)
		case strings.HasSuffix(key, "Url"):
			c.file(ctx, &w, key, output[key])
		default:
			w.add(ctx, key, output[key], nil)
		}
	}
	if provider, ok := output["provider"].(string); ok && provider != "local" {
		w.fact(ctx, "provider", provider)
	}
	return w
}

// textsIn are the texts of a list.
func textsIn(v any) (out []string) {
	list, _ := v.([]any)
	for _, one := range list {
		if s, ok := one.(string); ok && s != "" && len(out) < maxOutputFacts {
			out = append(out, s)
		}
	}
	return out
}

// countedWords writes words with their counts as texts, such as "pines (2)"; what has another form stays as it is.
func countedWords(v any) any {
	list, _ := v.([]any)
	out := make([]any, 0, len(list))
	for _, one := range list {
		counted, _ := one.(map[string]any)
		word, isText := counted["word"].(string)
		n, isNumber := counted["count"].(float64)
		if !isText || !isNumber {
			return v
		}
		if n > 1 {
			word += fmt.Sprintf(" (%.0f)", n)
		}
		out = append(out, word)
	}
	return out
}

// picturesIn are the pictures of an output that has several, such as views of a character.
func (c Pages) picturesIn(ctx context.Context, output map[string]any) (out []outputFile) {
	list, _ := output["images"].([]any)
	for _, one := range list {
		picture, _ := one.(map[string]any)
		if src := c.ownFile(picture["url"]); src != "" && len(out) < maxOutputFiles {
			role, _ := picture["role"].(string)
			out = append(out, outputFile{Label: frame.Brief(pictureWord(ctx, role)), Href: src, Note: pixelsOf(ctx, picture)})
		}
	}
	return out
}

// pixelsOf is a size in words, empty where there is none.
func pixelsOf(ctx context.Context, of map[string]any) string {
	w, wide := of["width"].(float64)
	h, high := of["height"].(float64)
	if !wide || !high {
		return ""
	}
	return t(ctx, "%s × %s pixels", locale.Amount(ctx, w), locale.Amount(ctx, h))
}

// facesIn are the boxes of faces in parts of the picture, as detect-faces finds them.
func (c Pages) facesIn(output, input map[string]any) *facesFound {
	list, ok := output["faces"].([]any)
	width, wide := output["width"].(float64)
	height, high := output["height"].(float64)
	if !ok || !wide || !high || !(width >= 1 && height >= 1 && width < 1e6 && height < 1e6) {
		return nil
	}
	f := &facesFound{Src: c.ownFile(input["imageUrl"]), Width: width, Height: height}
	for _, one := range list {
		box, _ := one.(map[string]any)
		at := [4]float64{}
		for i, key := range []string{"x", "y", "width", "height"} {
			part, _ := box[key].(float64)
			at[i] = max(0, min(1, part))
		}
		if len(f.Boxes) < maxFaceBoxes {
			f.Boxes = append(f.Boxes, faceBox{at[0] * width, at[1] * height, at[2] * width, at[3] * height})
		}
	}
	return f
}

// file adds a file that an output names.
func (c Pages) file(ctx context.Context, w *outputWords, key string, v any) {
	address, _ := v.(string)
	href, _ := c.MediaAddress(address)
	if href != "" && len(w.Files) < maxOutputFiles {
		w.Files = append(w.Files, outputFile{Label: frame.Brief(partName(ctx, strings.TrimSuffix(key, "Url"))), Href: href})
	}
}

// kept notes the element that a generator made.
func (w *outputWords) kept(ctx context.Context, key string, v any) bool {
	kind, named := strings.CutSuffix(key, "Id")
	id, _ := v.(string)
	if !named || kind == "face" || !slices.Contains(nodeform.Things[:5], nodeform.Thing(kind)) || !isID.MatchString(id) {
		return false
	}
	w.Kept = &outputFile{Label: openElement(ctx, kind), Href: shelfPath(kind) + "/" + id}
	return true
}

// elements says which things of the library were used, and how.
func (w *outputWords) elements(ctx context.Context, v any) {
	list, _ := v.([]any)
	for _, one := range list {
		used, _ := one.(map[string]any)
		id, _ := used["id"].(string)
		kind, _ := used["kind"].(string)
		how, _ := used["how"].(string)
		if kind == "" || len(w.Facts) >= maxOutputFacts {
			continue
		}
		if word := howUsed[how]; word != "" {
			how = t(ctx, word)
		}
		f := ui.Fact{Name: frame.Brief(elementWord(ctx, kind)), Value: frame.Brief(how)}
		if isID.MatchString(id) && slices.Contains(nodeform.Things[:5], nodeform.Thing(kind)) {
			f.Href = shelfPath(kind) + "/" + id
		}
		w.Facts = append(w.Facts, f)
	}
}

// partNames are the parts of outputs whose names are the same in every node; what else there is is named by its key.
var partNames = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range []string{
		markc("output", "Action"), markc("output", "Adjustments"), markc("output", "Attributes"), markc("output", "Camera"), markc("output", "Captions"),
		markc("output", "Complete"), markc("output", "Consent"), markc("output", "Count"), markc("output", "Covered"), markc("output", "Dialogue"),
		markc("output", "Distance"), markc("output", "Elevation"), markc("output", "Faces"), markc("output", "Frame rate"), markc("output", "Frames"),
		markc("output", "From"), markc("output", "Kind"), markc("output", "Label"), markc("output", "Language"), markc("output", "Learned"),
		markc("output", "Look"), markc("output", "Method"), markc("output", "Missing"), markc("output", "Mode"), markc("output", "Model"),
		markc("output", "Multiple"), markc("output", "Name"), markc("output", "Names"), markc("output", "Negative prompt"), markc("output", "Objects"),
		markc("output", "Options"), markc("output", "Palette"), markc("output", "Part"), markc("output", "Parts"), markc("output", "Place"),
		markc("output", "Prompt"), markc("output", "Provider"), markc("output", "Question"), markc("output", "Questions"), markc("output", "Renderer"),
		markc("output", "Role"), markc("output", "Seconds"), markc("output", "Seed"), markc("output", "Settings"), markc("output", "Shots"),
		markc("output", "Slot values"), markc("output", "Speaker"), markc("output", "Status"), markc("output", "Style"), markc("output", "Target"),
		markc("output", "Time"), markc("output", "Title"), markc("output", "Triangles"), markc("output", "Trigger word"), markc("output", "Understood"),
		markc("output", "Used"), markc("output", "Value"), markc("output", "Version"), markc("output", "Voice"),
	} {
		known[name] = true
	}
	return known
}()

// partName is what a part of an output is called.
func partName(ctx context.Context, key string) string {
	name := nodeform.NameInWords(key)
	if partNames[name] {
		return tc(ctx, "output", name)
	}
	return name
}

// elementWord is a kind of things in the library.
func elementWord(ctx context.Context, kind string) string {
	switch kind {
	case "character":
		return t(ctx, "Character")
	case "creature":
		return t(ctx, "Creature")
	case "object":
		return t(ctx, "Object")
	case "location":
		return t(ctx, "Location")
	case "face":
		return t(ctx, "Face")
	}
	return nodeform.NameInWords(kind)
}

// openElement leads to a thing in the library.
func openElement(ctx context.Context, kind string) string {
	switch kind {
	case "character":
		return t(ctx, "Open the character")
	case "creature":
		return t(ctx, "Open the creature")
	case "location":
		return t(ctx, "Open the location")
	}
	return t(ctx, "Open the object")
}

// pictureWord is what one of several pictures shows.
func pictureWord(ctx context.Context, role string) string {
	switch role {
	case "":
		return t(ctx, "Picture")
	case "reference":
		return frame.SentenceCase(tc(ctx, "picture", "reference"))
	case "portrait":
		return frame.SentenceCase(tc(ctx, "picture", "portrait"))
	case "front":
		return frame.SentenceCase(tc(ctx, "picture", "front"))
	case "side":
		return frame.SentenceCase(tc(ctx, "picture", "side"))
	case "back":
		return frame.SentenceCase(tc(ctx, "picture", "back"))
	case "sheet":
		return frame.SentenceCase(tc(ctx, "picture", "sheet"))
	case "expression":
		return frame.SentenceCase(tc(ctx, "picture", "expression"))
	case "variation":
		return frame.SentenceCase(tc(ctx, "picture", "variation"))
	}
	return nodeform.NameInWords(role)
}

var howUsed = map[string]string{
	"trained": mark("By its trained model"), "pictures": mark("By its pictures"), "drawn": mark("Drawn by this server"), "words": mark("By its words alone"),
}

// shelfPath is the list of a kind of elements.
func shelfPath(kind string) string { return "/library/" + kind + "s" }

// data shows what a node yields as data; the parts of an object one by one.
func (w *outputWords) data(ctx context.Context, v any, columns []string) {
	if object, ok := v.(map[string]any); ok {
		for _, key := range orderedKeys(object) {
			w.add(ctx, key, object[key], nil)
		}
		return
	}
	w.add(ctx, "data", v, columns)
}

// add shows a value by its form: a fact, a list of texts, or a table.
func (w *outputWords) add(ctx context.Context, key string, v any, columns []string) {
	switch v := v.(type) {
	case nil:
	case []any:
		w.list(ctx, key, v, columns)
	case map[string]any:
		for _, inner := range orderedKeys(v) {
			if text, ok := plain(ctx, v[inner]); ok {
				w.named(t(ctx, "%s: %s", partName(ctx, key), partName(ctx, inner)), text)
			}
		}
	default:
		w.fact(ctx, key, v)
	}
}

func (w *outputWords) fact(ctx context.Context, key string, v any) {
	switch n, isNumber := v.(float64); {
	case isNumber && (key == "duration" || key == "seconds"):
		w.named(t(ctx, "Length"), t(ctx, "%s seconds", locale.Amount(ctx, n)))
		return
	case isNumber && key == "size":
		w.named(t(ctx, "Size"), locale.Bytes(ctx, int64(n)))
		return
	}
	if text, ok := v.(string); ok && text != "" {
		w.named(partName(ctx, key), w.called(ctx, key, text))
	} else if text, ok := plain(ctx, v); ok {
		w.named(partName(ctx, key), text)
	}
}

// valueWords are values that are words, by the part of an output that has them.
var valueWords = map[string][]string{
	"style": {
		markc("value of style", "hills"), markc("value of style", "sea"), markc("value of style", "skyline"), markc("value of style", "nebula"),
		markc("value of style", "blossoms"), markc("value of style", "flow"), markc("value of style", "mosaic"), markc("value of style", "bokeh"),
		markc("value of style", "marble"), markc("value of style", "forms"), markc("value of style", "place"),
	},
	"look": {
		markc("value of look", "watercolour"), markc("value of look", "paper-cut"), markc("value of look", "blueprint"), markc("value of look", "pixel"),
		markc("value of look", "comic"), markc("value of look", "chalk"), markc("value of look", "isometric"), markc("value of look", "oil"),
		markc("value of look", "ink"), markc("value of look", "storybook"), markc("value of look", "poster"), markc("value of look", "photo"),
	},
	"method": {markc("value of method", "extractive")},
}

// called is what a value of an output is called: by the word of the setting of the same name, or by its own.
func (w *outputWords) called(ctx context.Context, key, value string) string {
	if key == "provider" {
		return frame.ProviderNamed(ctx, value)
	}
	if slices.Contains(valueWords[key], value) {
		if word := locale.Word(ctx, "value of "+key, value); word != value {
			return frame.SentenceCase(word)
		}
		return nodeform.NameInWords(value)
	}
	_, text := w.kinds.Setting(ctx, w.nodeType, key, value)
	return text
}

func (w *outputWords) named(name, value string) {
	if len(w.Facts) < maxOutputFacts {
		w.Facts = append(w.Facts, ui.Fact{Name: frame.Brief(name), Value: ui.Short(value, frame.MaxOfValue)})
	}
}

func (w *outputWords) list(ctx context.Context, key string, list []any, columns []string) {
	if len(list) == 0 {
		return
	}
	if _, isTable := list[0].(map[string]any); isTable {
		w.table(ctx, key, list, columns)
		return
	}
	var items []string
	for _, one := range list {
		if text, ok := plain(ctx, one); ok {
			items = append(items, ui.Short(text, frame.MaxOfValue))
		}
		if len(items) == maxOutputRows {
			break
		}
	}
	switch {
	case len(items) == 0 || len(w.Lists) == maxOutputTables:
	case len(list) <= 8 && len(strings.Join(items, ", ")) <= 200:
		w.named(partName(ctx, key), strings.Join(items, ", "))
	default:
		w.Lists = append(w.Lists, outputList{Title: listTitle(ctx, key), Items: items, More: len(list) - len(items)})
	}
}

func (w *outputWords) table(ctx context.Context, key string, list []any, columns []string) {
	if len(w.Tables) == maxOutputTables {
		return
	}
	if len(columns) == 0 {
		columns = columnsOf(ctx, list)
	}
	columns = columns[:min(len(columns), maxOutputColumns)]
	out := outputTable{Title: listTitle(ctx, key)}
	for _, c := range columns {
		out.Columns = append(out.Columns, frame.Brief(partName(ctx, c)))
	}
	for i, one := range list {
		if i == maxOutputRows {
			out.More = len(list) - i
			break
		}
		object, _ := one.(map[string]any)
		row := make([]string, len(columns))
		for j, c := range columns {
			if row[j] = "—"; object[c] != nil {
				if text, ok := plain(ctx, object[c]); ok {
					row[j] = ui.Short(text, frame.MaxOfValue)
				}
			}
		}
		out.Rows = append(out.Rows, row)
	}
	if len(columns) > 0 {
		w.Tables = append(w.Tables, out)
	}
}

// listTitle names a list; what is called data is what the node found.
func listTitle(ctx context.Context, key string) string {
	if key == "data" || key == "items" {
		return t(ctx, "What came out")
	}
	return frame.Brief(partName(ctx, key))
}

// columnsOf are the fields of the first rows that have a plain value.
func columnsOf(ctx context.Context, list []any) []string {
	seen := map[string]any{}
	for _, one := range list[:min(len(list), 10)] {
		object, _ := one.(map[string]any)
		for key, v := range object {
			if _, ok := plain(ctx, v); ok && len(seen) < 4*maxOutputColumns {
				seen[key] = v
			}
		}
	}
	return orderedKeys(seen)
}

// firstKeys come first, in this order: what names a thing, then what is said of it.
var firstKeys = []string{"shots", "title", "name", "label", "part", "question", "role", "place", "time", "speaker", "action", "dialogue", "value", "kind", "count", "seconds", "from"}

// orderedKeys are the keys of an object as people read them.
func orderedKeys(object map[string]any) []string {
	rank := func(key string) int {
		if i := slices.Index(firstKeys, key); i >= 0 {
			return i
		}
		return len(firstKeys)
	}
	keys := frame.SortedKeys(object)
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

// plain is a value of one line as text; false for lists of things and objects.
func plain(ctx context.Context, v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case bool:
		if v {
			return t(ctx, "Yes"), true
		}
		return t(ctx, "No"), true
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64), true
		}
		return strconv.FormatFloat(v, 'g', 6, 64), true
	case json.Number:
		return v.String(), true
	case []any:
		var parts []string
		for _, one := range v[:min(len(v), 12)] {
			if _, deep := one.([]any); deep {
				return "", false
			}
			text, ok := plain(ctx, one)
			if !ok {
				return "", false
			}
			parts = append(parts, ui.Short(text, 100))
		}
		return strings.Join(parts, ", "), len(parts) > 0
	}
	return "", false
}
