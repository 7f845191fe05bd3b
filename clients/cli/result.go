package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	atelier "atelier/clients/go"

	"github.com/spf13/cobra"
)

// maxShown is the largest picture that is fetched to be shown in the terminal.
const maxShown = 20 << 20

// showRun prints the result of an app's run, and saves and shows it as far as that is wanted.
func (p *program) showRun(c *cobra.Command, client *atelier.Client, app *atelier.App, run *atelier.Run, save string, show bool) error {
	result, ok := atelier.MainOutput(app, run)
	switch {
	case save != "" && isFolder(save):
		if err := p.saveAll(c.Context(), client, atelier.Outputs(app, run), save); err != nil {
			return err
		}
	case save != "" && !ok:
		return errors.New("the run made nothing to save")
	case save != "":
		if err := saveOutput(c.Context(), client, result, save, p.out); err != nil {
			return err
		}
	}
	if p.json {
		return p.printJSON(run)
	}
	if save == "" && ok {
		p.printOutput(result)
	}
	if show && ok && result.URL != "" {
		p.picture(c.Context(), client, result.URL)
	}
	fmt.Fprintf(p.err, "%s credits.\n", credits(run.CreditsUsed))
	return nil
}

func (p *program) printOutput(o atelier.Output) {
	switch {
	case o.URL != "":
		fmt.Fprintln(p.out, printable(o.URL))
	case o.Text != "":
		fmt.Fprintln(p.out, printable(o.Text))
	default:
		_ = p.printJSON(o.Data)
	}
}

// isFolder tells whether a place to save at is a folder: one that there is, or a name that ends with a slash.
func isFolder(name string) bool {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// saveAll saves what nodes made as files that are called like them.
func (p *program) saveAll(ctx context.Context, client *atelier.Client, outputs []atelier.Output, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, o := range outputs {
		name := fileName(o.NodeID)
		switch {
		case o.URL != "":
			name += extension(o.URL)
		case o.Text != "":
			name += ".txt"
		default:
			name += ".json"
		}
		to := filepath.Join(folder, name)
		if err := saveOutput(ctx, client, o, to, p.out); err != nil {
			return err
		}
		if !p.json {
			fmt.Fprintln(p.out, to)
		}
	}
	return nil
}

// saveOutput writes what a node made to a file that is there only when it is whole; - is the program's output.
func saveOutput(ctx context.Context, client *atelier.Client, o atelier.Output, to string, out io.Writer) error {
	write := func(w io.Writer) error {
		switch {
		case o.URL != "":
			_, err := client.Download(ctx, o.URL, w)
			return err
		case o.Text != "":
			_, err := io.WriteString(w, o.Text)
			return err
		}
		_, err := io.WriteString(w, valueText(o.Data)+"\n")
		return err
	}
	if to == "-" {
		return write(out)
	}
	if info, err := os.Stat(to); err == nil && !info.Mode().IsRegular() { // a device or a pipe, which stays one
		file, err := os.OpenFile(to, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	}
	return replaceFile(to, 0o644, write)
}

// fileName is a text as the name of a file: one word, of characters that mean nothing to a file system.
func fileName(s string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r > 127 && printable(string(r)) != "" && r != '\u00a0':
			return r
		}
		return '-'
	}, s), "-.")
	if name == "" {
		return "result"
	}
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	return name
}

// extension is that of the file at an address.
func extension(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	ext := path.Ext(at.Path)
	if mime.TypeByExtension(ext) == "" {
		return ""
	}
	return ext
}

// picture shows a picture where the terminal can, and nothing anywhere else.
func (p *program) picture(ctx context.Context, client *atelier.Client, address string) {
	way := p.pictures()
	if way == nil {
		return
	}
	var content bytes.Buffer
	if _, err := client.Download(ctx, address, &bounded{&content, maxShown}); err != nil {
		return // the address is printed
	}
	_ = way(p.out, content.Bytes())
}

// bounded refuses what is larger than a bound.
type bounded struct {
	to   io.Writer
	left int
}

func (b *bounded) Write(content []byte) (int, error) {
	if b.left -= len(content); b.left < 0 {
		return 0, errors.New("too large")
	}
	return b.to.Write(content)
}
