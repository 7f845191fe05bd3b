package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

const (
	// maxFile is the largest file of a workflow that is read, in bytes.
	maxFile = 16 << 20
	// deepest is how far values of a file may lie within each other, and maxValues how many there may be.
	deepest, maxValues = 64, 250_000
)

// workflow is a workflow as a file and the service have it: what it is called, its nodes and its edges.
type workflow struct {
	ID      string
	Version int
	// Values are name, description, nodes and edges, as JSON has them.
	Values map[string]any
}

// contentKeys are what a workflow consists of, in the order of its file.
var contentKeys = []string{"name", "description", "nodes", "edges"}

// workflowFile is a file with its comments. An empty path is a file that is yet to be.
type workflowFile struct {
	path string
	root *yaml.Node
	workflow
	// synced is the mark of what file and service both had, empty when that is not known.
	synced string
}

// readWorkflow reads a file.
func readWorkflow(path string) (*workflowFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxFile)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parseWorkflow(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.path = path
	return f, nil
}

func parseWorkflow(content []byte) (*workflowFile, error) {
	f := &workflowFile{root: &yaml.Node{}}
	if err := yaml.Unmarshal(content, f.root); err != nil {
		return nil, err
	}
	if len(f.root.Content) != 1 || f.root.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("not a workflow: a file has id, name, nodes and edges")
	}
	left := maxValues
	read, err := valueOf(f.root.Content[0], 0, &left)
	if err != nil {
		return nil, err
	}
	values := read.(map[string]any)
	f.ID, _ = values["id"].(string)
	if version, ok := values["version"].(json.Number); ok {
		f.Version, _ = strconv.Atoi(string(version))
	}
	f.Values = map[string]any{"description": "", "nodes": []any{}, "edges": []any{}}
	for key, value := range values {
		switch {
		case slices.Contains(contentKeys, key):
			if value != nil {
				f.Values[key] = value
			}
		case key != "id" && key != "version":
			return nil, fmt.Errorf("%q is not a part of a workflow: id, version, name, description, nodes, edges", key)
		}
	}
	if name, ok := f.Values["name"].(string); !ok || name == "" {
		return nil, errors.New("the workflow has no name")
	}
	if version := child(f.root.Content[0], "version"); version != nil {
		f.synced, _ = strings.CutPrefix(version.LineComment, syncedComment)
	}
	return f, nil
}

// syncedComment follows the version, before the mark of what file and service both had.
const syncedComment = "# as pulled: "

// mark tells contents apart.
func (w *workflow) mark() string {
	sum := sha256.Sum256(canonical(w.Values))
	return hex.EncodeToString(sum[:6])
}

// same tells whether two workflows have the same content.
func (w *workflow) same(other *workflow) bool {
	return bytes.Equal(canonical(w.Values), canonical(other.Values))
}

// canonical is a value as JSON, equal for equal values: keys in order, a number in one notation.
func canonical(value any) []byte {
	content, _ := json.Marshal(plain(value))
	return content
}

func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = plain(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = plain(inner)
		}
		return out
	case json.Number:
		if number, ok := new(big.Rat).SetString(string(v)); ok && len(v) < 400 && !strings.ContainsAny(string(v), "eE") {
			return number.RatString()
		}
		f, _ := v.Float64()
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return value
}

