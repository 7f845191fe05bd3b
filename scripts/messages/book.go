package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vorlif/spreak/catalog/po"
)

// book is the translations of a language: the forms of each message.
type book map[key][]string

// readBook reads the files of a language.
func readBook(language string) (book, error) {
	out := book{}
	names, err := filepath.Glob(filepath.Join(folder, language, "*.po"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := po.Parse(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for context, messages := range file.Messages {
			for id, m := range messages {
				forms := make([]string, len(m.Str))
				for i, s := range m.Str {
					if i >= 0 && i < len(forms) {
						forms[i] = s
					}
				}
				if k := (key{context, id}); id != "" && !translated(out[k]) {
					out[k] = forms
				}
			}
		}
	}
	return out, nil
}

func translated(forms []string) bool { return len(forms) > 0 && !slices.Contains(forms, "") }

// filesOf are the files of a language by their paths, as the code would have them.
func filesOf(language string, messages []message, b book) map[string]string {
	byArea := map[string][]message{}
	for _, m := range messages {
		byArea[m.area()] = append(byArea[m.area()], m)
	}
	if len(byArea) == 0 {
		byArea["shared"] = nil
	}
	out := map[string]string{}
	for area, list := range byArea {
		var s strings.Builder
		fmt.Fprintf(&s, "msgid \"\"\nmsgstr \"\"\n\"Language: %s\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", language)
		fmt.Fprintf(&s, "\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: %s\\n\"\n", plurals[language])
		for _, m := range list {
			writeMessage(&s, m, b[m.key()])
		}
		out[filepath.Join(folder, language, area+".po")] = s.String()
	}
	return out
}

var plurals = map[string]string{"de": "nplurals=2; plural=(n != 1);", "es": "nplurals=2; plural=(n != 1);", "fr": "nplurals=2; plural=(n > 1);"}

func writeMessage(s *strings.Builder, m message, forms []string) {
	s.WriteString("\n#: " + strings.Join(m.files, " ") + "\n")
	if m.context != "" {
		s.WriteString("msgctxt " + quoted(m.context) + "\n")
	}
	s.WriteString("msgid " + quoted(m.text) + "\n")
	if m.plural == "" {
		form := ""
		if len(forms) > 0 {
			form = forms[0]
		}
		s.WriteString("msgstr " + quoted(form) + "\n")
		return
	}
	s.WriteString("msgid_plural " + quoted(m.plural) + "\n")
	for i := range 2 {
		form := ""
		if i < len(forms) {
			form = forms[i]
		}
		fmt.Fprintf(s, "msgstr[%d] %s\n", i, quoted(form))
	}
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

func quoted(s string) string { return `"` + escapes.Replace(s) + `"` }

// writeFiles writes the files of a language, and removes those that no message is in any more.
func writeFiles(language string, messages []message, b book) error {
	files := filesOf(language, messages, b)
	names, err := filepath.Glob(filepath.Join(folder, language, "*.po"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := files[name]; !ok {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if old, err := os.ReadFile(name); err == nil && string(old) == files[name] {
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(name, []byte(files[name]), 0o644); err != nil {
			return err
		}
	}
	return nil
}
