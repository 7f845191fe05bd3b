//go:build !race

package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// essential are the programs that every Debian has, the smallest too, and those that the README asks for.
var essential = strings.Fields(`awk basename bash cat chmod cmp cp cut date diff dirname echo env false find grep gzip head id kill ln ls
	mkdir chown setpriv mktemp mv paste printf pwd readlink renice rm sed seq sh sha256sum sleep sort stat tail tar tee test touch tr true uniq wc xargs
	apt-get dpkg-deb du install realpath prlimit systemctl sudo go gofmt make`)

// programsOf are the programs that code starts without naming them in the call, by file.
var programsOf = map[string][]string{
	"server/apart.go":                     {},                               // itself
	"server/doctor_looks.go":              {},                               // what nodes start; it only looks
	"models/run/engine_child_test.go":     {},                               // itself
	"models/run/engine_poison_test.go":    {},                               // itself
	"models/cluster/crash_linux_test.go":  {},                               // itself
	"models/dbtest/cluster.go":            {},                               // itself
	"tests/money_hammer_test.go":          {},                               // itself
	"tests/harness_program_test.go":       {},                               // the service
	"models/cluster/binaries.go":          {"postgres"},                     //
	"models/cluster/command.go":           {"postgres", "initdb"},           //
	"models/dbtest/keeper.go":             {"postgres", "initdb", "pg_ctl"}, //
	"tests/bench_accept_test.go":          {"pgbench"},                      //
	"nodes/program/program.go":            {},                               // what a Command names
	"nodes/program/limit_linux.go":        {},                               // a path found before
	"nodes/lottie/lottie.go":              {},                               // itself
	"nodes/raster/child.go":               {},                               // itself
	"nodes/kit/still.go":                  {"heif-convert"},                 // and heif-info of the same package
	"nodes/userprogram/userprogram.go":    {},                               // itself
	"nodes/lottie/lottie_web_test.go":     {"chromium-headless-shell"},      //
	"tests/browser_tab_test.go":           {"chromium-headless-shell"},      //
	"web/frame/safe_path_browser_test.go": {"node"},                         //
	"nextpath/nextpath_test.go":           {"node"},                         //
	"tests/clients_test.go":               {"node", "npm", "python3"},       // and what npm installed
	"tests/program_pooler_test.go":        {"pgbouncer"},                    //
	"scripts/peers/main.go":               {},                               // itself
	"scripts/peers/atelier.go":            {},                               // the service
	"scripts/peers/restate.go":            {},                               // itself, and what npm installed
	"scripts/peers/postgres.go":           {"initdb", "pg_ctl"},             //
	"tests/harness_postgres_test.go":      {"postgres", "pg_ctl"},           // and pg_basebackup of the client that comes with it
	"clients/cli/login.go":                {},                               // the person's browser
	"tests/clients_go_test.go":            {},                               // the command line and a program that it builds
	"tests/clients_mcp_test.go":           {},                               // the command line
}

// TestSetupInstallsWhatIsStarted holds each program that tests, scripts and nodes start against what scripts/setup installs.
func TestSetupInstallsWhatIsStarted(t *testing.T) {
	script, err := os.ReadFile("../scripts/setup")
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Clone(essential)
	for _, match := range regexp.MustCompile(`\bhave(?:_service)? ([a-z0-9_-]+)`).FindAllStringSubmatch(string(script), -1) {
		known = append(known, match[1])
	}
	if strings.Contains(string(script), "have_postgres ||") {
		known = append(known, "postgres", "initdb", "pg_ctl", "pgbench", "psql")
	}
	if len(known) < len(essential)+15 {
		t.Fatalf("scripts/setup was not understood: it looks for %v", known[len(essential):])
	}
	started := map[string]string{} // where a program is started first
	note := func(file string, programs ...string) {
		for _, program := range programs {
			if _, seen := started[program]; !seen {
				started[program] = file
			}
		}
	}
	walkSources(t, func(file string, text []byte) {
		switch {
		case strings.HasSuffix(file, ".go"):
			note(file, startedInGo(t, file, text)...)
		case file == "Makefile":
			note(file, startedInShell(recipes(string(text)))...)
		case strings.HasPrefix(string(text), "#!/usr/bin/env bash"):
			note(file, startedInShell(string(text))...)
		}
	})
	for program, file := range started {
		if !strings.Contains(program, "/") && !slices.Contains(known, program) && program != "no-such-program" {
			t.Errorf("%s starts %s, which scripts/setup does not install (have %s || required+=(its package))", file, program, program)
		}
	}
	for _, program := range []string{"curl", "ffmpeg", "ffprobe", "espeak-ng", "povray", "node", "npm", "git", "awk", "zbarimg", "renice", "pgbouncer", "initdb"} {
		if started[program] == "" {
			t.Errorf("%s is not found where it is started: the check looks past it", program)
		}
	}
}

