package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const commentedFile = `# The poster of the class.
id: 0199aaaa-0000-7000-8000-000000000001
version: 3 # as pulled: x
name: Poster # on the wall
nodes:
  # What it is about.
  - id: topic
    type: text
    data: {text: 'a fox'} # short
  - type: template-text
    id: prompt
    data:
      # Keep the style.
      template: |
        {{topic}}
        as a woodcut
      values:
        style: "woodcut"
        since: 2024-01-01
        ratio: 16:9
      count: 0x10
edges:
  - {id: e1, source: topic, target: prompt, targetHandle: values.topic} # the only one
`

func detail(t testing.TB, change string) *workflow {
	t.Helper()
	content := `{"id":"0199aaaa-0000-7000-8000-000000000001","version":4,"name":"Poster","description":"","access":"creator",
		"nodes":[{"id":"topic","type":"text","data":{"text":"a fox"}},
			{"id":"prompt","type":"template-text","data":{"template":"{{topic}}\nas a woodcut\n","count":16,"values":{"style":"woodcut","since":"2024-01-01","ratio":"16:9"}}}],
		"edges":[{"id":"e1","source":"topic","target":"prompt","targetHandle":"values.topic"}]}`
	for _, pair := range strings.Split(change, "|") {
		if from, to, ok := strings.Cut(pair, " => "); ok {
			if !strings.Contains(content, from) {
				t.Fatalf("%s is not there", from)
			}
			content = strings.Replace(content, from, to, 1)
		}
	}
	w, err := readDetail([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestFilesKeepTheirComments(t *testing.T) {
	f, err := parseWorkflow([]byte(commentedFile))
	if err != nil {
		t.Fatal(err)
	}
	same := detail(t, "")
	if !f.same(same) {
		t.Fatalf("read as %s, want %s", canonical(f.Values), canonical(same.Values))
	}
	f.take(same)
	text := render(t, f)
	want := strings.Replace(commentedFile, "version: 3 # as pulled: x", "version: 4 # as pulled: "+same.mark(), 1)
	if !strings.HasPrefix(text, strings.Split(want, "edges:")[0]) || !strings.Contains(text, "description: \"\"") {
		t.Errorf("what did not change was written differently:\n%s", lineDiff("want", "got", want, text))
	}

	f.take(detail(t, `"text":"a fox" => "text":"a bear"|a woodcut\n => a linocut\n|"count":16 => "count":17|{"id":"e1" => {"id":"e0","source":"prompt","target":"topic"},{"id":"e1"|"since":"2024-01-01", => "new":[1.50,true,null],`))
	text = render(t, f)
	written := f.workflow
	for _, line := range []string{
		"# The poster of the class.", "name: Poster # on the wall", "# What it is about.", "data: {text: 'a bear'} # short", "# Keep the style.",
		"as a linocut", "style: \"woodcut\"", "count: 17", "- 1.50", "- null", "  - {id: e0, source: prompt, target: topic}",
		"  - {id: e1, source: topic, target: prompt, targetHandle: values.topic} # the only one", "  - type: template-text\n    id: prompt",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	if strings.Contains(text, "since") {
		t.Errorf("what is gone is still there:\n%s", text)
	}
	f, err = parseWorkflow([]byte(strings.NewReplacer("data: {text: 'a fox'}", "data: &a {text: 'a fox'}", "data:\n      # Keep", "same: *a\n    data:\n      # Keep").Replace(commentedFile)))
	if err != nil {
		t.Fatal(err)
	}
	from := detail(t, `"text":"a fox" => "text":"a bear"|"type":"template-text", => "type":"template-text","same":{"text":"a fox"},`)
	f.take(from)
	if again, err := parseWorkflow([]byte(render(t, f))); err != nil || !again.same(from) {
		t.Errorf("an alias says what its anchor does: %v\n%s", err, render(t, f))
	}
	again, err := parseWorkflow([]byte(text))
	if err != nil || !again.same(&written) || again.synced != again.mark() || again.Version != 4 {
		t.Errorf("read again as %+v: %v", again, err)
	}
}

func render(t testing.TB, f *workflowFile) string {
	t.Helper()
	content, err := f.bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Whatever a workflow holds, its file says the same.
func TestFilesSayWhatTheServiceHas(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "yes", "null", "~", "16:9", "0x10", "1_000", "1e3", "2024-01-01", "a: b", "# no comment", "- x", "a\nb\n", " a\nb", "a\n  b\n\n c", "a\n\n", "\n", "\t\n", "\ta", "a\r\nb", "é\u2028ü", "\ufeff", "!!str x", "&a", "*a", "<<", "|", ">", "'", "\"", "%", "@", "`", "{{x}}", "a #b",
	}))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); {
			case kind == 0:
				return nil
			case kind == 1:
				return rapid.Bool().Draw(t, "bool")
			case kind == 2:
				return json.Number(rapid.SampledFrom([]string{"0", "-1", "12345678901234567890", "0.1", "1e21", "-2.50", "7E-3"}).Draw(t, "number"))
			case kind == 3 && depth > 0:
				return toAny(rapid.SliceOfN(value(depth-1), 0, 4).Draw(t, "list"))
			case kind == 4 && depth > 0:
				return toObject(rapid.MapOfN(texts, value(depth-1), 0, 4).Draw(t, "object"))
			}
			return texts.Draw(t, "text")
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		make := func() *workflow {
			nodes := []any{}
			for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "null", "1"}), 0, 4, rapid.ID).Draw(t, "ids") {
				nodes = append(nodes, map[string]any{"id": id, "type": "text", "data": toObject(rapid.MapOfN(texts, value(2), 0, 3).Draw(t, "data"))})
			}
			return &workflow{ID: "x", Version: 2, Values: map[string]any{
				"name": "N" + texts.Draw(t, "name"), "description": texts.Draw(t, "description"), "nodes": nodes, "edges": []any{},
			}}
		}
		f := &workflowFile{}
		for range 2 { // a new file, and one that is written over
			w := make()
			f.take(w)
			content, err := f.bytes()
			if err != nil {
				t.Fatal(err)
			}
			again, err := parseWorkflow(content)
			if err != nil {
				t.Fatalf("%v\n%s", err, content)
			}
			if !again.same(w) || again.ID != w.ID || again.Version != w.Version || again.synced != w.mark() {
				t.Fatalf("read %s\nwant %s\n%s", canonical(again.Values), canonical(w.Values), content)
			}
			f = again
		}
	})
}

