package mcp

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/nodegraph"
)

// appTools run published workflows.
func (f *face) appTools() {
	add(f, tool{
		Name: "list_apps", Title: "List apps", Reads: true, Operations: []string{"Apps"},
		Description: "Apps of the space that the person may run, newest first: workflows with a form.",
	}, listApps)
	add(f, tool{
		Name: "describe_app", Title: "Describe an app", Reads: true, Anywhere: true, Operations: []string{"App"},
		Description: "An app's form: which inputs a run takes, with their types, allowed values and standard values, and its price.",
	}, describeApp)
	add(f, tool{
		Name: "run_app", Title: "Run an app", Outside: true, Operations: []string{"RunApp", "Run"},
		Description: "Runs an app with values for its form, which costs credits, and waits for the result up to waitSeconds.",
	}, runApp)
}

// AppRow is an app in a list.
type AppRow struct {
	App              string         `json:"app" jsonschema:"Its short name, by which it is run."`
	Name             string         `json:"name"`
	Description      string         `json:"description,omitempty"`
	EstimatedCredits models.Credits `json:"estimatedCredits"`
}

// foundApp is an app as the schema has it.
type foundApp struct {
	Slug, Name, Description string
	EstimatedCredits        models.Credits
}

func (a foundApp) row() AppRow { return AppRow{a.Slug, a.Name, a.Description, a.EstimatedCredits} }

type listAppsInput struct {
	Space
	Paged
}

type appList struct {
	Apps       []AppRow `json:"apps"`
	NextCursor string   `json:"nextCursor,omitempty"`
}

func listApps(ctx context.Context, c *call, in listAppsInput) (*appList, error) {
	variables, err := in.variables()
	if err != nil {
		return nil, err
	}
	var found struct {
		RunnableApps struct {
			Nodes    []foundApp
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, "Apps", variables, &found); err != nil {
		return nil, err
	}
	list := &appList{Apps: []AppRow{}, NextCursor: found.RunnableApps.PageInfo.next()}
	for _, app := range found.RunnableApps.Nodes {
		list.Apps = append(list.Apps, app.row())
	}
	return list, nil
}

type describeAppInput struct {
	App string `json:"app" jsonschema:"Short name of the app."`
}

// App is an app with its form.
type App struct {
	AppRow
	Inputs []AppInput `json:"inputs"`
	URL    string     `json:"url" jsonschema:"Its page, for people."`
}

// AppInput is a field of an app's form.
type AppInput struct {
	Input    string          `json:"input" jsonschema:"Its name in the inputs of run_app."`
	Label    string          `json:"label,omitempty"`
	Help     string          `json:"help,omitempty"`
	Required bool            `json:"required,omitempty" jsonschema:"Whether a form must not leave it empty."`
	Schema   json.RawMessage `json:"schema" jsonschema:"JSON Schema of the value."`
	Standard any             `json:"standard,omitempty" jsonschema:"The value of a run that names none."`
	Allowed  []any           `json:"allowed,omitempty" jsonschema:"The only values that are taken."`
}

func describeApp(ctx context.Context, c *call, in describeAppInput) (*App, error) {
	var found struct {
		App struct {
			foundApp
			InputItems    json.RawMessage
			SnapshotNodes nodegraph.Nodes
		}
	}
	if err := c.ask(ctx, "App", map[string]any{"slug": in.App}, &found); err != nil {
		return nil, err
	}
	app := found.App
	items, err := nodegraph.ReadItems(app.InputItems)
	if err != nil {
		return nil, err
	}
	shown := &App{AppRow: app.row(), Inputs: []AppInput{}, URL: c.PublicURL + "/a/" + app.Slug}
	words := wordsOf(items, map[string]nodegraph.Item{})
	for _, input := range nodegraph.Described(c.Resolver.Flows.Catalogue, app.SnapshotNodes, nodegraph.ExposedInputs(items)) {
		schema, err := json.Marshal(input.Schema)
		if err != nil {
			return nil, err
		}
		item := words[input.NodeID+"."+input.Field]
		field := AppInput{
			Input: input.ID, Label: item.Label, Help: item.Help, Required: item.Required, Schema: schema, Standard: input.Value, Allowed: input.AllowedValues,
		}
		if field.Label == "" {
			field.Label = input.Schema.Title
		}
		shown.Inputs = append(shown.Inputs, field)
	}
	return shown, nil
}

// wordsOf are what a form says of its fields, by node and field.
func wordsOf(items []nodegraph.Item, into map[string]nodegraph.Item) map[string]nodegraph.Item {
	for _, item := range items {
		switch item.Type {
		case "field":
			into[item.NodeID+"."+item.Field] = item
		case "group":
			wordsOf(item.Items, into)
		}
	}
	return into
}

type runAppInput struct {
	Space
	Once
	Wait
	App    string         `json:"app" jsonschema:"Short name of the app."`
	Inputs map[string]any `json:"inputs,omitempty" jsonschema:"Values by the inputs of describe_app; what is left out keeps its standard value."`
}

func runApp(ctx context.Context, c *call, in runAppInput) (*Run, error) {
	return c.run(ctx, in.Once, in.Wait, "RunApp", map[string]any{"slug": in.App, "input": map[string]any{"inputs": orEmpty(in.Inputs)}})
}
