package tests

import (
	"regexp"
	"slices"
	"strings"
)

// shellReader finds the commands of a script in bash, as far as the scripts here go: no here-documents.
type shellReader struct {
	text     string
	at       int
	programs []string
}

var (
	shellAssignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?\+?=`)
	shellFunction   = regexp.MustCompile(`(?m)^\s*([a-z_]+)\(\)`)
	shellProgram    = regexp.MustCompile(`^[a-z][a-z0-9._-]*$`)
	// shellOpens are words behind which a command begins, shellRuns programs and functions that run what their arguments say.
	shellOpens = strings.Fields(`if then else elif do while until ! { time`)
	shellRuns  = strings.Fields(`quick as_root exec env xargs nice step`)
	shellWords = strings.Fields(`[ [[ : ]] } fi in done esac cd command read mapfile eval source continue break declare local export unset
		return exit set shift trap wait kill builtin function select printf echo true false test quick as_root exec step`)
)

// startedInShell are the programs that a script starts by name, less its own functions and what the shell does itself.
func startedInShell(script string) []string {
	own := slices.Clone(shellWords)
	for _, match := range shellFunction.FindAllStringSubmatch(script, -1) {
		own = append(own, match[1])
	}
	r := &shellReader{text: script}
	r.commands()
	return slices.DeleteFunc(r.programs, func(word string) bool { return slices.Contains(own, word) || !shellProgram.MatchString(word) })
}

// commands reads to the end, or to the parenthesis that closes what it began in.
func (r *shellReader) commands() {
	command, patterns := true, false
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '\\': // a line that goes on, or a sign that is a word
			r.at += 2
			command = command && r.text[r.at-1] == '\n'
		case c == '#':
			r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], "#"))
			r.line()
		case c == ')':
			r.at++
			if !patterns {
				return
			}
			command, patterns = true, false
		case c == '(':
			r.at++
			r.commands()
			command = true
		case strings.HasPrefix(r.text[r.at:], ";;"):
			r.at += 2
			command, patterns = false, true
		case c == '\n' || c == ';' || c == '|' || c == '&':
			r.at++
			command = !patterns
		case c == '<' || c == '>':
			r.redirection()
		default:
			word := r.word()
			switch {
			case patterns:
				if word == "esac" {
					command, patterns = true, false
				}
			case !command:
			case word == "case":
				r.word()
				for r.at < len(r.text) && r.text[r.at] == ' ' {
					r.at++
				}
				for word = r.word(); word != "in" && word != ""; word = r.word() {
					r.at++
				}
				command, patterns = false, true
			case word == "for":
				command = false
			case shellAssignment.MatchString(word) || slices.Contains(shellOpens, word) || strings.HasPrefix(word, "-") || strings.HasPrefix(word, "@"):
				if rest := strings.TrimLeft(word, "@-"); strings.HasPrefix(word, "@") && !shellAssignment.MatchString(rest) {
					r.programs, command = append(r.programs, rest), slices.Contains(shellRuns, rest)
				}
			default:
				r.programs = append(r.programs, word)
				command = slices.Contains(shellRuns, word)
			}
		}
	}
}

func (r *shellReader) line() {
	if end := strings.IndexByte(r.text[r.at:], '\n'); end >= 0 {
		r.at += end
		return
	}
	r.at = len(r.text)
}

// redirection passes an arrow and what it leads to; one that leads to commands is read.
func (r *shellReader) redirection() {
	for r.at < len(r.text) && strings.IndexByte("<>&|", r.text[r.at]) >= 0 {
		r.at++
	}
	if r.at < len(r.text) && r.text[r.at] == '(' {
		r.at++
		r.commands()
		return
	}
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
	if r.at < len(r.text) && r.text[r.at] != '<' && r.text[r.at] != '>' {
		r.word()
	}
}

// word reads one word, and the commands within it.
func (r *shellReader) word() string {
	start := r.at
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', ';', '|', '&', '<', '>', ')':
			return r.text[start:r.at]
		case '(': // a function, or the values of an array
			if r.text[r.at-1] != '=' {
				return r.text[start:r.at]
			}
			r.at++
			values := *r
			values.commands()
			r.at = values.at
		case '\\':
			r.at += 2
		case '\'':
			r.at += 2 + max(0, strings.IndexByte(r.text[min(r.at+1, len(r.text)):], '\''))
		case '"':
			r.at++
			for r.at < len(r.text) && r.text[r.at] != '"' {
				r.inner()
			}
			r.at++
		default:
			r.inner()
		}
	}
	return r.text[start:min(r.at, len(r.text))]
}

// inner passes what may stand within quotes too: an expansion, an escape, or a byte.
func (r *shellReader) inner() {
	rest := r.text[r.at:]
	switch {
	case strings.HasPrefix(rest, "$(("):
		r.at += max(3, strings.Index(rest, "))")+2)
	case strings.HasPrefix(rest, "$("):
		r.at += 2
		r.commands()
	case strings.HasPrefix(rest, "${"):
		for depth := 0; r.at < len(r.text); r.at++ {
			switch r.text[r.at] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 && r.text[r.at] == '}' {
				r.at++
				return
			}
		}
	case rest[0] == '\\':
		r.at += 2
	default:
		r.at++
	}
}