func toAny(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

func toObject(object map[string]any) map[string]any {
	if object == nil {
		return map[string]any{}
	}
	return object
}

func TestBadFiles(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		last := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+last+",", 9) + "*" + last + "]\n"
	}
	for content, want := range map[string]string{
		"": "not a workflow", "- a": "not a workflow", "name: x\nbogus: 1": `"bogus"`, "nodes: []": "no name", "name: x\nnodes: [": "did not find",
		"name: x\nname: y": "", "name: x\nnodes: [{a: 1, a: 2}]": "is there twice", "name: x\nnodes: [.inf]": "unsupported value",
		"name: x\n" + strings.Replace(bomb, "a:", "nodes:", 1): "", "name: x\nnodes: &n [*n]": "",
	} {
		if _, err := parseWorkflow([]byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", content, err)
		}
	}
}

func TestFilesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"poster.yaml": commentedFile, "other.yaml": "a: 1\n", "broken.yml": "[", "new.yaml": "name: New\n", "note.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	files, problems, err := filesIn(dir)
	if err != nil || len(problems) != 0 || len(files) != 1 || files["0199aaaa-0000-7000-8000-000000000001"].path != filepath.Join(dir, "poster.yaml") {
		t.Fatalf("%v %v", files, err)
	}
	list, _, err := named(dir, nil)
	if err != nil || len(list) != 1 || list[0].ID != "0199aaaa-0000-7000-8000-000000000001" {
		t.Errorf("%v %v", list, err)
	}
	half := filepath.Join(dir, "half.yaml")
	if err := os.WriteFile(half, []byte("name: Half\nnodes:\n  - ["), 0o600); err != nil {
		t.Fatal(err)
	}
	if files, problems, err := filesIn(dir); err != nil || len(files) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "passed over: "+half) {
		t.Errorf("%v %v %v", files, problems, err)
	}
	if err := os.WriteFile(half, []byte(commentedFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := named(dir, nil); err == nil || !strings.Contains(err.Error(), "are the same workflow") {
		t.Error(err)
	}
	if path := pathFor(dir, "Poster"); path != filepath.Join(dir, "poster-2.yaml") {
		t.Error(path)
	}
	if path := pathFor(dir, "../Ünser/Plakat: 1 "); path != filepath.Join(dir, "Ünser-Plakat--1.yaml") && path != filepath.Join(dir, "ünser-plakat--1.yaml") {
		t.Error(path)
	}
	f := files["0199aaaa-0000-7000-8000-000000000001"]
	f.take(detail(t, ""))
	if err := f.write(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestLineDiff(t *testing.T) {
	from := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"
	to := strings.Replace(strings.Replace(from, "3\n", "three\n", 1), "\n17\n", "\n17\n17a\n", 1)
	want := "--- a\n+++ b\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n@@ -15,6 +15,7 @@\n 15\n 16\n 17\n+17a\n 18\n 19\n 20\n"
	if got := lineDiff("a", "b", from, to); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if lineDiff("a", "b", from, from) != "" || !strings.Contains(lineDiff("a", "b", "", "x\n"), "@@ -1,0 +1,1 @@\n+x\n") {
		t.Error("nothing, and everything")
	}
	long := strings.Repeat("x\ny\n", 3000)
	if got := lineDiff("a", "b", "a\n"+long, long+"b\n"); !strings.HasPrefix(got, "--- a") {
		t.Error(got)
	}
}

// What is saved to a watched file while its run goes on is run, too; what the push writes is not.
func TestWatchedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "poster.yaml")
	write := func(content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Error(err)
		}
	}
	write("first")
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var ran []string
	p := &program{err: &bytes.Buffer{}}
	err := p.watch(ctx, path, func(saved func()) error {
		content, _ := os.ReadFile(path)
		ran = append(ran, string(content))
		write(string(content) + ", pushed")
		saved()
		if len(ran) == 2 {
			time.AfterFunc(3*betweenLooks, end)
			return nil
		}
		write("second")
		return nil
	})
	if want := []string{"first", "second"}; !errors.Is(err, context.Canceled) || !slices.Equal(ran, want) {
		t.Errorf("%v ran, want %v: %v", ran, want, err)
	}
}