// take writes the service's state into the file: only what differs changes, so comments and notation stay.
func (f *workflowFile) take(from *workflow) {
	f.workflow = *from
	f.synced = from.mark()
	values := maps.Clone(from.Values)
	values["id"], values["version"] = from.ID, json.Number(strconv.Itoa(from.Version))
	if f.root == nil {
		f.root = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	f.root.Content[0] = merged(f.root.Content[0], values, "")
	// What an anchor names may have changed with it, which an alias elsewhere would say too: then the file is written without
	// its comments and notation.
	if content, err := f.bytes(); err == nil {
		if again, err := parseWorkflow(content); err != nil || !again.same(from) {
			f.root.Content[0] = merged(nil, values, "")
		}
	}
	child(f.root.Content[0], "version").LineComment = syncedComment + f.synced
}

// bytes is the file's content.
func (f *workflowFile) bytes() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(f.root), e.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// write replaces the file, if anything is different.
func (f *workflowFile) write() error {
	content, err := f.bytes()
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(f.path); err == nil {
		mode = info.Mode().Perm()
		if had, err := os.ReadFile(f.path); err == nil && bytes.Equal(had, content) {
			return nil
		}
	}
	return replaceFile(f.path, mode, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// filesIn are the workflows of a folder, by their ids. Other YAML files are passed over; of those that are meant as
// workflows and cannot be read, the problems say so.
func filesIn(folder string) (files map[string]*workflowFile, problems []error, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]*workflowFile{}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	files = map[string]*workflowFile{}
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); entry.IsDir() || ext != ".yaml" && ext != ".yml" {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		f, err := readWorkflow(path)
		if err != nil && meantAsWorkflow(path) {
			problems = append(problems, fmt.Errorf("passed over: %w", err))
		}
		if err != nil || f.ID == "" {
			continue
		}
		if before := files[f.ID]; before != nil {
			return nil, nil, fmt.Errorf("%s and %s are the same workflow", before.path, f.path)
		}
		files[f.ID] = f
	}
	return files, problems, nil
}

// meantAsWorkflow tells of a file that could not be read as a workflow whether it looks like one: a line begins with
// nodes. A file that cannot be opened may be one.
func meantAsWorkflow(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxFile))
	return err != nil || bytes.HasPrefix(content, []byte("nodes:")) || bytes.Contains(content, []byte("\nnodes:"))
}

// pathFor is a name for a new file that no other file of the folder has.
func pathFor(folder, name string) string {
	base := strings.ToLower(fileName(strings.Join(strings.Fields(name), "-")))
	path := filepath.Join(folder, base+".yaml")
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path
		}
		path = filepath.Join(folder, fmt.Sprintf("%s-%d.yaml", base, n))
	}
}

// valueOf reads a value as JSON has it. What YAML takes for a date is the text that was written.
func valueOf(n *yaml.Node, depth int, left *int) (any, error) {
	if *left--; *left < 0 || depth > deepest {
		return nil, fmt.Errorf("line %d: too many values, or too far within each other", n.Line)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return valueOf(n.Alias, depth+1, left)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			value, err := valueOf(item, depth+1, left)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("line %d: a name is a text", key.Line)
			}
			if _, twice := object[key.Value]; twice {
				return nil, fmt.Errorf("line %d: %q is there twice", key.Line, key.Value)
			}
			value, err := valueOf(n.Content[i+1], depth+1, left)
			if err != nil {
				return nil, err
			}
			object[key.Value] = value
		}
		return object, nil
	}
	return scalarOf(n)
}

func scalarOf(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var value bool
		err := n.Decode(&value)
		return value, err
	case "!!int":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
		var value int64 // 0x10, +1, 1_000
		if err := n.Decode(&value); err != nil {
			return nil, fmt.Errorf("line %d: %w", n.Line, err)
		}
		return json.Number(strconv.FormatInt(value, 10)), nil
	case "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
		var value float64
		if err := n.Decode(&value); err != nil {
			return nil, fmt.Errorf("line %d: %w", n.Line, err)
		}
		content, err := json.Marshal(value) // not for infinity
		return json.Number(content), err
	}
	return n.Value, nil
}

// child is the value of a key.
func child(object *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(object.Content); i += 2 {
		if object.Content[i].Value == key {
			return object.Content[i+1]
		}
	}
	return nil
}

// order is the order of keys in a file; others follow by the alphabet.
var order = map[string][]string{
	"":                 append([]string{"id", "version"}, contentKeys...),
	"nodes[]":          {"id", "type", "parentId", "position", "data"},
	"edges[]":          {"id", "source", "sourceHandle", "target", "targetHandle"},
	"nodes[].position": {"x", "y"},
}

