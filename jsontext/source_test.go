//go:build !race

package jsontext_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// What may go round the one place for a thing, by rule and file, and why.
var allowed = map[string]map[string]string{
	// JSON is read by Read and ReadExact, in models by ReadJSON.
	"reads JSON": {
		"jsontext/read.go":                      "here it is read",
		"jsontext/unique.go":                    "names of objects alone, in a text whose depth was checked",
		"config/json.go":                        "entries of a text whose depth was checked as a whole",
		"graph/execute.go":                      "variables that the console wrote; what people typed was read by ReadExact, and scalars look again",
		"backup/read.go":                        "a description that the program wrote, within a file whose bytes are sealed",
		"web/apidoc/events.go":                  "the OpenAPI document",
		"web/apidoc/reference.go":               "the OpenAPI document",
		"graph/request.go":                      "a body whose depth was checked before",
		"models/audit.go":                       "own rows",
		"models/event/body.go":                  "own rows",
		"models/event/traced.go":                "own rows",
		"models/flow/app_read.go":               "own rows",
		"models/run/engine_due.go":              "own rows",
		"models/run/engine_follow_up.go":        "own rows",
		"models/run/engine_call.go":             "own rows",
		"models/run/engine_component.go":        "own rows",
		"models/run/engine_component_pack.go":   "own rows",
		"models/run/library_refs.go":            "own rows",
		"models/community/snapshot.go":          "own rows",
		"models/community/use.go":               "own rows",
		"models/nodegraph/graph.go":             "own rows",
		"models/studio/breakdown_job.go":        "what a node of the program found, whose depth was checked",
		"models/community/pipeline.go":          "own rows",
		"models/studio/pipeline_write.go":       "a value of the program's own, written and read back",
		"nodes/lottie/child.go":                 "what the parent wrote",
		"nodes/raster/child.go":                 "what the parent wrote",
		"nodes/lottie/document.go":              "a plan whose depth was checked, written and read back",
		"models/nodegraph/value.go":             "a value of the program's own, written and read back",
		"server/apart.go":                       "what the parent wrote",
		"migrations/addresses.go":               "own rows",
		"mcp/tool.go":                           "own answers",
		"mcp/files.go":                          "outputs of own rows",
		"models/org/settings.go":                "own rows",
		"models/payment/stripe_event.go":        "what Stripe signed, into flat values",
		"models/page.go":                        "a cursor that carries the service's own tag",
		"nodes/delay.go":                        "own rows",
		"nodes/generate_element_remote.go":      "own rows",
		"nodes/kit/http_answer.go":              "an answer becomes the node's output, whose depth is checked when it is stored",
		"nodes/kit/probe.go":                    "what ffprobe prints",
		"nodes/provider/providertest/server.go": "a provider of the tests",
		"nodes/kit/remote.go":                   "own rows",
		"nodes/scene/read.go":                   "a model, whose depth and parts were counted before",
		"nodes/userprogram/child.go":            "what the parent wrote",
		"nodes/userprogram/userprogram.go":      "what the child wrote, which checks the depth of its results",
		"rest/examples.go":                      "files of the program",
		"rest/document_tag.go":                  "the OpenAPI document",
		"rest/idempotency.go":                   "an own answer",
		"rest/fields.go":                        "an own answer",
		"models/library/element.go":             "own rows",
		"rest/nodes.go":                         "an own answer, and schemas of the program",
		"web/nodeform/catalogue.go":             "schemas of the program",
		"web/community/post.go":                 "an own answer",
		"web/frame/client.go":                   "own answers",
		"web/frame/catalogue.go":                "schemas of the program",
		"web/frame/undo.go":                     "an own cookie of at most 64 KiB, read into a flat value",
		"webhook/event.go":                      "for receivers, who copy it: a body whose signature was right",
		"web/org/setting_rows.go":               "a value of a select of the console's own",
		"web/org/settings_domains.go":           "settings that were checked when they were saved",
		"web/org/settings_words.go":             "settings that were checked when they were saved",
	},
	// Bodies and forms are read by inbound.
	"reads a body": {
		"graph/server.go":                         "hands a stream the body that was read",
		"inbound/arrival.go":                      "here it enters",
		"mcp/http.go":                             "puts the body that was read in its place",
		"inbound/body.go":                         "here it is unpacked and counted",
		"inbound/form.go":                         "here forms are read",
		"inbound/read.go":                         "here it is read",
		"models/egress/keep_trip.go":              "a request of the program's own",
		"models/payment/stripetest/stripetest.go": "Stripe of the tests",
		"nodes/provider/providertest/server.go":   "a provider of the tests",
		"rest/arrive.go":                          "puts the body that was read in its place",
		"rest/body.go":                            "keeps a body that inbound counts on the disk",
		"rest/form_parts.go":                      "reads parts of a body that inbound counts",
		"rest/idempotency.go":                     "puts the body that was read in its place",
		"server/pace.go":                          "the connection's body, before it enters",
		"server/visitors.go":                      "the connection's body, before it enters",
		"web/frame/file_upload.go":                "counts the room of what inbound reads",
		"webhook/webhook.go":                      "for receivers, who copy it",
	},
	// Dotted names are walked in models/nodegraph/field_path.go.
	"walks a path": {
		"models/install/settings.go":            "the name of a file",
		"web/locale/number.go":                  "the decimals of a number",
		"models/email.go":                       "labels of a domain",
		"web/ui/address.go":                     "labels of a mail address, where it may break",
		"models/nodegraph/field_path.go":        "here they are walked",
		"models/account/assertion/assertion.go": "the three parts of a token",
		"models/device.go":                      "the four parts of an address",
		"models/account/picture.go":             "the name of a file",
		"models/cluster/binaries.go":            "a version",
		"models/egress/url.go":                  "labels of a host",
		"models/media/store.go":                 "the name of a file",
		"models/media/private.go":               "the name of a file",
		"models/media/gone.go":                  "the name of a file",
		"web/account/developer_apps.go":         "a field of a list and its line",
		"web/account/developer_try.go":          "the three parts of an own cookie",
		"web/account/second_step.go":            "an own cookie: a token and words",
		"models/secret.go":                      "parts of a sealed text",
		"nodes/kit/validate.go":                 "goes as deep as the value",
		"web/org/audit_export.go":               "an action",
		"web/nodeform/field_name.go":            "goes as deep as the value",
		"web/frame/amount.go":                   "decimals",
		"web/flow/make.go":                      "the first part alone",
		"web/studio/pipeline_stages.go":         "the first parts alone, of a refusal",
		"web/community/post.go":                 "the first parts alone, of what was taken out",
		"web/studio/render_words.go":            "the first parts alone, of a refusal",
		"web/flow/workflow_nodes.go":            "the first part alone",
		"web/nodeform/field_value.go":           "a field of a form of the console's own",
		"web/flow/graph_refusal.go":             "three parts at most",
	},
	// JSON is written for people by web/frame/value_text.go.
	"indents JSON": {
		"backup/write.go":                  "a file of an archive",
		"server/doctor.go":                 "what the command prints",
		"web/apidoc/events.go":             "samples on a page",
		"web/apidoc/reference.go":          "examples on a page",
		"models/library/element_export.go": "a file of an archive, which people open",
		"models/studio/export.go":          "a file, which people open",
		"rest/document.go":                 "the OpenAPI document",
		"web/frame/json.go":                "graphs and forms to edit, which have bounds of their own",
	},
	// Markdown is rendered by web/flow/markdown.go.
	"renders Markdown": {"web/flow/markdown.go": "here it is rendered", "web/docs/markdown.go": "pages that the program is built with"},
	// Patterns that users wrote are run by nodes/userprogram.
	"compiles a pattern": {
		"nodes/userprogram/regex.go":   "here they are compiled, once they are measured",
		"nodes/phrase/script_prose.go": "the program's own patterns, which run in linear time",
		"web/frame/words_refusal.go":   "the program's own sentences",
	},
}

