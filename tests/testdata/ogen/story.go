// The story of an integrator whose client ogen made from the document of the runs of apps: run one, poll until it is done,
// fetch the picture, find the run in the list, and read refusals.
package main

import (
	"context"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"time"

	"github.com/go-faster/jx"
	"github.com/google/uuid"

	"example.org/story/api"
)

// token is what calls are made with.
type token string

func (t token) Bearer(context.Context, api.OperationName) (api.Bearer, error) {
	return api.Bearer{Token: string(t)}, nil
}

func main() {
	if err := story(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func story(ctx context.Context) error {
	client, err := api.NewClient(os.Getenv("ATELIER_URL"), token(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		return err
	}
	body := api.NewOptRunAppInputBody(api.RunAppInputBody{Inputs: api.NewOptNilRunAppInputBodyInputs(api.RunAppInputBodyInputs{"topic": jx.Raw(`"a fox"`)})})
	answer, err := client.PostAppSlugRun(ctx, body, api.PostAppSlugRunParams{Slug: "poster"})
	started, ok := answer.(*api.StartedRun)
	if !ok {
		return fmt.Errorf("the run begins with %#v: %w", answer, err)
	}
	run, err := ended(ctx, client, started.RunId)
	if err != nil {
		return err
	}
	if run.Status != "completed" || run.Execution.NodeStates.Value["prompt"].Status != "completed" {
		return fmt.Errorf("the run ends as %+v", run)
	}
	response, err := http.Get(run.ThumbnailUrl.Value)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if size, err := png.DecodeConfig(response.Body); err != nil || size.Width != 80 {
		return fmt.Errorf("the picture is %d wide: %w", size.Width, err)
	}

	listed, err := client.GetAppSlugRuns(ctx, api.GetAppSlugRunsParams{Slug: "poster", Limit: api.NewOptInt64(1)})
	if runs, ok := listed.(*api.ManyRunViewBody); !ok || len(runs.Data) != 1 || runs.Data[0].ID != run.ID {
		return fmt.Errorf("the list is %#v: %w", listed, err)
	}
	wrong := api.NewOptRunAppInputBody(api.RunAppInputBody{Inputs: api.NewOptNilRunAppInputBodyInputs(api.RunAppInputBodyInputs{"nothing": jx.Raw(`1`)})})
	answer, err = client.PostAppSlugRun(ctx, wrong, api.PostAppSlugRunParams{Slug: "poster"})
	if refusal, ok := answer.(*api.PostAppSlugRunBadRequest); !ok || refusal.Error.Code != "validation_error" || refusal.Error.Field.Value != "inputs.nothing" {
		return fmt.Errorf("an input that is none is answered %#v: %w", answer, err)
	}
	answer, err = client.PostAppSlugRun(ctx, body, api.PostAppSlugRunParams{Slug: "nowhere"})
	if refusal, ok := answer.(*api.PostAppSlugRunNotFound); !ok || refusal.Error.Code != "not_found" {
		return fmt.Errorf("an app that is not there is answered %#v: %w", answer, err)
	}
	stranger, err := api.NewClient(os.Getenv("ATELIER_URL"), token("svc_wrong"))
	if err != nil {
		return err
	}
	answer, err = stranger.PostAppSlugRun(ctx, body, api.PostAppSlugRunParams{Slug: "poster"})
	if _, ok := answer.(*api.PostAppSlugRunUnauthorized); !ok {
		return fmt.Errorf("a wrong token is answered %#v: %w", answer, err)
	}
	return nil
}

// ended polls a run until it has ended; what did not change since is answered with 304.
func ended(ctx context.Context, client *api.Client, id uuid.UUID) (*api.RunView, error) {
	var seen api.OptString
	for {
		answer, err := client.GetAppSlugRunsRunId(ctx, api.GetAppSlugRunsRunIdParams{Slug: "poster", RunId: id, IfNoneMatch: seen})
		switch a := answer.(type) {
		case *api.RunViewHeaders:
			if a.Response.Status == "completed" || a.Response.Status == "failed" {
				return &a.Response, nil
			}
			seen = a.ETag
		case *api.GetAppSlugRunsRunIdNotModified:
		default:
			return nil, fmt.Errorf("the run is answered %#v: %w", answer, err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
