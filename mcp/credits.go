package mcp

import (
	"context"
	"strings"

	"atelier/models"
)

// anyNode is a type of node whose price is asked where the balance alone is wanted.
const anyNode = "generate-image"

// creditTools tell what there is to spend and what things cost.
func (f *face) creditTools() {
	add(f, tool{
		Name: "get_credits", Title: "Balance and prices", Reads: true, Operations: []string{"NodePrice", "WorkflowPrice", "AppPrice", "ProductionPrice"},
		Description: "What the space has left and, with one of workflow, app, node or production, what a run would cost. Nothing is started or held.",
	}, getCredits)
}

type getCreditsInput struct {
	Space
	Rendering
	Workflow   string         `json:"workflow,omitempty" jsonschema:"Id of a workflow."`
	App        string         `json:"app,omitempty" jsonschema:"Short name of an app."`
	Node       string         `json:"node,omitempty" jsonschema:"Type of a node."`
	Settings   map[string]any `json:"settings,omitempty" jsonschema:"Of the node."`
	Production string         `json:"production,omitempty" jsonschema:"Id of a production; shots, stage and force say what of it."`
}

// Credits are what a space has, and what a run would take.
type Credits struct {
	Workspace        string          `json:"workspace" jsonschema:"Who pays: the workspace, or 'personal'."`
	Left             *models.Credits `json:"left" jsonschema:"What the space has left; null where runs cost nothing."`
	OwnLeft          *models.Credits `json:"ownLeft" jsonschema:"What is left of the person's own limit there; null without one."`
	EstimatedCredits *models.Credits `json:"estimatedCredits,omitempty" jsonschema:"What the run would cost."`
	Metered          bool            `json:"metered,omitempty" jsonschema:"It may cost more in the end: what a model reads and writes is known when it is done."`
	Seconds          *float64        `json:"seconds,omitempty" jsonschema:"Length of the film."`
	Refusal          string          `json:"refusal,omitempty" jsonschema:"Why the run would not start."`
}

// payment is what a run would meet.
type payment struct {
	CreditsLeft, OwnLeft *models.Credits
	Refusal              *string
}

func getCredits(ctx context.Context, c *call, in getCreditsInput) (*Credits, error) {
	asked := 0
	for _, what := range []string{in.Workflow, in.App, in.Node, in.Production} {
		if what != "" {
			asked++
		}
	}
	if asked > 1 {
		return nil, models.Invalid("workflow", "app, node or production: name one")
	}
	credits := &Credits{Workspace: place(models.ActorFrom(ctx).WorkspaceID)}
	price := func(*Credits) error { return nil }
	switch {
	case in.Node != "":
		return credits, c.nodePrice(ctx, credits, in.Node, in.Settings, true)
	case in.App != "":
		return credits, c.appPrice(ctx, credits, in.App)
	case in.Workflow != "":
		price = func(credits *Credits) error { return c.workflowPrice(ctx, credits, in.Workflow) }
	case in.Production != "":
		price = func(credits *Credits) error { return c.productionPrice(ctx, credits, in) }
	}
	if err := c.nodePrice(ctx, credits, anyNode, nil, false); err != nil {
		return nil, err
	}
	return credits, price(credits)
}

func (credits *Credits) meets(p *payment, refusal bool) {
	if p == nil {
		return
	}
	credits.Left, credits.OwnLeft = p.CreditsLeft, p.OwnLeft
	if refusal {
		credits.Refusal = text(p.Refusal)
	}
}

func (c *call) nodePrice(ctx context.Context, credits *Credits, nodeType string, settings map[string]any, price bool) error {
	var found struct {
		NodeEstimate struct {
			Credits models.Credits
			Metered bool
			Payment *payment
		}
	}
	if err := c.ask(ctx, "NodePrice", map[string]any{"type": nodeType, "settings": orEmpty(settings)}, &found); err != nil {
		return err
	}
	credits.meets(found.NodeEstimate.Payment, price)
	if price {
		credits.EstimatedCredits, credits.Metered = &found.NodeEstimate.Credits, found.NodeEstimate.Metered
	}
	return nil
}

func (c *call) appPrice(ctx context.Context, credits *Credits, slug string) error {
	var found struct {
		App struct {
			EstimatedCredits models.Credits
			Payment          *payment
		}
	}
	if err := c.ask(ctx, "AppPrice", map[string]any{"slug": slug, "workspaceId": models.ActorFrom(ctx).WorkspaceID}, &found); err != nil {
		return err
	}
	credits.meets(found.App.Payment, true)
	credits.EstimatedCredits = &found.App.EstimatedCredits
	return nil
}

func (c *call) workflowPrice(ctx context.Context, credits *Credits, id string) error {
	var found struct {
		Workflow struct {
			EstimatedCredits models.Credits
			WhyNotRun        *string
		}
	}
	if err := c.ask(ctx, "WorkflowPrice", map[string]any{"id": id}, &found); err != nil {
		return err
	}
	credits.EstimatedCredits, credits.Refusal = &found.Workflow.EstimatedCredits, text(found.Workflow.WhyNotRun)
	return nil
}

func (c *call) productionPrice(ctx context.Context, credits *Credits, in getCreditsInput) error {
	var found struct {
		ProductionEstimate struct {
			Credits models.Credits
			Seconds float64
			Refused []struct{ Message string }
		}
	}
	if err := c.ask(ctx, "ProductionPrice", map[string]any{"id": in.Production, "input": in.input()}, &found); err != nil {
		return err
	}
	credits.EstimatedCredits, credits.Seconds = &found.ProductionEstimate.Credits, &found.ProductionEstimate.Seconds
	var why []string
	for _, refused := range found.ProductionEstimate.Refused {
		why = append(why, refused.Message)
	}
	credits.Refusal = strings.Join(why, " ")
	return nil
}