// TestNothingGoesRoundTheBounds finds code that does by itself what is bounded
// in one place. Tests and generated code are free.
func TestNothingGoesRoundTheBounds(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		switch {
		case entry.IsDir() && (name == "clients" || name == "scripts/peers" || name == "node_modules" || name == ".git" || name == "data" || name == "bin" || name == "graph/generated" || name == "web/query"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, rule := range broken(n) {
				used[rule+" "+name] = true
				if _, fine := allowed[rule][name]; !fine {
					t.Errorf("%s %s: use the one place for it, or say here why not", files.Position(n.Pos()), rule)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for rule, files := range allowed {
		for name := range files {
			if !used[rule+" "+name] {
				t.Errorf("%s need not be named: nothing in it %s", name, rule)
			}
		}
	}
}

// broken are the rules that a piece of code touches.
func broken(n ast.Node) (rules []string) {
	switch n := n.(type) {
	case *ast.ImportSpec:
		if strings.Contains(n.Path.Value, "yuin/goldmark") {
			return []string{"renders Markdown"}
		}
	case *ast.SelectorExpr:
		if readsBody(n) {
			return []string{"reads a body"}
		}
		switch of(n) {
		case "json.Unmarshal", "json.NewDecoder":
			return []string{"reads JSON"}
		case "json.MarshalIndent", "json.Indent":
			return []string{"indents JSON"}
		}
		if n.Sel.Name == "SetIndent" {
			return []string{"indents JSON"}
		}
	case *ast.CallExpr:
		return brokenByCall(n)
	}
	return nil
}

// readsBody tells whether a selector is the body of a request, or one of the ways to parse it.
func readsBody(s *ast.SelectorExpr) bool {
	switch s.Sel.Name {
	case "ParseForm", "ParseMultipartForm", "MultipartReader":
		x, ok := s.X.(*ast.Ident)
		return !ok || x.Name != "inbound"
	case "Body":
		switch x := s.X.(type) {
		case *ast.Ident:
			return x.Name == "r" || x.Name == "req" || x.Name == "request" || x.Name == "again" || x.Name == "arrived"
		case *ast.SelectorExpr:
			return x.Sel.Name == "request" || x.Sel.Name == "Request"
		case *ast.ParenExpr:
			return true
		}
	}
	return false
}

func brokenByCall(call *ast.CallExpr) []string {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	switch of(function) {
	case "regexp.Compile", "regexp.MustCompile", "regexp.CompilePOSIX", "regexp.MustCompilePOSIX", "regexp.MatchString":
		if _, constant := call.Args[0].(*ast.BasicLit); !constant {
			return []string{"compiles a pattern"}
		}
	case "strings.Cut", "strings.Split", "strings.SplitN", "strings.SplitSeq", "strings.SplitAfter":
		if dot, ok := call.Args[1].(*ast.BasicLit); ok && dot.Value == `"."` {
			return []string{"walks a path"}
		}
	}
	return nil
}

// of is a selector as it is written: json.Unmarshal.
func of(s *ast.SelectorExpr) string {
	if x, ok := s.X.(*ast.Ident); ok {
		return x.Name + "." + s.Sel.Name
	}
	return ""
}
