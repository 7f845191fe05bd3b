//go:build !race

package frame

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"atelier/web/locale"
)

// school are the words of a class of a school.
var school = placeWords{
	Words: Words{Workspace: "Class", Workspaces: "Classes", Member: "Student", Members: "Students", Admin: "Teacher", Admins: "Teachers"},
	Org:   "Northgate", Workspace: "Art 9b",
}

func inSchool(field, message string) string {
	ctx := Saying(context.Background(), school.Words)
	return SentenceCase(locale.Fill(ctx, saidTo(ctx, field, message), locale.Place{Workspace: school.Workspace, Org: school.Org}))
}

func TestRefusalsAreSentences(t *testing.T) {
	for _, c := range []struct{ field, said, want string }{
		{"", "A school needs acceptTerms: true", "Confirm that you may set this up for the school: tick the box."},
		{"organizationId", "organizationId must be a UUID", "The organization was not recognized. Choose it from the list."},
		{"workspaceId", "workspaceId must be a UUID", "The class was not recognized. Choose it from the list."},
		{"", "The slug north is taken", "The short name north is taken. Choose another."},
		{"name", "name must not be empty", "The name must not be empty."},
		{"settings.member_caps_enabled", "settings.member_caps_enabled must be true or false", "“Member caps enabled” must be true or false."},
		{"settings.allowed_email_domains", `settings.allowed_email_domains must hold domains such as example.com: "x" is none`, "Write domains such as example.com, separated by commas: “x” is none."},
		{"", "The workspace's budget does not cover this run, which may cost 1 credits", "Art 9b has too few credits left for this run, which may cost 1 credit. Ask a teacher for more."},
		{"", "Your credit limit in this workspace does not cover this run, which may cost 2.5 credits", "Your cap in Art 9b does not cover this run, which may cost 2.5 credits. Ask a teacher for a higher one."},
		{"", "This needs a higher role in the workspace than member", "Only teachers of Art 9b may do this."},
		{"", "The workspace is archived. An organization admin can restore it.", "Art 9b is archived. The owner or an admin of Northgate can bring it back."},
		{"", "Archive every workspace first; 3 are not archived", "Archive every class first: 3 are not archived yet."},
		{"delta", "delta is more than the pool holds, which is 20", "The pool holds only 20. Give less, or have credits added to the pool first."},
		{"", "No workspace can be joined with this code. Check it, or ask for a new one.", "This code does not open anything. Check it, or ask for a new one."},
		{"", "Webhook endpoint not found", "The webhook endpoint is not there any more, or you may not see it."},
		{"email", "email must be an e-mail address", "The address must be an e-mail address."},
		{"email", "email has an account already", "The address has an account already."},
		{"password", "password must have at least 10 characters", "The password must have at least 10 characters."},
		{"newPassword", "newPassword must have at least 10 characters", "The new password must have at least 10 characters."},
		{"timeZone", "timeZone must be the name of a time zone, such as Europe/Berlin", "The time zone must be the name of a time zone, such as Europe/Berlin."},
		{"url", "url must start with https://", "The address must start with https://."},
		{"nodes.sky.data.width", "nodes.sky.data.width is required", "Is required."},
		{"", "The organization no longer admits addresses of this domain", "The address belongs to no domain that Northgate lets in. Add its domain under Settings, Domains, or invite another address."},
		{"", "The organization admits confirmed addresses of its own domains alone", "Northgate lets in confirmed addresses of its own domains alone. Use such an address, or ask the person who invited you."},
		{"", "A new workspace refusal of tomorrow", "A new class refusal of tomorrow."},
		{"nodes.sky.data.width", "nodes.sky.data.width must be at most 4096", "Must be at most 4096."}, // the page names the node
	} {
		if got := inSchool(c.field, c.said); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := About("Prompt", "Must not be empty."); got != "Prompt must not be empty." {
		t.Errorf("%q", got)
	}
}

// foreign are words of the schema that no sentence of the console has in a school, unless it quotes what was typed.
var foreign = regexp.MustCompile(`\b(workspaces?|slug|UUID|null|acceptTerms|[a-z]+[A-Z][a-zA-Z]*)\b|\{|\}|_`)

// Every refusal that the areas of the service can make is a sentence in the words of a school. It is read from their
// source, so that a new one is looked at too.
func TestEveryRefusalIsInTheWordsOfTheSchool(t *testing.T) {
	found := 0
	for _, area := range []string{"account", "credit", "event", "flow", "oauth", "org"} {
		err := filepath.WalkDir("../../models/"+area, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if field, message, ok := refusalOf(call); ok {
					found++
					if said := inSchool(field, message); foreign.MatchString(said) || said[len(said)-1] != '.' && said[len(said)-1] != ':' {
						t.Errorf("%s: %q is shown as %q", path, message, said)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 150 {
		t.Errorf("only %d refusals were found", found)
	}
}

// Who may do something is said in the reader's language, whatever area refuses it.
func TestRefusalsOfRolesHaveSayings(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../../models", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selector, is := call.Fun.(*ast.SelectorExpr); !is || selector.Sel.Name != "InsufficientRole" {
				return true
			}
			_, message, ok := refusalOf(call)
			if !ok {
				return true
			}
			found++
			for _, s := range refusalSayings {
				if s.said().MatchString(message) {
					return true
				}
			}
			t.Errorf("%s: %q has no saying", path, message)
			return true
		})
		return nil
	})
	if err != nil || found < 25 {
		t.Errorf("%d refusals were found, %v", found, err)
	}
}

// verbs of a format stand for something that was typed, or a number.
var verbs = regexp.MustCompile(`%[.0-9]*[a-z]`)

// refusalOf is the refusal that a call makes, if its texts are written out.
func refusalOf(call *ast.CallExpr) (field, message string, ok bool) {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || !isName(selector.X, "models") {
		return "", "", false
	}
	text := func(i int) string {
		if i < len(call.Args) {
			if literal, is := call.Args[i].(*ast.BasicLit); is && literal.Kind == token.STRING {
				s, _ := strconv.Unquote(literal.Value)
				return verbs.ReplaceAllString(s, "7")
			}
		}
		return ""
	}
	switch selector.Sel.Name {
	case "Err":
		message = text(1)
	case "InsufficientRole":
		message = text(0)
	case "NotFound":
		message = text(0) + " not found"
	case "Invalid":
		field, message = text(0), text(0)+" "+text(1)
		if text(0) == "" || text(1) == "" {
			return "", "", false
		}
	}
	return field, message, message != "" && message != " not found"
}

func isName(x ast.Expr, name string) bool {
	ident, ok := x.(*ast.Ident)
	return ok && ident.Name == name
}

func TestHeldBy(t *testing.T) {
	for expression, want := range map[string]string{
		`is empty`:                      "is empty",
		`must be at most (\d+) KiB`:     "must be at most ",
		`(.+?) is no name, says (\w+)`:  " is no name, says ",
		`(?:one|two)`:                   "",
		`x|must be long`:                "",
		`a(?:bc)?`:                      "a",
		`such as example\.com`:          "such as example.com",
		`(?i:must) be`:                  " be",
		`is no image(?: of .*)?, or so`: "is no image",
	} {
		if got := heldBy(expression); got != want {
			t.Errorf("%s holds %q, want %q", expression, got, want)
		}
	}
}
