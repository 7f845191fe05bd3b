package nodes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"strconv"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/scene"
)

var scene3DNode = &kit.Node{
	Type: "3d-scene", Label: "3D scene", Category: "image", OutputType: "image",
	Description:  "Builds a model to turn, to print and to render: from words, from scene JSON, or by a provider. The local builder knows a kit of shapes, molecules and whole scenes in English words.",
	Providers:    []string{kit.LocalName},
	Capabilities: []string{"text-to-3d"},
	InputSchema: kit.Object(
		prompt3D(),
		sceneField("Scene JSON, which is built as it stands; it wins over the prompt."),
		kit.Address("imageUrl", "Picture", "What a model of a provider follows.", "image"),
		kit.Toggle("stl", "STL", "Whether to make a file for 3D printers too.", false),
		kit.Integer("seed", "Seed", "The same prompt and seed give the same model; empty takes a new one each time.", 0, 2147483647),
		kit.Choice("provider", "Provider", "Who builds.", kit.LocalName),
	),
	Cost: builtHere, Prices: priceOfScene, MainInput: "prompt", MainOutput: "imageUrl", Pool: kit.Media,
	Check:        checkScene3D,
	Run:          buildScene3D,
	Remote:       map[string]kit.RemoteRun{kit.OpenAIName: sceneByOpenAI, kit.ReplicateName: sceneByReplicate},
	RemoteFields: kit.Properties{kit.Integer("maxTokens", "Longest answer", "In tokens, of a text model that writes the scene.", kit.MinTokens, kit.MaxTokens).Or(float64(sceneTokens))},
}

// sceneTokens are what a text model may write where no one says how much.
const sceneTokens = 4_000

func prompt3D() kit.Property {
	p := kit.Area("prompt", "Prompt", "What to build, such as: three tall pines next to a red house.")
	p.Schema.MaxLength = scene.MaxPrompt
	return p
}

func sceneField(about string) kit.Property {
	p := kit.FieldOf("object", "scene", "Scene", about)
	p.Schema.Control = "json"
	return p
}

// builtHere is what a scene costs that this install builds.
const builtHere = 2 * models.Credit

// priceOfScene is of this install, or of the model with what it may write. Of a scene that is there no one writes anything.
func priceOfScene(input map[string]any, model *kit.Model) models.Credits {
	if model == nil || input["scene"] != nil {
		return builtHere
	}
	tokens := int64(sceneTokens)
	if input["maxTokens"] != nil {
		tokens = int64(kit.TokenLimit(input))
	}
	return model.Price(kit.StandardTokens, tokens)
}

func checkScene3D(prefix string, input map[string]any) error {
	words, _ := input["prompt"].(string)
	words = strings.TrimSpace(words)
	who, _ := input["provider"].(string)
	switch {
	case input["scene"] != nil:
		_, err := readScene(prefix+"scene", input["scene"])
		return err
	case words == "" && kit.IsEmpty(input["imageUrl"]):
		return models.Invalid(prefix+"prompt", "is required, or scene, or imageUrl")
	case words == "" && who != kit.ReplicateName:
		return models.Invalid(prefix+"imageUrl", "needs the provider replicate: its operator must set REPLICATE_API_TOKEN and name a model of type 3d-scene in PROVIDER_MODELS; without one send a prompt or a scene")
	}
	return nil
}

// readScene checks a scene that was sent; refusals name the field.
func readScene(field string, value any) (*scene.Scene, error) {
	s, err := scene.Parse(value)
	if err == nil {
		err = scene.Weigh(s)
	}
	var bad *scene.Error
	if errors.As(err, &bad) {
		name := field
		if bad.Field != "scene" {
			name += "." + bad.Field
		}
		return nil, models.Invalid(name, "%s", bad.Message)
	}
	if err != nil {
		return nil, err
	}
	s.Each(func(name string, o *scene.Object) {
		if err == nil && o.Shape == "mesh" && !kit.IsAddress(o.ModelURL) {
			err = models.Invalid(field+"."+name+".modelUrl", "must be a web address")
		}
	})
	return s, err
}

// told is what an output says of how a scene came about.
type told struct {
	understood              []scene.Word
	notUnderstood, warnings []string
	provider, model         string
	seed                    int64
}

func buildScene3D(ctx context.Context, in *kit.Call) (kit.Output, error) {
	t := told{provider: kit.LocalName, seed: seedOrNew(in)}
	if in.Has("imageUrl") && in.Text("imageUrl") != "" {
		t.warnings = append(t.warnings, "The picture was not used: only models of a provider follow one.")
	}
	if in.Has("scene") {
		s, err := readScene("scene", in.Input["scene"])
		if err != nil {
			return nil, kit.FailureOf(err)
		}
		return makeScene(ctx, in, s, t)
	}
	u, ok := scene.FromWords(in.Text("prompt"), t.seed)
	t.understood, t.notUnderstood = u.Understood, u.NotUnderstood
	if !ok {
		return nil, kit.Failf("No thing of the prompt is known here").
			WithHint("Nothing was charged. Name some of: %s. Or a whole scene: %s. For more, the operator can set %s.", strings.Join(scene.Kit(), ", "),
				strings.Join(scene.WholeScenes(), ", "), kit.ProviderVariables[kit.OpenAIName])
	}
	if u.Asked > scene.MaxObjects {
		return nil, notBuilt(fmt.Errorf("it asks for %d objects; at most %d work", u.Asked, scene.MaxObjects))
	}
	return makeScene(ctx, in, u.Scene, t)
}

