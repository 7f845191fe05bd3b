package scene

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// POV writes the model as a text for POV-Ray, of numbers alone: no word of anyone's is in it.
func (m *Model) POV(out io.Writer, p Picture) error {
	b := bufio.NewWriterSize(out, 1<<16)
	num := func(v float64) string {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = 0
		}
		return strconv.FormatFloat(v, 'f', 6, 64)
	}
	vec := func(v Vec) string { return "<" + num(v[0]) + "," + num(v[1]) + "," + num(v[2]) + ">" }
	c := p.Camera
	aspect := float64(p.Width) / float64(p.Height)
	wide := 2 * math.Atan(math.Tan(c.Fov*math.Pi/360)*aspect) * 180 / math.Pi
	size := math.Max(m.Bounds().Size().length(), 1e-3)
	b.WriteString("#version 3.7;\nglobal_settings { assumed_gamma 1.0 max_trace_level 8 }\n")
	up := Vec{0, 1, 0}
	if d := c.Target.sub(c.Position).unit(); math.Abs(d[1]) > 0.9999 {
		up = Vec{0, 0, -1}
	}
	// The negative right turns POV-Ray's left-handed world into ours.
	fmt.Fprintf(b, "camera { location %s sky %s right <%s,0,0> up <0,1,0> angle %s look_at %s }\n", vec(c.Position), vec(up), num(-aspect), num(math.Min(wide, 170)), vec(c.Target))
	if p.Background != nil {
		back := linear(*p.Background)
		fmt.Fprintf(b, "background { rgb %s }\n", vec(back))
		if p.Studio {
			top := linear(mixed(*p.Background, Vec{1, 1, 1}, 0.6))
			fmt.Fprintf(b, "sky_sphere { pigment { gradient y color_map { [0 rgb %s] [0.5 rgb %s] [1 rgb %s] } scale 2 translate -1 } }\n", vec(back), vec(back), vec(top))
		}
	}
	for _, l := range p.Lights {
		color := linear(hex(l.Color)).times(l.Intensity / math.Pi * 1.1)
		if l.Kind == Point {
			fmt.Fprintf(b, "light_source { %s rgb %s fade_distance 1 fade_power 2 }\n", vec(*l.Position), vec(color.times(2)))
			continue
		}
		from := m.Bounds().middle().sub(l.Direction.unit().times(size * 6))
		x := l.Direction.across().times(size * 0.7)
		y := l.Direction.unit().cross(x)
		fmt.Fprintf(b, "light_source { %s rgb %s area_light %s, %s, 5, 5 adaptive 1 circular orient }\n", vec(from), vec(color), vec(x), vec(y))
	}
	m.flat(func(mesh *Mesh, to matrix) {
		if len(mesh.Indices) < 3 {
			return
		}
		fmt.Fprintf(b, "mesh2 {\nvertex_vectors { %d", len(mesh.Points))
		for _, v := range mesh.Points {
			b.WriteString("," + vec(to.point(v)))
		}
		fmt.Fprintf(b, " }\nnormal_vectors { %d", len(mesh.Normals))
		for _, v := range mesh.Normals {
			b.WriteString("," + vec(to.normal(v)))
		}
		fmt.Fprintf(b, " }\nface_indices { %d", len(mesh.Indices)/3)
		for i := 0; i+2 < len(mesh.Indices); i += 3 {
			fmt.Fprintf(b, ",<%d,%d,%d>", mesh.Indices[i], mesh.Indices[i+1], mesh.Indices[i+2])
		}
		b.WriteString(" }\n")
		look(b, mesh.Material, p.Ambient, num, vec)
		b.WriteString("}\n")
	})
	return b.Flush()
}

// look writes a material.
func look(b *bufio.Writer, m Material, ambient float64, num func(float64) string, vec func(Vec) string) {
	color := linear(m.Color)
	rough := math.Max(0.003, m.Rough*m.Rough)
	gloss := 1 - m.Rough
	fmt.Fprintf(b, "texture { pigment { rgb %s transmit %s } finish { ambient 0 emission %s diffuse %s specular %s roughness %s", vec(color), num(1-m.Opacity),
		vec(color.times(ambient*0.8).add(m.light())), num(0.85-0.6*m.Metal), num(0.15+0.6*gloss*gloss), num(math.Max(0.002, rough*0.3)))
	switch {
	case m.Metal > 0.3:
		fmt.Fprintf(b, " metallic reflection { %s metallic }", num(0.75*m.Metal*gloss))
	case m.Opacity < 1:
		b.WriteString(" reflection { 0.03, 0.5 }")
	case m.Rough < 0.4:
		fmt.Fprintf(b, " reflection { 0.0, %s }", num(0.35*(1-m.Rough)))
	}
	b.WriteString(" } }\n")
	if m.Opacity < 1 {
		b.WriteString("interior { ior 1.1 }\n")
	}
}
