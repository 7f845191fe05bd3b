//go:build !race

package frame

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"atelier/web/locale"
)

// forPrograms are files whose refusals no page gets: only programs send what they refuse.
var forPrograms = map[string]bool{
	"graph/document.go": true, "graph/document_measure.go": true, "graph/present.go": true, "graph/request.go": true, "graph/server.go": true,
	"models/idempotency.go": true, "models/oauth/register.go": true, "models/payment/stripe_event.go": true,
	"server/chain.go": true, "models/media/fetch.go its server answered %d": true,
}

// passesOn are places that make a refusal of what they are given: what they are given is looked at where it is made.
var passesOn = map[string]bool{
	"models/error.go format": true, "models/error.go %s not found": true, "models/account/sign_up.go": true, "models/community/read.go": true, "models/flow/credential.go": true,
	"models/library/element_read.go": true, "models/library/preset_read.go": true, "models/library/voice_clone.go": true,
}

// stands are formats whose verbs stand for more than a name or a number, by file and format, and what they make.
var stands = map[string][]string{
	"models/library/face_picture.go %s": {
		"shows no face that the finder sees: say where it is with crop", "shows several faces: say which with x and y, or with crop",
		"shows no face at this point", "does not reach as far as the crop", "shows too little of the face",
	},
	"models/library/prompt_help_run.go %s":  {"openai is not set up on this install for prompt-helper; its operator must set OPENAI_API_KEY", "names no preset that this run may use"},
	"models/library/refs.go message":        {"names no character that this run may use", "names a face that depicts a person whose consent is awaited", "names a character that depicts a person whose pictures may not go to a provider"},
	"models/library/refs_pictures.go %s %s": {"Mina depicts a person who withdrew the consent", "Mina depicts a person whose consent has expired"},
	"models/library/voice_preview.go The voice %s": {
		"The voice is being cloned", "The voice depicts a person whose consent is awaited", "The voice is a person's whose consent keeps it from providers",
		"The voice needs a provider: openai is not set up on this install for speech; its operator must set OPENAI_API_KEY",
	},
	"models/library/train.go is missing: this %s %s":                                                      {"is missing: this character depicts a person whose consent is awaited"},
	"models/library/generate.go names a %s that %s":                                                       {"names a character that depicts a person whose consent is awaited"},
	"models/library/voice_clone.go %s":                                                                    {"openai is not set up on this install for clone-voice; its operator must set OPENAI_API_KEY"},
	"models/library/train.go has %s that serve; this training needs at least %d":                          {"has 1 picture that serve; this training needs at least 4"},
	"models/library/train_check.go has %s; this training needs at least %d":                               {"has 1 picture; this training needs at least 4"},
	"models/media/arrive.go leads to a file that %s":                                                      {"leads to a file that has too many pixels: at most 64 megapixels work"},
	"models/media/fetch.go %s":                                                                            {"did not answer in time", "closed the connection", "has no valid certificate", "could not be reached: it must be a public https address"},
	"models/nodegraph/field_path.go %s":                                                                   paths,
	"models/nodegraph/input.go %s":                                                                        paths,
	"models/nodegraph/item.go %s":                                                                         paths,
	"models/nodegraph/slot.go %s":                                                                         paths,
	"models/nodegraph/validate.go %q %s":                                                                  {`"upscale" needs a provider, and none that can do it is set up on this install; its operator must set REPLICATE_API_TOKEN`},
	"models/oauth/app_input.go %s":                                                                        {"must have 1 to 2000 characters", "must be plain ASCII without spaces, fragments and wildcards", "must be an absolute URL", "has a query that cannot be read", "must not have state in its query, which the answer has", "must be https; http is for localhost, 127.0.0.1 and [::1] alone", "must be an https URL, or have a scheme like com.example.app"},
	"models/space/owned.go You may look at this thing, but not change it":                                 {"You may look at this preset, but not change it"},
	"models/space/owned.go Only who made this thing, or an admin who may edit members' work, may do this": {"Only who made this preset, or an admin who may edit members' work, may do this"},
	"models/storage_full.go": {
		"The files in your personal space take up all of their 5 GiB. Delete runs of apps, whose files go with them, or ask the operator of this install for more.",
		"The files in this workspace take up all of their 5 GiB. Delete runs of apps, whose files go with them, or ask the operator of this install for more.",
		"What runs have put out in this workspace takes up all of its 5 GiB. Delete runs of apps that no one needs any more, or ask the operator of this install for more.",
		"The workflows in your personal space with their saved versions take up all of their 5 GiB. Delete workflows that no one needs any more, or ask the operator of this install for more.",
		"There are as many workflows in this workspace as there may be, 500. Delete those that no one needs any more, or ask the operator of this install for more.",
	},
	"models/studio/breakdown.go %s":        {"openai is not set up on this install for break-down; its operator must set OPENAI_API_KEY"},
	"models/studio/pipeline_stages.go %s":  {"names a workflow without nodes", "names a workflow whose last node, Crop, yields no image", "names a workflow that takes nothing in: let it begin with a trigger, or with a node that has an input"},
	"models/trigger/automated.go":          {"The one who set this up may not run the workflow any more, so it was paused: You are not a member"},
	"models/trigger/schedule_config.go %s": {"must be a list of rules", "must have at least one rule", "may have at most 7 rules", "must be a rule", "must be one of minutes, hours", "must be a whole number from 0 to 7", "must be a text of five fields", "is missing", "must have five fields (minute, hour), not 7", "has a range that ends before it begins in its hour: 5-3", "has a step in its hour that is not a number from 1 to 7: 0", "has a hour that is not from 0 to 7: 9"},
	"nodes/3d_scene.go %s":                 {"must hold something to see", "make 7 triangles; at most 7 work", "brings the scene over 7 triangles", "must be a number"},
	"nodes/kit/offer.go %s":                {"openai is not set up on this install for speech; its operator must set OPENAI_API_KEY"},
	"nodes/kit/offer.go %s %s":             {"upscale needs a provider, and none that can do it is set up on this install; its operator must set REPLICATE_API_TOKEN"},
	"nodes/kit/picture.go %s":              {"has 7 × 7 pixels; at most 64 megapixels and 16,384 pixels a side work"},
	"nodes/recast.go ":                     {"replace needs a provider; its operator must set REPLICATE_API_TOKEN"},
	"models/limit.go Too many requests. At most %d in %s; try again in %s.":                                                                       {"Too many requests. At most 7 in a minute; try again in 7 seconds."},
	"models/account/hash_line.go Too many people are signing in at this moment. Try again in %s.":                                                 {"Too many people are signing in at this moment. Try again in 1 second."},
	"models/account/second_step.go The password is right. Go on with the second step, within %s.":                                                 {"The password is right. Go on with the second step, within 10 minutes."},
	"models/error.go The service is busy, and nothing was changed. Try again in %s.":                                                              {"The service is busy, and nothing was changed. Try again in 2 seconds."},
	"models/credit/reserve.go The workspace's budget does not cover this run, which may cost %s":                                                  {"The workspace's budget does not cover this run, which may cost 1 credit", "The workspace's budget does not cover this run, which may cost 2.5 credits"},
	"models/credit/reserve.go Your credit limit in this workspace does not cover this run, which may cost %s":                                     {"Your credit limit in this workspace does not cover this run, which may cost 1 credit", "Your credit limit in this workspace does not cover this run, which may cost 2.5 credits"},
	"models/org/settings_value.go must hold domains such as example.com: %q is none":                                                              {}, // its field is that of one setting alone
	"models/run/engine_unpaid.go Media work of this account that cost nothing, or failed, has taken %d minutes in this hour. Run it again in %s.": {"Media work of this account that cost nothing, or failed, has taken 10 minutes in this hour. Run it again in 1 minute."},
}

