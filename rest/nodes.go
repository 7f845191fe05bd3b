package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"atelier/graph/generated"
	"atelier/inbound"
	"atelier/models"
	"atelier/models/run"
)

// nodeRoutes are the public catalogue (contract 1, "Node descriptor").
func (a *API) nodeRoutes() {
	const tag = "Nodes"
	handle(a, route{Method: "GET", Path: "/v1/nodes", Tag: tag, Summary: "Every node type", Public: true}, a.listNodes)
	handle(a, route{Method: "GET", Path: "/v1/nodes/{type}", Tag: tag, Summary: "One node type", Public: true}, a.getNode)
	handle(a, route{Method: "GET", Path: "/v1/models", Tag: tag, Summary: "Every model that a run may use", Public: true}, a.listModels)
}

type nodeTypeView struct {
	Type             string          `json:"type"`
	Label            string          `json:"label"`
	Category         string          `json:"category"`
	Description      string          `json:"description"`
	OutputType       string          `json:"outputType" enum:"image,video,audio,text,data"`
	Providers        []string        `json:"providers"`
	Capabilities     []string        `json:"capabilities"`
	InputSchema      json.RawMessage `json:"inputSchema" doc:"JSON Schema of the settings."`
	EstimatedCredits models.Credits  `json:"estimatedCredits"`
}

func viewNodeType(n *generated.NodeType) nodeTypeView {
	return nodeTypeView{
		Type: n.Type, Label: n.Label, Category: n.Category, Description: n.Description, OutputType: n.OutputType,
		Providers: n.Providers, Capabilities: n.Capabilities, InputSchema: n.InputSchema, EstimatedCredits: n.EstimatedCredits,
	}
}

func (a *API) listNodes(ctx context.Context, _ *struct{}) (*many[nodeTypeView], error) {
	types, err := a.query().NodeTypes(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(types), viewNodeType), nil
}

type nodeTypePath struct {
	Type string `path:"type"`
}

func (a *API) getNode(ctx context.Context, in *nodeTypePath) (*single[nodeTypeView], error) {
	n, err := a.query().NodeType(ctx, in.Type)
	if err != nil {
		return nil, err
	}
	return one(viewNodeType(n)), nil
}

// modelView is what generates: this server, or a model of a provider outside.
// Its id is the model of jobs and of usage reports.
type modelView struct {
	ID               string         `json:"id"`
	Label            string         `json:"label"`
	NodeType         string         `json:"nodeType"`
	Providers        []string       `json:"providers"`
	OutputType       string         `json:"outputType"`
	Capabilities     []string       `json:"capabilities"`
	EstimatedCredits models.Credits `json:"estimatedCredits"`
}

func (a *API) listModels(ctx context.Context, _ *struct{}) (*many[modelView], error) {
	list, err := a.query().Models(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(list), func(m *generated.NodeModel) modelView {
		return modelView{
			ID: m.ID, Label: m.Label, NodeType: m.NodeType, Providers: []string{m.Provider}, OutputType: m.OutputType,
			Capabilities: m.Capabilities, EstimatedCredits: m.EstimatedCredits,
		}
	}), nil
}

// nodeRunRoutes run single nodes: a route for each node type that can run by
// itself, so that an unknown type is an unknown path.
func (a *API) nodeRunRoutes() {
	types, err := a.query().NodeTypes(context.Background())
	if err != nil {
		panic(err) // the catalogue is part of the program
	}
	for _, t := range types {
		if _, makes := generatedKinds[t.Type]; makes || !run.IsStandalone(t.Type) {
			continue
		}
		also := 0
		if run.AnswersWithResult(t.Type) {
			also = http.StatusOK
		}
		handle(a, route{
			Method: "POST", Path: "/v1/" + t.Type, Tag: "Single nodes", Scope: models.ScopeExecute,
			Status: http.StatusAccepted, Also: also, Awaited: also != 0, Summary: t.Label + ": " + t.Description,
		}, a.runNode(t.Type))
		paths := []string{"/v1/" + t.Type}
		if path := alsoAt[t.Type]; path != "" {
			handle(a, route{
				Method: "POST", Path: path, Tag: "Single nodes", Scope: models.ScopeExecute,
				Status: http.StatusAccepted, Also: also, Awaited: also != 0, Summary: t.Label + ": " + t.Description,
			}, a.runNode(t.Type))
			paths = append(paths, path)
		}
		for _, path := range paths {
			if err := a.describeSettings(path, t.InputSchema); err != nil {
				panic(err)
			}
		}
	}
}

// alsoAt are further paths of node types, which the contract names.
var alsoAt = map[string]string{"3d-scene": "/v1/3d-scene/generate"}

