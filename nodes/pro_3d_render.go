package nodes

import (
	"context"
	"fmt"
	"image"
	"strconv"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/scene"
)

var proRenderNode = &kit.Node{
	Type: "pro-3d-render", Label: "3D render", Category: "image", OutputType: "image",
	Description:  "Photographs a model, or films it as it turns: by a quick rasteriser, or by ray tracing with soft shadows and reflections.",
	Capabilities: []string{"3d-to-image", "3d-to-video"},
	InputSchema: kit.Object(
		kit.Address("modelUrl", "Model", "GLB, or glTF with everything inside.", ""),
		sceneField("Scene JSON, in place of a model."),
		kit.Choice("view", "View", "From where; scene is the model's own camera.", "three-quarter", "front", "back", "left", "right", "top", "scene"),
		cameraField(),
		kit.Choice("output", "Output", "A picture, or a film in which the model turns once.", imageOutput, turntableOutput),
		kit.Choice("quality", "Quality", "pro traces rays, draft is quick and has no shadows.", proQuality, draftQuality),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height.", "16:9", "1:1", "9:16", "4:3", "3:4"),
		kit.Choice("resolution", "Resolution", "Length of a picture's longer side: 1024, 2048 or 4096 pixels; 4K in draft quality alone.", "1K", "2K", "4K"),
		backgroundField(),
		kit.Choice("lighting", "Lighting", "Which lamps; scene takes the model's own.", "studio", "sun", "soft", "night", "scene"),
		kit.Integer("frames", "Pictures of a turn", "12 to 120 in draft quality, 12 to 48 in pro.", 12, 120).Or(48.0),
		kit.Number("seconds", "Length of a turn", "In seconds.", 1, 20).Or(6.0),
	),
	Cost: 3 * models.Credit, Prices: priceOfRender, PricedBy: []string{"quality", "output"}, MainInput: "modelUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Check: checkRender,
	Run:   render3D,
}

// The choices of renders.
const (
	imageOutput     = "image"
	turntableOutput = "turntable"
	proQuality      = "pro"
	draftQuality    = "draft"
	maxProFrames    = 48
	studioBack      = "studio"
)

func cameraField() kit.Property {
	p := kit.FieldOf("object", "camera", "Camera", "azimuth and elevation in degrees, distance as a multiple of what just shows all, fov in degrees; it wins over the view.")
	p.Schema.Properties = kit.Properties{
		kit.Number("azimuth", "Azimuth", "Degrees to the right.", -360, 360), kit.Number("elevation", "Elevation", "Degrees up.", -89.9, 89.9),
		kit.Number("distance", "Distance", "1 just shows all.", 0.2, 10), kit.Number("fov", "Angle", "Of the lens, in degrees.", 10, 100),
	}
	p.Schema.Order = []string{"azimuth", "elevation", "distance", "fov"}
	return p
}

func backgroundField() kit.Property {
	p := kit.Line("background", "Background", "studio, transparent (pictures alone), or a colour such as #ffffff.").Or(studioBack)
	p.Schema.MaxLength = 40
	return p
}

func priceOfRender(input map[string]any, _ *kit.Model) models.Credits {
	film, draft := input["output"] == turntableOutput, input["quality"] == draftQuality
	switch {
	case film && draft:
		return 4 * models.Credit
	case film:
		return 12 * models.Credit
	case draft:
		return models.Credit
	}
	return 3 * models.Credit
}

func checkRender(prefix string, input map[string]any) error {
	film, draft := input["output"] == turntableOutput, input["quality"] == draftQuality
	frames, _ := kit.ToNumber(input["frames"])
	back, _ := input["background"].(string)
	switch {
	case kit.IsEmpty(input["modelUrl"]) && input["scene"] == nil:
		return models.Invalid(prefix+"modelUrl", "is required, or scene")
	case !kit.IsEmpty(input["modelUrl"]) && input["scene"] != nil:
		return models.Invalid(prefix+"scene", "must not be sent together with modelUrl")
	case !film && !draft && input["resolution"] == "4K":
		return models.Invalid(prefix+"resolution", "must be 1K or 2K in pro quality")
	case film && !draft && frames > maxProFrames:
		return models.Invalid(prefix+"frames", "must be at most %d in pro quality", maxProFrames)
	case back != "" && back != studioBack && back != "transparent" && !kit.IsColor(back):
		return models.Invalid(prefix+"background", "must be studio, transparent or a colour such as #3366ff")
	case film && back == "transparent":
		return models.Invalid(prefix+"background", "must not be transparent in a turntable")
	}
	camera, _ := input["camera"].(map[string]any)
	for _, p := range cameraField().Schema.Properties {
		if camera[p.Name] == nil {
			continue
		}
		if v, ok := kit.ToNumber(camera[p.Name]); !ok || !(v >= *p.Schema.Minimum && v <= *p.Schema.Maximum) {
			return models.Invalid(prefix+"camera."+p.Name, "must be from %v to %v", *p.Schema.Minimum, *p.Schema.Maximum)
		}
	}
	if input["scene"] != nil {
		_, err := readScene(prefix+"scene", input["scene"])
		return err
	}
	return nil
}