// recipes are the commands of a makefile, as the shell sees them.
func recipes(makefile string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(makefile, "\n") {
		if command, ok := strings.CutPrefix(line, "\t"); ok {
			b.WriteString(strings.ReplaceAll(strings.TrimPrefix(command, "@"), "$$", "$") + "\n")
		}
	}
	return b.String()
}

// walkSources reads the files of the repository that may start programs.
func walkSources(t *testing.T, each func(file string, text []byte)) {
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{"node_modules", ".git", "data", "bin", "generated", "query"}, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		file := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if file != "Makefile" && !strings.HasPrefix(file, "scripts/") && filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_templ.go") || !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			each(file, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// startedInGo are the programs that Go code starts by exec, or by a Command of the package program.
func startedInGo(t *testing.T, file string, text []byte) (programs []string) {
	if !strings.Contains(string(text), "os/exec") && !strings.Contains(string(text), "ommand{") {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	programs = append(programs, programsOf[file]...)
	unnamed := func() {
		if _, listed := programsOf[file]; !listed {
			t.Errorf("%s starts a program that the call does not name: say in programsOf which", file)
		}
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			at, ok := map[string]int{"Command": 0, "CommandContext": 1, "LookPath": 0}[called(node, "exec")]
			if !ok || len(node.Args) <= at {
				return true
			}
			name, literal := textOf(node.Args[at])
			if !literal {
				unnamed()
				return true
			}
			programs = append(programs, name)
			if script := shellScript(name, node.Args[at+1:]); script != "" {
				programs = append(programs, startedInShell(script)...)
			}
		case *ast.CompositeLit:
			for _, element := range node.Elts {
				pair, ok := element.(*ast.KeyValueExpr)
				key, named := pairKey(pair, ok)
				if !named || key != "Name" || !strings.HasSuffix(typeOf(node), "Command") {
					continue
				}
				if name, literal := textOf(pair.Value); literal {
					programs = append(programs, name)
				} else {
					unnamed()
				}
			}
		}
		return true
	})
	return programs
}

func pairKey(pair *ast.KeyValueExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	key, ok := pair.Key.(*ast.Ident)
	if !ok {
		return "", false
	}
	return key.Name, true
}

func typeOf(literal *ast.CompositeLit) string {
	switch kind := literal.Type.(type) {
	case *ast.Ident:
		return kind.Name
	case *ast.SelectorExpr:
		return kind.Sel.Name
	}
	return ""
}

// called is the function of a package that a call is of, empty for others.
func called(call *ast.CallExpr, of string) string {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if name, ok := selector.X.(*ast.Ident); !ok || name.Name != of {
		return ""
	}
	return selector.Sel.Name
}

func textOf(expression ast.Expr) (string, bool) {
	literal, ok := expression.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// shellScript is what a shell is given to run; where it is made by code, the words of its literals.
func shellScript(shell string, args []ast.Expr) string {
	if shell != "bash" && shell != "sh" || len(args) < 2 {
		return ""
	}
	if flag, ok := textOf(args[0]); !ok || flag != "-c" {
		return ""
	}
	var words []string
	ast.Inspect(args[1], func(node ast.Node) bool {
		if expression, ok := node.(ast.Expr); ok {
			if text, literal := textOf(expression); literal {
				words = append(words, text)
			}
		}
		return true
	})
	return strings.Join(words, "\n")
}
