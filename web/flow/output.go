package flow

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
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

// wordsOf reads an output, with the input that it was made of where that is known.
func (c Pages) wordsOf(output, input map[string]any) outputWords {
	w := outputWords{Warnings: textsIn(output["warnings"]), NotUnderstood: textsIn(output["notUnderstood"]), Pictures: c.picturesIn(output)}
	w.Faces = c.facesIn(output, input)
	if w.Faces == nil && output["faces"] != nil { // how many a recast found
		w.fact("faces", output["faces"])
	}
	if data := output["data"]; data != nil {
		w.data(data, textsIn(output["columns"]))
	} else if items := output["items"]; items != nil {
		w.add("items", items, nil)
	}
	for _, key := range frame.SortedKeys(output) {
		switch {
		case slices.Contains(shownElsewhere, key):
		case w.kept(key, output[key]):
		case key == "elements":
			w.elements(output[key])
		case key == "understood":
			w.add(key, countedWords(output[key]), nil)
		case strings.HasSuffix(key, "Url"):
			c.file(&w, key, output[key])
		default:
			w.add(key, output[key], nil)
		}
	}
	if provider, ok := output["provider"].(string); ok && provider != "local" {
		w.fact("provider", provider)
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
func (c Pages) picturesIn(output map[string]any) (out []outputFile) {
	list, _ := output["images"].([]any)
	for _, one := range list {
		picture, _ := one.(map[string]any)
		if src := c.ownFile(picture["url"]); src != "" && len(out) < maxOutputFiles {
			role, _ := picture["role"].(string)
			out = append(out, outputFile{Label: frame.Brief(frame.Or(nodeform.NameInWords(role), "Picture")), Href: src, Note: pixelsOf(picture)})
		}
	}
	return out
}

// pixelsOf is a size in words, empty where there is none.
func pixelsOf(of map[string]any) string {
	w, wide := of["width"].(float64)
	h, high := of["height"].(float64)
	if !wide || !high {
		return ""
	}
	return ui.Amount(w) + " × " + ui.Amount(h) + " pixels"
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
func (c Pages) file(w *outputWords, key string, v any) {
	address, _ := v.(string)
	href, _ := c.MediaAddress(address)
	if href != "" && len(w.Files) < maxOutputFiles {
		w.Files = append(w.Files, outputFile{Label: frame.Brief(nodeform.NameInWords(strings.TrimSuffix(key, "Url"))), Href: href})
	}
}

// kept notes the element that a generator made.
func (w *outputWords) kept(key string, v any) bool {
	kind, named := strings.CutSuffix(key, "Id")
	id, _ := v.(string)
	if !named || kind == "face" || !slices.Contains(nodeform.Things[:5], nodeform.Thing(kind)) || !isID.MatchString(id) {
		return false
	}
	w.Kept = &outputFile{Label: "Open the " + kind, Href: shelfPath(kind) + "/" + id}
	return true
}

// elements says which things of the library were used, and how.
func (w *outputWords) elements(v any) {
	list, _ := v.([]any)
	for _, one := range list {
		used, _ := one.(map[string]any)
		id, _ := used["id"].(string)
		kind, _ := used["kind"].(string)
		how, _ := used["how"].(string)
		if kind == "" || len(w.Facts) >= maxOutputFacts {
			continue
		}
		f := ui.Fact{Name: frame.Brief(nodeform.NameInWords(kind)), Value: frame.Brief(frame.Or(howUsed[how], how))}
		if isID.MatchString(id) && slices.Contains(nodeform.Things[:5], nodeform.Thing(kind)) {
			f.Href = shelfPath(kind) + "/" + id
		}
		w.Facts = append(w.Facts, f)
	}
}

var howUsed = map[string]string{
	"trained": "By its trained model", "pictures": "By its pictures", "drawn": "Drawn by this server", "words": "By its words alone",
}

// shelfPath is the list of a kind of elements.
func shelfPath(kind string) string { return "/library/" + kind + "s" }

// data shows what a node yields as data; the parts of an object one by one.
func (w *outputWords) data(v any, columns []string) {
	if object, ok := v.(map[string]any); ok {
		for _, key := range orderedKeys(object) {
			w.add(key, object[key], nil)
		}
		return
	}
	w.add("data", v, columns)
}

// add shows a value by its form: a fact, a list of texts, or a table.
func (w *outputWords) add(key string, v any, columns []string) {
	switch v := v.(type) {
	case nil:
	case []any:
		w.list(key, v, columns)
	case map[string]any:
		for _, inner := range orderedKeys(v) {
			if text, ok := plain(v[inner]); ok {
				w.named(nodeform.NameInWords(key)+": "+nodeform.NameInWords(inner), text)
			}
		}
	default:
		w.fact(key, v)
	}
}

func (w *outputWords) fact(key string, v any) {
	switch n, isNumber := v.(float64); {
	case isNumber && (key == "duration" || key == "seconds"):
		w.named("Length", ui.Amount(n)+" seconds")
		return
	case isNumber && key == "size":
		w.named("Size", ui.Bytes(int64(n)))
		return
	}
	if text, ok := plain(v); ok {
		w.named(nodeform.NameInWords(key), text)
	}
}

func (w *outputWords) named(name, value string) {
	if len(w.Facts) < maxOutputFacts {
		w.Facts = append(w.Facts, ui.Fact{Name: frame.Brief(name), Value: ui.Short(value, frame.MaxOfValue)})
	}
}

func (w *outputWords) list(key string, list []any, columns []string) {
	if len(list) == 0 {
		return
	}
	if _, isTable := list[0].(map[string]any); isTable {
		w.table(key, list, columns)
		return
	}
	var items []string
	for _, one := range list {
		if text, ok := plain(one); ok {
			items = append(items, ui.Short(text, frame.MaxOfValue))
		}
		if len(items) == maxOutputRows {
			break
		}
	}
	switch {
	case len(items) == 0 || len(w.Lists) == maxOutputTables:
	case len(list) <= 8 && len(strings.Join(items, ", ")) <= 200:
		w.named(nodeform.NameInWords(key), strings.Join(items, ", "))
	default:
		w.Lists = append(w.Lists, outputList{Title: listTitle(key), Items: items, More: len(list) - len(items)})
	}
}

func (w *outputWords) table(key string, list []any, columns []string) {
	if len(w.Tables) == maxOutputTables {
		return
	}
	if len(columns) == 0 {
		columns = columnsOf(list)
	}
	columns = columns[:min(len(columns), maxOutputColumns)]
	t := outputTable{Title: listTitle(key)}
	for _, c := range columns {
		t.Columns = append(t.Columns, frame.Brief(nodeform.NameInWords(c)))
	}
	for i, one := range list {
		if i == maxOutputRows {
			t.More = len(list) - i
			break
		}
		object, _ := one.(map[string]any)
		row := make([]string, len(columns))
		for j, c := range columns {
			if row[j] = "—"; object[c] != nil {
				if text, ok := plain(object[c]); ok {
					row[j] = ui.Short(text, frame.MaxOfValue)
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if len(columns) > 0 {
		w.Tables = append(w.Tables, t)
	}
}

// listTitle names a list; what is called data is what the node found.
func listTitle(key string) string {
	if key == "data" || key == "items" {
		return "What came out"
	}
	return frame.Brief(nodeform.NameInWords(key))
}

// columnsOf are the fields of the first rows that have a plain value.
func columnsOf(list []any) []string {
	seen := map[string]any{}
	for _, one := range list[:min(len(list), 10)] {
		object, _ := one.(map[string]any)
		for key, v := range object {
			if _, ok := plain(v); ok && len(seen) < 4*maxOutputColumns {
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
func plain(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case bool:
		if v {
			return "Yes", true
		}
		return "No", true
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
			text, ok := plain(one)
			if !ok {
				return "", false
			}
			parts = append(parts, ui.Short(text, 100))
		}
		return strings.Join(parts, ", "), len(parts) > 0
	}
	return "", false
}
