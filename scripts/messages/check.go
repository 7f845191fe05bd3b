package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// report tells which files are stale, what is not translated, and which translations do not fit their messages.
func report(messages []message, books map[string]book) error {
	failed := false
	tell := func(format string, args ...any) {
		failed = true
		fmt.Printf(format+"\n", args...)
	}
	for _, language := range languages {
		files := filesOf(language, messages, books[language])
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if old, _ := os.ReadFile(name); string(old) != files[name] {
				tell("%s is stale: scripts/generate writes it", name)
			}
		}
		missing := map[string]int{}
		for _, m := range messages {
			forms := books[language][m.key()]
			if !m.done(forms) {
				missing[m.area()]++
				continue
			}
			for _, form := range forms {
				if problem := m.unfit(form); problem != "" {
					tell("%s: %q: %s: %q", language, m.text, problem, form)
				}
			}
		}
		for _, area := range slices.Sorted(maps.Keys(missing)) {
			tell("%s/%s/%s.po: %d not translated (go run ./scripts/messages -missing %s)", folder, language, area, missing[area], area)
		}
	}
	if failed {
		return fmt.Errorf("translations are not current")
	}
	return nil
}

func (m message) done(forms []string) bool {
	return translated(forms) && (m.plural == "" || len(forms) >= 2)
}

var (
	verbs = regexp.MustCompile(`%(?:\[(\d)\])?[sd]`)
	tags  = regexp.MustCompile(`</?[a-z]+\d?>`)
	words = regexp.MustCompile(`(?i)\{[^{}|]*\b(workspace|member|admin)s?\b[^{}]*\}|\{(?:org|here)\b[^{}]*\}`)
)

// unfit tells what a translation has that its message has not, or lacks.
func (m message) unfit(form string) string {
	wanted, got := arguments(m.text), arguments(form)
	maps.Copy(wanted, arguments(m.plural))
	for arg := range got {
		if !wanted[arg] {
			return fmt.Sprintf("there is no argument %d", arg)
		}
	}
	if m.plural == "" && len(got) < len(wanted) {
		return "an argument is missing"
	}
	if m.plural == "" && !slices.Equal(slices.Sorted(slices.Values(tags.FindAllString(m.text, -1))), slices.Sorted(slices.Values(tags.FindAllString(form, -1)))) {
		return "other tags"
	}
	if (words.MatchString(m.text) || words.MatchString(m.plural)) && !words.MatchString(form) {
		return "the term is missing"
	}
	return ""
}

// arguments are the numbers of the arguments that a message takes.
func arguments(text string) map[int]bool {
	out, next := map[int]bool{}, 1
	for _, found := range verbs.FindAllStringSubmatch(strings.ReplaceAll(text, "%%", ""), -1) {
		if found[1] != "" {
			next = int(found[1][0] - '0')
		}
		out[next] = true
		next++
	}
	return out
}

// mark is the short name of a message in the files of -missing and -fill.
func (m message) mark() string {
	sum := sha256.Sum256([]byte(m.context + "\x04" + m.text))
	return hex.EncodeToString(sum[:4])
}

// printMissing prints the messages that a language lacks: the mark, the message, its plural behind " || ", its context
// in front in brackets. Translations stand below in -fill, a line for each language, with " || " between the forms.
func printMissing(messages []message, books map[string]book, area string) {
	for _, m := range messages {
		if area != "" && m.area() != area {
			continue
		}
		if slices.ContainsFunc(languages, func(l string) bool { return !m.done(books[l][m.key()]) }) {
			text := m.text
			if m.context != "" {
				text = "[" + m.context + "] " + text
			}
			if m.plural != "" {
				text += " || " + m.plural
			}
			fmt.Println(m.mark(), strings.ReplaceAll(text, "\n", `\n`))
		}
	}
}

// fillFrom takes translations out of a file: a line with the mark of a message (what follows it is not read), then a
// line for each language; "-" leaves one as it is.
func fillFrom(path string, messages []message, books map[string]book) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	byMark := map[string]message{}
	for _, m := range messages {
		if other, taken := byMark[m.mark()]; taken {
			return fmt.Errorf("%q and %q have the same mark", other.text, m.text)
		}
		byMark[m.mark()] = m
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		mark, _, _ := strings.Cut(lines.Text(), " ")
		m, known := byMark[mark]
		if !known {
			fmt.Fprintf(os.Stderr, "no message has the mark of: %s\n", lines.Text())
		}
		for _, language := range languages {
			if !lines.Scan() {
				return fmt.Errorf("%s: a line of %s is missing", lines.Text(), language)
			}
			text := strings.ReplaceAll(lines.Text(), `\n`, "\n")
			if !known || text == "-" {
				continue
			}
			forms := strings.Split(text, " || ")
			if m.plural == "" && len(forms) > 1 || m.plural != "" && len(forms) != 2 {
				return fmt.Errorf("%s: %d forms in %s", m.text, len(forms), language)
			}
			for _, form := range forms {
				if problem := m.unfit(form); problem != "" {
					fmt.Fprintf(os.Stderr, "%s: %q: %s: %q\n", language, m.text, problem, form)
				}
			}
			books[language][m.key()] = forms
		}
	}
	return lines.Err()
}
