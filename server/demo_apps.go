package server

import (
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// demoApp is a workflow that is published as an app, and how people run it.
type demoApp struct {
	name, description, thumbnail string
	nodes                        []*nodegraph.Node
	edges                        []*nodegraph.Edge
	items                        []string
	// inputs makes the inputs of one run.
	inputs func(d *demonstration) map[string]any
	// failing makes inputs with which a run fails; nil where none does.
	failing func() map[string]any
}

func field(id, node, name string) string {
	return `{"type":"field","id":"` + id + `","nodeId":"` + node + `","field":"` + name + `"}`
}

// needed is a field that the form must not leave empty.
func needed(id, node, name string) string {
	return `{"type":"field","id":"` + id + `","nodeId":"` + node + `","field":"` + name + `","required":true}`
}

func told(text string) string { return `{"type":"richtext","id":"intro","content":"` + text + `"}` }

func to(s string) *string { return &s }

var (
	demoQuotes = []string{
		"A line is a dot that went for a walk.", "Less is more.", "Draw what you see, not what you know.", "The details are not the details.",
		"Make it simple, but significant.", "Colour is my day-long obsession.", "Every artist was first an amateur.", "Have no fear of perfection.",
		"To draw, you must close your eyes and sing.", "Art washes the dust of daily life off our souls.",
	}
	demoScenes = []string{
		"a calm sea at sunrise, gold and blue", "misty green hills in the morning", "a city skyline at night, violet", "cherry blossoms in spring, pink",
		"a nebula among stars", "a mosaic of warm autumn leaves", "storm over a dark sea", "snow on blue hills", "lights of a rainy street, bokeh",
		"green marble with gold veins", "waves of orange and red", "a quiet evening skyline, rose",
	}
	demoTitles  = []string{"Summer exhibition", "Open studio", "The long night of art", "Our year in pictures", "Film evening", "Between two lights", "Who we are", "Act one"}
	demoGrounds = [][2]string{{"#1d2b53", "#7e2553"}, {"#0f3d3e", "#e2dcc8"}, {"#3a0ca3", "#f72585"}, {"#264653", "#e76f51"}, {"#2b2d42", "#8d99ae"}}
	demoLinks   = []string{"https://northgate.example/open-day", "https://northgate.example/choir", "https://northgate.example/menu", "https://northgate.example/newspaper/12"}
)

func (d *demonstration) one(texts []string) string { return texts[d.random.IntN(len(texts))] }

// tooLong is a text that no picture has room for: a person pasted an essay.
func tooLong(line string, times int) string {
	text := ""
	for range times {
		text += line + " "
	}
	return text
}

var quoteCard = demoApp{
	name: "Quote card", description: "Puts a sentence on a card in two colours.", thumbnail: "card",
	nodes: []*nodegraph.Node{
		{ID: "quote", Type: "text", Data: map[string]any{"text": "A line is a dot that went for a walk."}},
		{ID: "card", Type: "text-card", Data: map[string]any{"aspectRatio": "16:9", "caption": "Art 9b"}},
	},
	edges: []*nodegraph.Edge{{ID: "e1", Source: "quote", Target: "card"}},
	items: []string{
		told("Type a **sentence** worth keeping, and choose two colours."),
		needed("quote", "quote", "text"), field("above", "card", "background"), field("below", "card", "background2"),
	},
	inputs: func(d *demonstration) map[string]any {
		ground := demoGrounds[d.random.IntN(len(demoGrounds))]
		return map[string]any{"quote": d.one(demoQuotes), "above": ground[0], "below": ground[1]}
	},
	failing: func() map[string]any {
		return map[string]any{"quote": tooLong("This is my whole essay about the sea and what it means to me.", 40)}
	},
}

var posterPainter = demoApp{
	name: "Poster painter", description: "Paints a picture and sets words on it.", thumbnail: "poster",
	nodes: []*nodegraph.Node{
		{ID: "paint", Type: "generate-image", Data: map[string]any{"prompt": "a calm sea at sunrise, gold and blue", "aspectRatio": "16:9"}},
		{ID: "poster", Type: "text-card", Data: map[string]any{"text": "Summer exhibition", "aspectRatio": "16:9", "caption": "Northgate School"}},
	},
	edges: []*nodegraph.Edge{{ID: "e1", Source: "paint", Target: "poster", TargetHandle: to("imageUrl")}},
	items: []string{told("What is on the poster, and what does it say?"), field("picture", "paint", "prompt"), field("words", "poster", "text")},
	inputs: func(d *demonstration) map[string]any {
		return map[string]any{"picture": d.one(demoScenes), "words": d.one(demoTitles)}
	},
}

var moodBoard = demoApp{
	name: "Scene sketch", description: "Paints a mood for a scene, to talk about light and colour.", thumbnail: "scene",
	nodes: []*nodegraph.Node{{ID: "scene", Type: "generate-image", Data: map[string]any{"prompt": "storm over a dark sea", "aspectRatio": "16:9"}}},
	items: []string{told("Describe place, time of day and mood."), field("scene", "scene", "prompt"), field("without", "scene", "negativePrompt")},
	inputs: func(d *demonstration) map[string]any {
		return map[string]any{"scene": d.one(demoScenes)}
	},
}

var linkPoster = demoApp{
	name: "Link as a code", description: "Turns an address into a QR code for the notice board.", thumbnail: "code",
	nodes: []*nodegraph.Node{{ID: "code", Type: "qr-code", Data: map[string]any{"text": "https://northgate.example", "size": 480}}},
	items: []string{told("Paste the address."), field("address", "code", "text")},
	inputs: func(d *demonstration) map[string]any {
		return map[string]any{"address": d.one(demoLinks)}
	},
	failing: func() map[string]any {
		return map[string]any{"address": tooLong("https://northgate.example/very/long", 130)}
	},
}

// publish makes a workflow of the workspace and its app.
func (d *demonstration) publish(w *org.Workspace, owner string, app demoApp) (slug string, err error) {
	ctx := d.in(w, owner)
	visible := space.WorkspaceShared
	workflow, err := d.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: app.name, Visibility: &visible, Nodes: app.nodes, Edges: app.edges})
	if err != nil {
		return "", err
	}
	published, err := d.Flows.Apps().Publish(ctx, workflow.ID, flow.PublishInput{
		Name: app.name, ThumbnailNodeID: &app.thumbnail, Description: &app.description,
		PresentationSettings: &flow.PresentationSettings{InputItems: rawItems(app.items...)},
	})
	if err != nil {
		return "", err
	}
	return published.Slug, nil
}
