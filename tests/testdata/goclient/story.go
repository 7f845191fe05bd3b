// The story of an API client in Go: run an app for the class, follow it, fetch the picture, see what it was made by.
package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"strings"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"
)

func main() {
	if err := story(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func story(ctx context.Context) error {
	client, err := atelier.New(os.Getenv("ATELIER_URL"), atelier.WithToken(os.Getenv("ATELIER_TOKEN")), atelier.WithWorkspace(os.Getenv("CLASS")))
	if err != nil {
		return err
	}
	app, err := client.API.GetAppSlug(ctx, "poster")
	if err != nil {
		return err
	}
	form, err := client.Form(ctx, app)
	if err != nil || len(form) != 2 || form[1].Control != atelier.ControlSelect {
		return fmt.Errorf("the form is %+v: %w", form, err)
	}
	var seen []string
	run, err := client.RunApp(ctx, "poster", map[string]any{"topic": "a fox"}, atelier.OnProgress(func(p atelier.Progress) { seen = append(seen, p.Status) }))
	if err != nil || seen[len(seen)-1] != "completed" {
		return fmt.Errorf("the run went %v: %w", seen, err)
	}
	result, ok := atelier.MainOutput(app, run)
	var picture bytes.Buffer
	if _, err := client.Download(ctx, result.URL, &picture); err != nil || !ok {
		return fmt.Errorf("the result is %+v: %w", result, err)
	}
	if size, err := png.DecodeConfig(&picture); err != nil || size.Width != 320 {
		return fmt.Errorf("the picture is %d wide: %w", size.Width, err)
	}

	sent := int64(0)
	words := "words of a file"
	file, err := client.Upload(ctx, "words.txt", strings.NewReader(words), atelier.OnSent(func(n, _ int64) { sent = n }))
	if err != nil || file.Size != len(words) || sent != int64(len(words)) {
		return fmt.Errorf("the upload is %+v: %w", file, err)
	}
	job, err := client.RunNode(ctx, "text", map[string]any{"text": "a line"})
	if err != nil || job.OutputData["text"] != "a line" {
		return fmt.Errorf("the job is %+v: %w", job, err)
	}

	limit, jobs := 3, 0
	for job, err := range client.API.GetJobsAll(ctx, &api.GetJobsParams{Limit: &limit}) {
		if err != nil {
			return err
		}
		if jobs == 0 && job.Source != "sdk/"+atelier.Version {
			return fmt.Errorf("the job comes from %s", job.Source)
		}
		jobs++
	}
	if jobs < 5 {
		return fmt.Errorf("%d jobs", jobs)
	}
	if _, err = client.RunApp(ctx, "poster", map[string]any{"ratio": "4:3"}); !atelier.IsCode(err, atelier.CodeValidationError) {
		return fmt.Errorf("a ratio that is not offered: %w", err)
	}
	if _, err = client.RunApp(ctx, "nowhere", nil); !atelier.IsCode(err, atelier.CodeNotFound) {
		return fmt.Errorf("an app that is not there: %w", err)
	}
	return nil
}
