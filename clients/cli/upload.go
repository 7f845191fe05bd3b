package main

import (
	"context"
	"fmt"
	"path/filepath"

	atelier "atelier/clients/go"

	"github.com/spf13/cobra"
)

func (p *program) uploadCommand() *cobra.Command {
	return &cobra.Command{
		Use: "upload <file>…", Short: "Upload files, and print their addresses", Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			files := []*atelier.File{}
			for _, path := range args {
				file, err := p.send(c.Context(), client, path)
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				files = append(files, file)
				if !p.json {
					fmt.Fprintln(p.out, file.URL)
				}
			}
			if p.json {
				return p.printJSON(files)
			}
			return nil
		},
	}
}

// send uploads a file of this machine and shows how far it is.
func (p *program) send(ctx context.Context, client *atelier.Client, path string) (*atelier.File, error) {
	bar := p.newBar(filepath.Base(path))
	defer bar.end()
	return client.UploadFile(ctx, path, atelier.OnSent(func(sent, total int64) { bar.show(sent, total, bytesText(sent)) }))
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