var paths = []string{"must have at most 7 characters", "must have at most 7 parts between its dots", "would hold values that nest beyond 7 levels"}

// namelessField is one that the page names itself.
const namelessField = "nodes.sky.data.width"

// madeRefusal is a refusal as the source makes it.
type madeRefusal struct {
	path, field, format string
	written             bool // its text is written out where it is made
	whole               bool // the field stands in the text already
}

// texts are the sentences that it can be, and whether the test knows them.
func (r madeRefusal) texts() (texts []string, known bool) {
	for _, key := range []string{r.path + " " + r.format, r.path} {
		if texts, known = stands[key]; known {
			return texts, true
		}
	}
	text := verbs.ReplaceAllString(strings.ReplaceAll(r.format, "%q", `"7"`), "7")
	return []string{text}, r.written && strings.Trim(r.format, "%sqv ") != ""
}

// refusalsInSource are all that the service makes.
func refusalsInSource(t *testing.T) (all []madeRefusal) {
	for _, folder := range []string{"models", "graph", "nodes", "inbound", "server"} {
		err := filepath.WalkDir("../../"+folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if r, ok := madeBy(n, file.Name.Name); ok {
					r.path = filepath.ToSlash(strings.TrimPrefix(path, "../../"))
					all = append(all, r)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// madeBy is the refusal that an expression of a package makes.
func madeBy(n ast.Node, in string) (r madeRefusal, ok bool) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		isRefusal := isSelector(n.Type, "Error") && isName(n.Type.(*ast.SelectorExpr).X, "models") || in == "inbound" && isName(n.Type, "Refusal")
		if n.Type == nil && in == "models" { // a table of them
			isRefusal = true
		}
		for _, part := range n.Elts {
			pair, is := part.(*ast.KeyValueExpr)
			switch {
			case !is || !isRefusal:
			case isName(pair.Key, "Field"):
				r.field, _ = literal(pair.Value)
			case isName(pair.Key, "Message"):
				r.format, r.written = literal(pair.Value)
			}
		}
		r.whole = true
		return r, r.written
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			if isName(f.X, "models") {
				name = f.Sel.Name
			}
		case *ast.Ident:
			if in == "models" || in == "inbound" {
				name = f.Name
			}
		}
		switch {
		case name == "Err" && len(n.Args) > 1:
			r.format, r.written = literal(n.Args[1])
		case name == "InsufficientRole":
			r.format, r.written = literal(n.Args[0])
		case name == "NotFound":
			r.format, r.written = literal(n.Args[0])
			r.format += " not found"
		case name == "Invalid" && len(n.Args) > 1:
			field, whole := literal(n.Args[0])
			if !whole || verbs.MatchString(field) {
				field = namelessField
			}
			r.field = field
			r.format, r.written = literal(n.Args[1])
		case in == "inbound" && (name == "invalid" || name == "unsupported"):
			r.format, r.written = literal(n.Args[0])
			return r, r.written
		default:
			return r, false
		}
		return r, true
	}
	return r, false
}

// literal is a text that is written out, also as a format; of one that is not, the name that it has.
func literal(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := literal(e.X)
		right, too := literal(e.Y)
		return left + right, ok && too
	case *ast.CallExpr:
		if isSelector(e.Fun, "Sprintf") {
			return literal(e.Args[0])
		}
	case *ast.Ident:
		return e.Name, false
	}
	return "", false
}

