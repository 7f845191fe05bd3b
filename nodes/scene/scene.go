// Package scene makes models of things: it reads scenes from JSON and from
// words, builds them from a kit of shapes, writes GLB and STL, reads GLB and
// glTF of others within bounds, and shows models by a rasteriser of its own
// and by a text for POV-Ray. The same scene always gives the same bytes.
package scene

import "fmt"

// The bounds of scenes and models.
const (
	// MaxObjects is how many objects a scene has, children counted.
	MaxObjects = 500
	// MaxLevels is how deep groups nest.
	MaxLevels = 5
	// MaxTriangles is how many triangles a model has.
	MaxTriangles = 500_000
	// MaxBytes is the size of a model's file.
	MaxBytes = 50 << 20
	// MaxText is how many characters a text of a scene has.
	MaxText = 100
	// MaxValues is how many values a chart has.
	MaxValues = 50
	// MaxMeshes is how many models a scene may bring in by their addresses.
	MaxMeshes = 20

	minSize, maxSize = 0.001, 10_000
	maxPlace         = 100_000
	farPlace         = 1_000_000 // of cameras, which see the whole
	maxLights        = 8
)

// Error says what is wrong with a scene, and in which field: objects[3].size.
type Error struct{ Field, Message string }

func (e *Error) Error() string { return e.Field + " " + e.Message }

func wrong(field, format string, args ...any) error {
	return &Error{field, fmt.Sprintf(format, args...)}
}

// Scene is what a model is built from. An object stands on the middle of its
// underside, which lies at its position.
type Scene struct {
	Version int      `json:"version"`
	Units   string   `json:"units"`
	Ground  *Ground  `json:"ground"`
	Sky     Sky      `json:"sky"`
	Lights  []Light  `json:"lights"`
	Camera  *Camera  `json:"camera"`
	Objects []Object `json:"objects"`
}

// Ground is a round disc under everything.
type Ground struct {
	Color string  `json:"color"`
	Size  float64 `json:"size"`
}

// Sky is the color behind everything.
type Sky struct {
	Color string `json:"color"`
}

// Light is a sun, which shines in a direction, or a lamp at a position.
type Light struct {
	Kind      string  `json:"kind"`
	Color     string  `json:"color"`
	Intensity float64 `json:"intensity"`
	Position  *Vec    `json:"position,omitempty"`
	Direction *Vec    `json:"direction,omitempty"`
}

// The kinds of lights.
const (
	Sun   = "sun"
	Point = "point"
)

// Camera looks from a position at a target; Fov is its vertical angle in degrees.
type Camera struct {
	Position Vec     `json:"position"`
	Target   Vec     `json:"target"`
	Fov      float64 `json:"fov"`
}

// Object is one thing of a scene, or a group of them.
type Object struct {
	ID        string    `json:"id"`
	Shape     string    `json:"shape"`
	Position  Vec       `json:"position"`
	Rotation  Vec       `json:"rotation"`
	Size      *Vec      `json:"size,omitempty"`
	Scale     *Vec      `json:"scale,omitempty"`
	Color     string    `json:"color,omitempty"`
	Metalness *float64  `json:"metalness,omitempty"`
	Roughness *float64  `json:"roughness,omitempty"`
	Opacity   *float64  `json:"opacity,omitempty"`
	Text      string    `json:"text,omitempty"`
	Values    []float64 `json:"values,omitempty"`
	ModelURL  string    `json:"modelUrl,omitempty"`
	Children  []Object  `json:"children,omitempty"`
}

// Meshes are the addresses of models that the scene brings in, each once.
func (s *Scene) Meshes() []string {
	var found []string
	seen := map[string]bool{}
	s.Each(func(_ string, o *Object) {
		if o.Shape == "mesh" && !seen[o.ModelURL] {
			seen[o.ModelURL] = true
			found = append(found, o.ModelURL)
		}
	})
	return found
}

// Count is how many objects the scene has.
func (s *Scene) Count() (n int) {
	s.Each(func(string, *Object) { n++ })
	return n
}

// Each calls f for every object, with its field: objects[3].children[0].
func (s *Scene) Each(f func(field string, o *Object)) {
	var walk func(string, []Object)
	walk = func(field string, objects []Object) {
		for i := range objects {
			name := at(field, i)
			f(name, &objects[i])
			walk(name+".children", objects[i].Children)
		}
	}
	walk("objects", s.Objects)
}