func render3D(ctx context.Context, in *kit.Call) (kit.Output, error) {
	m, err := modelToRender(ctx, in)
	if err != nil {
		return nil, err
	}
	in.Report(10)
	lights, ambient := scene.Lighting(in.Text("lighting"), m)
	p := scene.Picture{Lights: lights, Ambient: ambient}
	p.Width, p.Height = kit.FrameSize(in.Text("aspectRatio"), kit.LongSides[in.Text("resolution")])
	if in.Text("output") == turntableOutput {
		p.Width, p.Height = kit.VideoFrame(in.Text("aspectRatio"), "720p")
	}
	p.Background, p.Studio = background(in, m)
	view, own := viewOf(in, m)
	aspect := float64(p.Width) / float64(p.Height)
	if own != nil {
		view = m.ViewOf(own, aspect)
	}
	look := func(turn float64) *scene.Camera {
		if own != nil {
			return own.Turned(turn)
		}
		turned := view
		turned.Azimuth += turn
		return m.Look(turned, aspect)
	}
	shown := map[string]any{"azimuth": rounded(view.Azimuth), "elevation": rounded(view.Elevation), "distance": rounded(view.Distance), "fov": rounded(view.Fov)}
	out, err := in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		if in.Text("output") == turntableOutput {
			return turntable(ctx, w, m, p, look)
		}
		p.Camera = look(0)
		img, err := shoot(ctx, w, m, p)
		if err != nil {
			return nil, err
		}
		return in.SaveImage(ctx, "render", img)
	})
	if err != nil {
		return nil, err
	}
	out["renderer"], out["camera"], out["triangles"], out["warnings"] = renderer(in), shown, m.Printed().Triangles(), []any{}
	out["width"], out["height"] = p.Width, p.Height
	return out, nil
}

func renderer(in *kit.Call) string {
	if in.Text("quality") == draftQuality {
		return "raster"
	}
	return "povray"
}

func modelToRender(ctx context.Context, in *kit.Call) (*scene.Model, error) {
	if in.Has("scene") {
		s, err := readScene("scene", in.Input["scene"])
		if err != nil {
			return nil, kit.FailureOf(err)
		}
		return built(ctx, in, s)
	}
	return readModel(ctx, in, in.Text("modelUrl"))
}

// viewOf is the view that was asked for, and the model's own camera where that is it.
func viewOf(in *kit.Call, m *scene.Model) (scene.View, *scene.Camera) {
	view := scene.Views[in.Text("view")]
	var own *scene.Camera
	if in.Text("view") == "scene" {
		own, view = m.Camera, scene.Views["three-quarter"]
	}
	view.Distance, view.Fov = 1, 38
	given := in.Object("camera")
	for name, to := range map[string]*float64{"azimuth": &view.Azimuth, "elevation": &view.Elevation, "distance": &view.Distance, "fov": &view.Fov} {
		if v, ok := kit.ToNumber(given[name]); ok {
			*to, own = v, nil
		}
	}
	return view, own
}

func background(in *kit.Call, m *scene.Model) (*scene.Vec, bool) {
	switch name := in.Text("background"); name {
	case "transparent":
		return nil, false
	case studioBack:
		back := scene.Vec{0.87, 0.9, 0.93}
		if in.Text("lighting") == "night" {
			back = scene.Vec{0.09, 0.11, 0.19}
		}
		if in.Text("lighting") == "scene" && m.HasSky {
			back = m.Sky
		}
		return &back, true
	default:
		c, _ := kit.ParseColor(name)
		return &scene.Vec{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255}, false
	}
}

// shoot makes one picture.
func shoot(ctx context.Context, w *kit.Workbench, m *scene.Model, p scene.Picture) (image.Image, error) {
	if renderer(w.In) == "raster" {
		return rastered(ctx, m, p)
	}
	return w.Povray(ctx, m, p)
}

// turntable films the model as it turns once.
func turntable(ctx context.Context, w *kit.Workbench, m *scene.Model, p scene.Picture, look func(float64) *scene.Camera) (kit.Output, error) {
	frames := w.In.Integer("frames")
	ctx, cancel := context.WithTimeout(ctx, kit.FfmpegTime)
	defer cancel()
	for i := range frames {
		p.Camera = look(360 * float64(i) / float64(frames))
		img, err := shoot(ctx, w, m, p)
		if err != nil {
			return nil, kit.TooLong(ctx, err)
		}
		if _, err := w.Picture(img); err != nil {
			return nil, err
		}
		w.In.Report(10 + 80*(i+1)/frames)
	}
	length := w.In.Number("seconds")
	rate := strconv.FormatFloat(float64(frames)/length, 'f', 6, 64)
	return w.EncodeVideo(ctx, length, "turntable", "-protocol_whitelist", "file", "-f", "image2", "-framerate", rate, "-start_number", "1",
		"-i", w.Path("picture%d.png"), "-vf", fmt.Sprintf("fps=%d", frameRate))
}