// describeSettings writes a type's settings into the document; huma leaves
// their check to the node.
func (a *API) describeSettings(path string, inputSchema json.RawMessage) error {
	schema := map[string]any{}
	if err := json.Unmarshal(inputSchema, &schema); err != nil {
		return err
	}
	example := map[string]any{}
	required, _ := schema["required"].([]any)
	for _, field := range required {
		example[field.(string)] = exampleSettings[field.(string)]
	}
	body := a.OpenAPI().Paths[path].Post.RequestBody.Content[applicationJSON]
	body.Schema, body.Example = &huma.Schema{Extensions: schema}, example
	return nil
}

// exampleSettings are values for the fields that some node needs.
var exampleSettings = map[string]any{
	"prompt": "A fox in the snow", "idea": "A fox in the snow", "text": "A fox in the snow", "template": "{{animal}} in the snow",
	"script": "INT. KITCHEN - DAY\n\nMIRA\nIs anybody there?", "characterId": "018f4d7a-0000-7000-8000-000000000001",
	"pattern": "[0-9]+", "expression": "size(input.text) > 10", "data": map[string]any{"animals": []string{"fox", "owl"}},
	"imageUrl": "https://atelier.example/media/fox.png", "overlayUrl": "https://atelier.example/media/logo.png",
	"videoUrl": "https://atelier.example/media/fox.mp4", "url": "https://atelier.example/media/fox.mp4",
	"videoUrls": []string{"https://atelier.example/media/fox.mp4", "https://atelier.example/media/owl.mp4"},
	"audioUrl":  "https://atelier.example/media/fox.mp3", "secondUrl": "https://atelier.example/media/wind.mp3",
	"clips": []map[string]any{
		{"url": "https://atelier.example/media/fox.mp4", "start": 0.5, "end": 4},
		{"url": "https://atelier.example/media/logo.png", "duration": 2.5, "fit": "cover"},
	},
	"motionPlan": map[string]any{
		"animation":  map[string]any{"v": "5.7.0", "fr": 30, "ip": 0, "op": 60, "w": 200, "h": 200, "layers": []any{}},
		"slots":      map[string]any{"title": map[string]any{"type": "text", "value": "Fox"}},
		"slotValues": map[string]any{},
	},
}

type nodeRunInput struct {
	Body map[string]any `doc:"The node's settings; see inputSchema of GET /v1/nodes/{type}."`
}

// nodeRunView is a started job; one that ended already has its result too.
type nodeRunView struct {
	JobID        models.ID        `json:"jobId"`
	Status       run.JobStatus    `json:"status,omitempty" doc:"Of a job that ended before the answer."`
	OutputData   map[string]any   `json:"output_data,omitempty"`
	ErrorMessage *string          `json:"error_message,omitempty"`
	ErrorHint    *string          `json:"error_hint,omitempty"`
	Adjustments  []map[string]any `json:"adjustments,omitempty" doc:"Numbers that were moved into their range."`
	Warnings     []string         `json:"warnings,omitempty"`
}

func (a *API) runNode(nodeType string) func(context.Context, *nodeRunInput) (*plain[nodeRunView], error) {
	return func(ctx context.Context, in *nodeRunInput) (*plain[nodeRunView], error) {
		run, err := a.mutation().RunNode(ctx, nodeType, in.Body, false) // awaitNode waits
		if err != nil {
			return nil, err
		}
		view := nodeRunView{JobID: run.Job.ID, Adjustments: run.Adjustments, Warnings: run.Warnings}
		if !run.Inline {
			return &plain[nodeRunView]{Status: http.StatusAccepted, Body: view}, nil
		}
		view.show(run.Job)
		return &plain[nodeRunView]{Status: http.StatusOK, Body: view}, nil
	}
}

// show adds how a job ended.
func (v *nodeRunView) show(j *run.Job) {
	job := j.Public()
	v.Status, v.OutputData, v.ErrorMessage, v.ErrorHint = job.Status, job.OutputData, job.ErrorMessage, job.ErrorHint
}

// awaitNode answers the start of a single node with its result. The job is
// accepted first, with whatever that commits and remembers; the waiting holds
// no database connection. What takes longer is answered as accepted.
func (a *API) awaitNode(ctx huma.Context, next func(huma.Context)) {
	request, w := humamux.Unwrap(ctx)
	accepted, started := newKept(), nodeRunView{}
	next(humamux.NewContext(ctx.Operation(), request, accepted))
	inbound.From(request.Context()).Release()
	if accepted.status == http.StatusAccepted && json.Unmarshal(accepted.body.Bytes(), &started) == nil {
		job, err := hold(request.Context(), a, func(ctx context.Context) (*run.Job, error) {
			return a.Resolver.Runs.Jobs().Await(ctx, started.JobID, run.MaxAnswer)
		})
		switch {
		case models.HasCode(err, models.CodeNotFound): // deleted since a first request was answered
		case err != nil:
			WriteProblem(w, request, err)
			return
		case job.Rests():
			started.show(job)
			accepted.status = http.StatusOK
			accepted.body.Reset()
			_ = jsonFormat.Marshal(&accepted.body, started)
		}
	}
	accepted.send(w)
}