// notBuilt says why there is no model of a scene.
func notBuilt(err error) error {
	return kit.Failf("The scene cannot be built: %s", err).WithHint("Nothing was charged. Make it smaller, or leave something out.")
}

// built is the model of a checked scene, with the models that it brings in.
func built(ctx context.Context, in *kit.Call, s *scene.Scene) (*scene.Model, error) {
	meshes, triangles := map[string]*scene.Model{}, 0
	for _, address := range s.Meshes() {
		m, err := readModel(ctx, in, address)
		if err != nil {
			return nil, err
		}
		if triangles += m.Triangles(); triangles > scene.MaxTriangles { // before the next one is read
			return nil, notBuilt(fmt.Errorf("its models have more than %d triangles", scene.MaxTriangles))
		}
		meshes[address] = m
	}
	m, err := scene.Build(s, meshes)
	if err != nil {
		return nil, notBuilt(err)
	}
	return m, nil
}

// makeScene builds a checked scene, and keeps the model, its picture and its print.
func makeScene(ctx context.Context, in *kit.Call, s *scene.Scene, t told) (kit.Output, error) {
	m, err := built(ctx, in, s)
	if err != nil {
		return nil, err
	}
	in.Report(20)
	glb, err := m.GLB()
	if err != nil {
		return nil, notBuilt(err)
	}
	out, err := keepModel(ctx, in, m, glb, t)
	if err != nil {
		return nil, err
	}
	out["scene"], err = plainJSON(s)
	out["objects"] = s.Count()
	return out, err
}

// plainJSON is a value as it reads in JSON.
func plainJSON(value any) (plain any, err error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return plain, models.ReadJSON(text, &plain)
}

// keepModel keeps a model's file, a picture of it and, where wanted, its form for printers.
func keepModel(ctx context.Context, in *kit.Call, m *scene.Model, glb []byte, t told) (kit.Output, error) {
	img, err := preview(ctx, m)
	if err != nil {
		return nil, err
	}
	in.Report(70)
	out, err := in.SaveImage(ctx, "model", img)
	if err != nil {
		return nil, err
	}
	kept, err := in.Media.Save(ctx, "model.glb", GLBType, bytes.NewReader(glb))
	if err != nil {
		return nil, err
	}
	out["modelUrl"] = kept.URL
	if in.Flag("stl") {
		printed, err := in.Media.Save(ctx, "model.stl", "model/stl", bytes.NewReader(m.STL()))
		if err != nil {
			return nil, err
		}
		out["stlUrl"] = printed.URL
	}
	size := m.Bounds().Size()
	out["triangles"], out["size"] = m.Printed().Triangles(), []any{rounded(size[0]), rounded(size[1]), rounded(size[2])}
	out["understood"], out["notUnderstood"], out["warnings"] = countedWords(t.understood), anyTexts(t.notUnderstood), anyTexts(t.warnings)
	out["provider"], out["seed"] = t.provider, t.seed
	if t.model != "" {
		out["model"] = t.model
	}
	return out, nil
}

// countedWords are words as they stand in an output.
func countedWords(words []scene.Word) []any {
	all := make([]any, len(words))
	for i, w := range words {
		all[i] = map[string]any{"word": w.Word, "count": w.Count}
	}
	return all
}

func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 3, 64), 64)
	return r
}

// preview is a picture of a model, with its own camera and light.
func preview(ctx context.Context, m *scene.Model) (image.Image, error) {
	const width, height = 1280, 720
	camera := m.Camera
	if camera == nil {
		camera = m.Look(scene.Views["three-quarter"], 16.0/9)
	}
	lights, ambient := scene.Lighting("scene", m)
	back := scene.Vec{0.9, 0.93, 0.96}
	if m.HasSky {
		back = m.Sky
	}
	return rastered(ctx, m, scene.Picture{Width: width, Height: height, Camera: camera, Background: &back, Studio: true, Lights: lights, Ambient: ambient})
}

// rastered is the quick picture of a model.
func rastered(ctx context.Context, m *scene.Model, p scene.Picture) (image.Image, error) {
	img, err := m.Raster(ctx, p)
	if errors.Is(err, scene.ErrTooLong) {
		return nil, kit.Failf("The model takes too long to draw").WithHint("Nothing was charged. Use a simpler model, or a smaller picture.")
	}
	return img, err
}
