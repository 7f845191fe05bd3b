package mcp

import (
	"context"

	"atelier/models"
)

// productionTools read and render productions.
func (f *face) productionTools() {
	add(f, tool{
		Name: "read_productions", Title: "Read productions", Reads: true, Operations: []string{"Productions", "Production"},
		Description: "Productions of the space, newest first: scripts with shots that are rendered into a film; with production one of them with its script and shots.",
	}, readProductions)
	add(f, tool{
		Name: "render_production", Title: "Render a production", Destroys: true, Outside: true, Operations: []string{"RenderProduction", "Run"},
		Description: "Renders what has changed of a production, for at most maxCredits: ask get_credits with the production first and agree on the price. The film takes the place of the last one.",
	}, renderProduction)
}

type readProductionsInput struct {
	Space
	Paged
	Query      string `json:"query,omitempty" jsonschema:"Words of the name or the description."`
	Production string `json:"production,omitempty" jsonschema:"Shows this one in full instead, by its id."`
}

// Production is a production; script, render and shots are of one that is read by itself.
type Production struct {
	ID           string         `json:"id"`
	Name         string         `json:"name"`
	Description  string         `json:"description,omitempty"`
	Status       string         `json:"status" jsonschema:"draft, rendering, ready, stale or failed. stale: something changed since the film was made."`
	ShotCount    int            `json:"shotCount"`
	Duration     float64        `json:"duration" jsonschema:"In seconds."`
	VideoURL     *string        `json:"videoUrl,omitempty" jsonschema:"The last film."`
	Script       string         `json:"script,omitempty"`
	Language     string         `json:"language,omitempty"`
	AspectRatio  string         `json:"aspectRatio,omitempty"`
	Resolution   string         `json:"resolution,omitempty"`
	LatestRender *LatestRender  `json:"latestRender,omitempty"`
	Shots        []ProducedShot `json:"shots,omitempty"`
}

// LatestRender is the last render of a production.
type LatestRender struct {
	ExecutionID  string         `json:"executionId" jsonschema:"Its run, for get_run."`
	Status       string         `json:"status"`
	CreditsUsed  models.Credits `json:"creditsUsed"`
	ErrorMessage *string        `json:"errorMessage,omitempty"`
}

// ProducedShot is a shot of a production.
type ProducedShot struct {
	ID           string   `json:"id"`
	Position     int      `json:"position"`
	Title        string   `json:"title,omitempty"`
	Action       string   `json:"action,omitempty" jsonschema:"What is seen."`
	Dialogue     string   `json:"dialogue,omitempty" jsonschema:"What is said."`
	Duration     *float64 `json:"duration,omitempty"`
	Status       string   `json:"status"`
	IsStale      bool     `json:"isStale"`
	Skip         bool     `json:"skip,omitempty"`
	ImageURL     *string  `json:"imageUrl,omitempty"`
	VideoURL     *string  `json:"videoUrl,omitempty"`
	ErrorMessage *string  `json:"errorMessage,omitempty"`
}

type productionList struct {
	Productions []Production `json:"productions"`
	NextCursor  string       `json:"nextCursor,omitempty"`
}

func readProductions(ctx context.Context, c *call, in readProductionsInput) (*productionList, error) {
	if in.Production != "" {
		var found struct{ Production Production }
		err := c.ask(ctx, "Production", map[string]any{"id": in.Production}, &found)
		return &productionList{Productions: []Production{found.Production}}, err
	}
	variables, err := in.variables()
	if err != nil {
		return nil, err
	}
	if in.Query != "" {
		variables["filter"] = map[string]any{"query": in.Query}
	}
	var found struct {
		Productions struct {
			Nodes    []Production
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, "Productions", variables, &found); err != nil {
		return nil, err
	}
	return &productionList{Productions: append([]Production{}, found.Productions.Nodes...), NextCursor: found.Productions.PageInfo.next()}, nil
}

// Rendering says what of a production is rendered.
type Rendering struct {
	Shots []string `json:"shots,omitempty" jsonschema:"These shots alone, by id."`
	Stage string   `json:"stage,omitempty" jsonschema:"After which it stops: image, speech, clip or cut; all when absent."`
	Force bool     `json:"force,omitempty" jsonschema:"Makes everything again, also what still holds."`
}

func (r Rendering) input() map[string]any {
	input := map[string]any{"force": r.Force}
	if len(r.Shots) > 0 {
		input["shotIds"] = r.Shots
	}
	if r.Stage != "" {
		input["stage"] = r.Stage
	}
	return input
}

type renderInput struct {
	Space
	Once
	Wait
	Rendering
	Production string         `json:"production" jsonschema:"Id of the production."`
	MaxCredits models.Credits `json:"maxCredits" jsonschema:"The price that was agreed on; a render that would cost more is refused."`
}

func renderProduction(ctx context.Context, c *call, in renderInput) (*Run, error) {
	input := in.input()
	input["maxCredits"] = in.MaxCredits
	return c.run(ctx, in.Once, in.Wait, "RenderProduction", map[string]any{"id": in.Production, "input": input})
}
