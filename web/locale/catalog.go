package locale

import (
	"embed"
	"fmt"
	"path"
	"sync"

	"github.com/vorlif/spreak/catalog/po"
	"github.com/vorlif/spreak/catalog/poplural"
	"golang.org/x/text/language"
)

//go:embed */*.po
var files embed.FS

// catalog is the translations of one language by context and message.
type catalog struct {
	messages map[entry][]string
	plural   poplural.PluralFunc
	pseudo   bool
}

type entry struct{ context, message string }

// catalogOf reads the catalog of a language when it is first asked for.
func catalogOf(code string) func() catalog {
	return sync.OnceValue(func() catalog {
		c, err := read(code)
		if err != nil {
			panic(err) // the files are part of the program
		}
		return c
	})
}

func read(code string) (catalog, error) {
	c := catalog{messages: map[entry][]string{}}
	c.plural, _ = poplural.ForLanguage(language.Make(code))
	list, err := files.ReadDir(code)
	if err != nil {
		return c, err
	}
	for _, f := range list {
		content, err := files.ReadFile(path.Join(code, f.Name()))
		if err != nil {
			return c, err
		}
		parsed, err := po.Parse(content)
		if err != nil {
			return c, fmt.Errorf("%s/%s: %w", code, f.Name(), err)
		}
		for context, messages := range parsed.Messages {
			for id, m := range messages {
				if id == "" || m.Comment != nil && m.Comment.HasFlag("fuzzy") {
					continue
				}
				forms := make([]string, len(m.Str))
				for i, s := range m.Str {
					if i >= 0 && i < len(forms) {
						forms[i] = s
					}
				}
				c.messages[entry{context, id}] = forms
			}
		}
	}
	return c, nil
}

// lookup is the translation of a message, the message itself where there is none.
func (l *Language) lookup(context, message string) string {
	if l.catalog == nil {
		return message
	}
	c := l.catalog()
	if c.pseudo {
		return stretch(message)
	}
	if forms := c.messages[entry{context, message}]; len(forms) > 0 && forms[0] != "" {
		return forms[0]
	}
	return message
}

func (l *Language) lookupPlural(context, one, many string, n int) string {
	message := many
	if n == 1 {
		message = one
	}
	if l.catalog == nil {
		return message
	}
	c := l.catalog()
	if c.pseudo {
		return stretch(message)
	}
	forms := c.messages[entry{context, one}]
	if len(forms) == 0 {
		return message
	}
	at, err := c.plural(max(n, -n))
	if err != nil || at >= len(forms) { // French and Spanish have a third form for millions, which files may leave out
		at = len(forms) - 1
	}
	if forms[at] == "" {
		return message
	}
	return forms[at]
}
