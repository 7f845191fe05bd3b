package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Address is a text in which a line may end behind the signs of a mail address, so that no word of one is broken.
func Address(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		parts := addressParts(text)
		for i, part := range parts {
			parts[i] = templ.EscapeString(part)
		}
		_, err := io.WriteString(w, strings.Join(parts, "<wbr>"))
		return err
	})
}

// WebAddress is an address of the web in which a line may end behind its slashes and hyphens.
func WebAddress(address string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, webBreaks.Replace(templ.EscapeString(address)))
		return err
	})
}

var webBreaks = strings.NewReplacer("/", "/<wbr>", "-", "-<wbr>")

// addressParts are the parts of a mail address; another text is one part.
func addressParts(text string) []string {
	local, domain, ok := strings.Cut(text, "@")
	if !ok || strings.ContainsAny(text, " \t\n") {
		return []string{text}
	}
	parts := strings.SplitAfter(local, ".")
	parts[len(parts)-1] += "@"
	return append(parts, strings.SplitAfter(domain, ".")...)
}
