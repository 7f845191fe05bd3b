package scene

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a scene out of decoded JSON and checks it; refusals are *Error.
func Parse(value any) (*Scene, error) {
	r := &reader{ids: map[string]bool{}}
	s := r.scene(value)
	if r.err != nil {
		return nil, r.err
	}
	if len(s.Meshes()) > MaxMeshes {
		return nil, wrong("objects", "must bring in at most %d models", MaxMeshes)
	}
	return s, nil
}

// reader keeps the first thing that is wrong.
type reader struct {
	err   error
	count int
	ids   map[string]bool
}

func (r *reader) refuse(field, format string, args ...any) {
	if r.err == nil {
		r.err = wrong(field, format, args...)
	}
}

// fields is an object with no names but those.
func (r *reader) fields(field string, value any, names ...string) map[string]any {
	m, ok := value.(map[string]any)
	if !ok {
		r.refuse(orScene(field), "must be an object")
		return nil
	}
	unknown := ""
	for name := range m {
		if !slices.Contains(names, name) && (unknown == "" || name < unknown) {
			unknown = name
		}
	}
	if unknown != "" {
		r.refuse(orScene(field), "has a field that is not known here; its fields are %s", strings.Join(names, ", "))
	}
	return m
}

func orScene(field string) string {
	if field == "" {
		return "scene"
	}
	return field
}

func (r *reader) scene(value any) *Scene {
	m := r.fields("", value, "version", "units", "ground", "sky", "lights", "camera", "objects")
	s := &Scene{Version: 1, Units: "m", Sky: Sky{Color: skyBlue}}
	if v := m["version"]; v != nil && r.number("version", v, -maxPlace, maxPlace) != 1 {
		r.refuse("version", "must be 1")
	}
	if u := m["units"]; u != nil && u != "m" {
		r.refuse("units", "must be m")
	}
	if m["ground"] != nil {
		g := r.fields("ground", m["ground"], "color", "size")
		s.Ground = &Ground{Color: r.color("ground.color", g["color"], grassGreen)}
		if g["size"] != nil {
			s.Ground.Size = r.number("ground.size", g["size"], minSize, maxSize)
		}
	}
	if m["sky"] != nil {
		s.Sky.Color = r.color("sky.color", r.fields("sky", m["sky"], "color")["color"], skyBlue)
	}
	for i, v := range r.list("lights", m["lights"], maxLights) {
		s.Lights = append(s.Lights, r.light(at("lights", i), v))
	}
	if m["camera"] != nil {
		s.Camera = r.camera(m["camera"])
	}
	objects := r.list("objects", m["objects"], MaxObjects)
	if len(objects) == 0 {
		r.refuse("objects", "must have at least one entry")
	}
	s.Objects = r.objects("objects", objects, 1)
	return s
}

func at(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

func (r *reader) light(field string, value any) Light {
	m := r.fields(field, value, "kind", "color", "intensity", "position", "direction")
	l := Light{Kind: r.word(field+".kind", m["kind"], Sun, Sun, Point), Color: r.color(field+".color", m["color"], "#ffffff"), Intensity: 1}
	if m["intensity"] != nil {
		l.Intensity = r.number(field+".intensity", m["intensity"], 0, 100)
	}
	if l.Kind == Sun {
		d := Vec{-0.5, -1, -0.4}
		if m["direction"] != nil {
			d = r.vec(field+".direction", m["direction"], -maxPlace, maxPlace)
		}
		if d.length() < 1e-6 {
			r.refuse(field+".direction", "must lead somewhere")
		}
		l.Direction = &d
		return l
	}
	p := r.vec(field+".position", m["position"], -maxPlace, maxPlace)
	l.Position = &p
	return l
}

func (r *reader) camera(value any) *Camera {
	m := r.fields("camera", value, "position", "target", "fov")
	c := &Camera{Position: r.vec("camera.position", m["position"], -farPlace, farPlace), Fov: 40}
	if m["target"] != nil {
		c.Target = r.vec("camera.target", m["target"], -maxPlace, maxPlace)
	}
	if m["fov"] != nil {
		c.Fov = r.number("camera.fov", m["fov"], 5, 120)
	}
	if c.Position.sub(c.Target).length() < minSize {
		r.refuse("camera.target", "must be elsewhere than the camera")
	}
	return c
}

func (r *reader) objects(field string, values []any, level int) []Object {
	if level > MaxLevels && len(values) > 0 {
		r.refuse(field, "must be at most %d levels deep", MaxLevels)
		return nil
	}
	var all []Object
	for i, value := range values {
		if r.err != nil {
			return nil
		}
		if r.count++; r.count > MaxObjects {
			r.refuse(field, "must not bring the scene over %d objects", MaxObjects)
			return nil
		}
		all = append(all, r.object(at(field, i), value, level))
	}
	return all
}

func (r *reader) object(field string, value any, level int) Object {
	m := r.fields(field, value, "id", "shape", "position", "rotation", "size", "scale", "color", "metalness", "roughness", "opacity",
		"text", "values", "modelUrl", "children")
	o := Object{Shape: r.shape(field+".shape", m["shape"])}
	o.ID = r.id(field+".id", m["id"], o.Shape)
	if m["position"] != nil {
		o.Position = r.vec(field+".position", m["position"], -maxPlace, maxPlace)
	}
	if m["rotation"] != nil {
		o.Rotation = r.vec(field+".rotation", m["rotation"], -36_000, 36_000)
	}
	o.Size, o.Scale = r.measure(field+".size", m["size"]), r.measure(field+".scale", m["scale"])
	switch {
	case o.Size != nil && o.Scale != nil:
		r.refuse(field+".scale", "must not be sent together with size")
	case o.Size != nil && o.Shape == "group":
		r.refuse(field+".size", "must be left out; a group has a scale")
	}
	if m["color"] != nil {
		o.Color = r.color(field+".color", m["color"], "")
	}
	o.Metalness, o.Roughness, o.Opacity = r.share(field+".metalness", m["metalness"]), r.share(field+".roughness", m["roughness"]), r.share(field+".opacity", m["opacity"])
	if m["text"] != nil {
		o.Text = r.text(field+".text", m["text"], MaxText)
	}
	for i, v := range r.list(field+".values", m["values"], MaxValues) {
		o.Values = append(o.Values, r.number(at(field+".values", i), v, -1e9, 1e9))
	}
	r.byShape(field, m, &o)
	o.Children = r.objects(field+".children", r.list(field+".children", m["children"], MaxObjects), level+1)
	return o
}

// byShape checks what only some shapes have.
func (r *reader) byShape(field string, m map[string]any, o *Object) {
	if m["modelUrl"] != nil {
		o.ModelURL = r.text(field+".modelUrl", m["modelUrl"], 4_000)
	}
	switch {
	case o.Shape == "mesh" && o.ModelURL == "":
		r.refuse(field+".modelUrl", "is required for a mesh")
	case o.Shape != "mesh" && o.ModelURL != "":
		r.refuse(field+".modelUrl", "must be left out; a mesh alone has one")
	case o.Shape == "text" && strings.TrimSpace(o.Text) == "":
		r.refuse(field+".text", "is required for a text")
	case o.Shape == "molecule" && o.Text != "" && !knownMolecule(o.Text):
		r.refuse(field+".text", "must be one of %s", strings.Join(Molecules(), ", "))
	}
}

func (r *reader) shape(field string, value any) string {
	s, _ := value.(string)
	if !slices.Contains(Shapes(), s) {
		r.refuse(field, "must be one of %s", strings.Join(Shapes(), ", "))
		return "box"
	}
	return s
}

// id is the object's own name, or one made of its shape.
func (r *reader) id(field string, value any, shape string) string {
	id, ok := value.(string)
	if value != nil && (!ok || id == "" || utf8.RuneCountInString(id) > 60 || !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl)) {
		r.refuse(field, "must be a text of 1 to 60 characters")
	}
	if id == "" {
		for n := 1; id == "" || r.ids[id]; n++ {
			id = shape + "-" + strconv.Itoa(n)
		}
	}
	if r.ids[id] {
		r.refuse(field, "must be there once")
	}
	r.ids[id] = true
	return id
}