// merged is a value in the place of a node: the node itself where it says the same, and as much of it as stays.
func merged(old *yaml.Node, value any, at string) *yaml.Node {
	if old != nil {
		left := maxValues
		if had, err := valueOf(old, 0, &left); err == nil && bytes.Equal(canonical(had), canonical(value)) {
			return old
		}
	}
	switch v := value.(type) {
	case map[string]any:
		if old == nil || old.Kind != yaml.MappingNode {
			return commented(old, newObject(v, at))
		}
		return mergedObject(old, v, at)
	case []any:
		if old == nil || old.Kind != yaml.SequenceNode {
			return commented(old, newList(v, at))
		}
		return mergedList(old, v, at)
	}
	next := newScalar(value)
	if _, text := value.(string); text && next.Style == 0 && old != nil && old.Kind == yaml.ScalarNode && old.ShortTag() == "!!str" {
		next.Style = old.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle)
	}
	return commented(old, next)
}

// commented gives a node the comments of the one before it.
func commented(old, next *yaml.Node) *yaml.Node {
	if old != nil {
		next.HeadComment, next.LineComment, next.FootComment = old.HeadComment, old.LineComment, old.FootComment
	}
	return next
}

func within(at, key string) string {
	if at == "" || strings.HasSuffix(at, "[]") && key == "position" {
		return strings.TrimPrefix(at+"."+key, ".")
	}
	return "data" // of a node, where names are free
}

func mergedObject(old *yaml.Node, value map[string]any, at string) *yaml.Node {
	next := *old
	next.Content = nil
	seen := map[string]bool{}
	for i := 0; i+1 < len(old.Content); i += 2 {
		key := old.Content[i]
		if inner, there := value[key.Value]; there {
			next.Content = append(next.Content, key, merged(old.Content[i+1], inner, within(at, key.Value)))
			seen[key.Value] = true
		}
	}
	for _, key := range keysOf(value, at) {
		if !seen[key] {
			next.Content = append(next.Content, newScalar(key), merged(nil, value[key], within(at, key)))
		}
	}
	return &next
}

// mergedList keeps the nodes of items that have the same id or, without ids, the same place.
func mergedList(old *yaml.Node, value []any, at string) *yaml.Node {
	next := *old
	next.Content = nil
	byID := map[string]*yaml.Node{}
	for _, item := range old.Content {
		if item.Kind == yaml.MappingNode {
			if id := child(item, "id"); id != nil {
				byID[id.Value] = item
			}
		}
	}
	for i, inner := range value {
		var before *yaml.Node
		if id := idOf(inner); id != "" {
			before = byID[id]
		} else if i < len(old.Content) {
			before = old.Content[i]
		}
		next.Content = append(next.Content, merged(before, inner, at+"[]"))
	}
	return &next
}

func idOf(value any) string {
	object, _ := value.(map[string]any)
	id, _ := object["id"].(string)
	return id
}

// keysOf are the keys of an object in the order of a file.
func keysOf(value map[string]any, at string) []string {
	var keys []string
	for _, key := range order[at] {
		if _, there := value[key]; there {
			keys = append(keys, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(value)) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func newObject(value map[string]any, at string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	if at == "edges[]" || at == "nodes[].position" || len(value) == 0 {
		n.Style = yaml.FlowStyle // in one line
	}
	for _, key := range keysOf(value, at) {
		n.Content = append(n.Content, newScalar(key), merged(nil, value[key], within(at, key)))
	}
	return n
}

func newList(value []any, at string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if len(value) == 0 {
		n.Style = yaml.FlowStyle
	}
	for _, inner := range value {
		n.Content = append(n.Content, merged(nil, inner, at+"[]"))
	}
	return n
}

// otherwise are texts that are none to readers of YAML 1.1: 16:9 is a number to them, and yes is true.
var otherwise = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$|^(?i:y|yes|n|no|on|off)$`)

// plainLines tells whether lines can be written as they are: nothing in them is invisible, no space ends one or begins the
// first.
func plainLines(text string) bool {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if strings.TrimRightFunc(line, unicode.IsSpace) != line || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return false
		}
	}
	return text != "" && text[0] != '\n' && text[0] != ' '
}

func newScalar(value any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch v := value.(type) {
	case nil:
		n.Tag, n.Value = "!!null", "null"
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(v)
	case json.Number:
		n.Value = string(v)
	case float64:
		n.Value = strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if n.SetString(v); otherwise.MatchString(v) || n.Style == yaml.LiteralStyle && !plainLines(v) {
			n.Style = yaml.DoubleQuotedStyle
		}
	}
	return n
}