// Every refusal that the service can make has words for people, which are translated, or it is one that no page gets. A new
// one without words fails here: it belongs into refusalSentences or, behind the name of a field, into fieldSayings.
func TestEveryRefusalHasWords(t *testing.T) {
	found, used := 0, map[string]bool{}
	for _, r := range refusalsInSource(t) {
		found++
		key := r.path + " " + r.format
		used[r.path], used[key] = true, true
		if forPrograms[r.path] || forPrograms[key] || passesOn[key] {
			continue
		}
		texts, known := r.texts()
		if !known && !passesOn[r.path] {
			t.Errorf("%s: it is not known what %q stands for", r.path, r.format)
		}
		if !known {
			continue
		}
		for _, text := range texts {
			message := text
			if r.field != "" && !r.whole {
				message = r.field + " " + text
			}
			said, known := refusalIn(context.Background(), r.field, message)
			if !known {
				t.Errorf("%s: %q has no words", r.path, message)
			}
			if leftOver.MatchString(locale.Fill(context.Background(), said, locale.Place{})) {
				t.Errorf("%s: %q is shown as %q", r.path, message, said)
			}
		}
	}
	if found < 900 {
		t.Errorf("only %d refusals were found", found)
	}
	for _, key := range slices.Concat(slices.Collect(maps.Keys(forPrograms)), slices.Collect(maps.Keys(passesOn)), slices.Collect(maps.Keys(stands))) {
		if !used[key] {
			t.Errorf("%s makes no refusal any more", key)
		}
	}
}

// leftOver is what no sentence shows.
var leftOver = regexp.MustCompile(`\$\d|[{}]`)
