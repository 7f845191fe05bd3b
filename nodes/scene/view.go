package scene

import "math"

// View says from where a model is looked at: degrees to its right and up, how far away as a
// multiple of what just shows all of it, and the vertical angle of the lens.
type View struct{ Azimuth, Elevation, Distance, Fov float64 }

// Views are the named ones.
var Views = map[string]View{
	"three-quarter": {Azimuth: 35, Elevation: 22}, "front": {}, "back": {Azimuth: 180}, "left": {Azimuth: -90}, "right": {Azimuth: 90}, "top": {Elevation: 89.9},
}

// Look is the camera of a view for a picture of so many pixels.
func (m *Model) Look(v View, aspect float64) *Camera { return m.frame(v, aspect, false) }

// frame places a camera so that every corner of what is there shows.
func (m *Model) frame(v View, aspect float64, whole bool) *Camera {
	if v.Fov == 0 {
		v.Fov = 38
	}
	if v.Distance == 0 {
		v.Distance = 1
	}
	box := m.Bounds()
	toward := onBall(1, v.Azimuth, v.Elevation)
	q := looking(toward.times(-1))
	axes := rotation(q)
	tall := math.Tan(v.Fov * math.Pi / 360)
	wide := tall * aspect
	middle := box.middle()
	far := 0.0
	for i := range 8 {
		corner := Vec{box.Min[0], box.Min[1], box.Min[2]}
		for k := range 3 {
			if i>>k&1 == 1 {
				corner[k] = box.Max[k]
			}
		}
		d := corner.sub(middle)
		depth := d.dot(axes.z)
		far = math.Max(far, depth+math.Max(math.Abs(d.dot(axes.x))/wide, math.Abs(d.dot(axes.y))/tall))
	}
	margin := 1.1
	if whole {
		margin = 1.15
	}
	return &Camera{Position: middle.add(toward.times(math.Max(far, 1e-3) * margin * v.Distance)), Target: middle, Fov: v.Fov}
}

// Turned is the camera moved around what it looks at, by degrees to the right.
func (c *Camera) Turned(degrees float64) *Camera {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	d := c.Position.sub(c.Target)
	return &Camera{Position: c.Target.add(Vec{d[0]*cos + d[2]*sin, d[1], d[2]*cos - d[0]*sin}), Target: c.Target, Fov: c.Fov}
}

// ViewOf is where a camera stands, as a view: its distance is a multiple of what just shows all of the model.
func (m *Model) ViewOf(c *Camera, aspect float64) View {
	d := c.Position.sub(c.Target)
	u := d.unit()
	v := View{Azimuth: math.Atan2(u[0], u[2]) * 180 / math.Pi, Elevation: math.Asin(math.Max(-1, math.Min(1, u[1]))) * 180 / math.Pi, Fov: c.Fov}
	whole := m.Look(v, aspect)
	v.Distance = d.length() / whole.Position.sub(whole.Target).length()
	return v
}

// Picture is how a model is shown.
type Picture struct {
	Width, Height int
	Camera        *Camera
	// Background is a color; nil leaves it transparent. Studio fades it towards the bottom.
	Background *Vec
	Studio     bool
	Lights     []Light
	// Ambient is the light from everywhere, 0 to 1.
	Ambient float64
}

// Lightings are the named ones, besides that of a scene.
func Lighting(name string, m *Model) (lights []Light, ambient float64) {
	sun := func(color string, strength float64, d Vec) Light {
		return Light{Kind: Sun, Color: color, Intensity: strength, Direction: &d}
	}
	switch name {
	case "sun":
		return []Light{sun("#fff1d6", 3.2, Vec{-0.6, -0.9, -0.35})}, 0.42
	case "soft":
		return []Light{sun("#ffffff", 1, Vec{-0.4, -1, -0.6}), sun("#ffffff", 0.7, Vec{0.8, -0.7, -0.3}), sun("#ffffff", 0.5, Vec{0.1, -0.6, 0.9})}, 0.7
	case "night":
		return []Light{sun("#8fa8e8", 0.9, Vec{0.5, -1, -0.3})}, 0.12
	case "scene":
		if len(m.Lights) > 0 {
			return m.Lights, 0.45
		}
	}
	return []Light{sun("#fff8ef", 2.1, Vec{-0.55, -0.8, -0.6}), sun("#dbe8ff", 0.8, Vec{0.9, -0.4, -0.3}), sun("#ffffff", 0.9, Vec{0.1, -0.5, 0.9})}, 0.42
}