func (r *reader) text(field string, value any, most int) string {
	s, ok := value.(string)
	switch {
	case !ok:
		r.refuse(field, "must be a text")
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		r.refuse(field, "must be one line of plain text")
	case utf8.RuneCountInString(s) > most:
		r.refuse(field, "must be at most %d characters long", most)
	}
	return s
}

func (r *reader) word(field string, value any, standard string, known ...string) string {
	if value == nil {
		return standard
	}
	s, _ := value.(string)
	if !slices.Contains(known, s) {
		r.refuse(field, "must be one of %s", strings.Join(known, ", "))
	}
	return s
}

func (r *reader) list(field string, value any, most int) []any {
	if value == nil {
		return nil
	}
	items, ok := value.([]any)
	if !ok {
		r.refuse(field, "must be a list")
	}
	if len(items) > most {
		r.refuse(field, "must have at most %d entries", most)
		return nil
	}
	return items
}

func (r *reader) number(field string, value any, least, most float64) float64 {
	var v float64
	switch value := value.(type) {
	case float64:
		v = value
	case int:
		v = float64(value)
	case json.Number:
		f, err := value.Float64()
		if err != nil {
			r.refuse(field, "must be a number")
		}
		v = f
	default:
		r.refuse(field, "must be a number")
		return least
	}
	if math.IsNaN(v) || v < least || v > most {
		r.refuse(field, "must be from %s to %s", short(least), short(most))
		return least
	}
	return v
}

func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (r *reader) share(field string, value any) *float64 {
	if value == nil {
		return nil
	}
	v := r.number(field, value, 0, 1)
	return &v
}

func (r *reader) vec(field string, value any, least, most float64) (v Vec) {
	items, ok := value.([]any)
	if !ok || len(items) != 3 {
		r.refuse(field, "must be a list of three numbers")
		return v
	}
	for i := range v {
		v[i] = r.number(at(field, i), items[i], least, most)
	}
	return v
}

// measure is a size or scale: three numbers, or one for all.
func (r *reader) measure(field string, value any) *Vec {
	if value == nil {
		return nil
	}
	var v Vec
	if _, many := value.([]any); many {
		items, _ := value.([]any)
		if len(items) != 3 {
			r.refuse(field, "must be a number, or a list of three")
			return nil
		}
		for i := range v {
			v[i] = r.number(field, items[i], minSize, maxSize)
		}
		return &v
	}
	n := r.number(field, value, minSize, maxSize)
	return &Vec{n, n, n}
}

func (r *reader) color(field string, value any, standard string) string {
	if value == nil {
		return standard
	}
	s, ok := value.(string)
	if !ok || !isHex(s) {
		r.refuse(field, "must be a colour such as #3366ff")
		return "#888888"
	}
	return strings.ToLower(s)
}

func isHex(s string) bool {
	if len(s) != 7 || s[0] != '#' {
		return false
	}
	_, err := strconv.ParseUint(s[1:], 16, 32)
	return err == nil && s[1] != '+' && s[1] != '-'
}
