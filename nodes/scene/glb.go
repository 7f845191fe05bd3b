package scene

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

// linear is a color of sRGB as light.
func linear(c Vec) (l Vec) {
	for i, v := range c {
		if v <= 0.04045 {
			l[i] = v / 12.92
		} else {
			l[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return l
}

// toSRGB converts a color of light to sRGB.
func toSRGB(l Vec) (c Vec) {
	for i, v := range l {
		if v <= 0.0031308 {
			c[i] = 12.92 * math.Max(0, v)
		} else {
			c[i] = math.Min(1, 1.055*math.Pow(v, 1/2.4)-0.055)
		}
	}
	return c
}

// writer collects a document and its one buffer.
type writer struct {
	doc       *gltf.Document
	data      bytes.Buffer
	materials map[Material]int
}

// GLB is the model as a binary glTF 2.0 file: in metres, y up, right-handed.
func (m *Model) GLB() ([]byte, error) {
	w := &writer{doc: gltf.NewDocument(), materials: map[Material]int{}}
	w.doc.Asset.Generator = "Atelier"
	for _, n := range m.Nodes {
		w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, w.node(n))
	}
	w.camera(m)
	w.lights(m.Lights)
	if m.HasSky {
		w.doc.Scenes[0].Extras = map[string]any{"sky": m.Sky}
	}
	w.doc.Buffers = []*gltf.Buffer{{ByteLength: w.data.Len(), Data: w.data.Bytes()}}
	var out bytes.Buffer
	encoder := gltf.NewEncoder(&out)
	encoder.AsBinary = true
	if err := encoder.Encode(w.doc); err != nil {
		return nil, err
	}
	if out.Len() > MaxBytes {
		return nil, wrong("objects", "make a file of more than %d MiB", MaxBytes>>20)
	}
	return out.Bytes(), nil
}

func (w *writer) add(n *gltf.Node) int {
	w.doc.Nodes = append(w.doc.Nodes, n)
	return len(w.doc.Nodes) - 1
}

func (w *writer) node(n *Node) int {
	g := &gltf.Node{Name: n.Name, Translation: n.Translation, Rotation: n.Rotation, Scale: n.Scale}
	if n.ID != "" {
		g.Extras = map[string]any{"id": n.ID}
	}
	if len(n.Meshes) > 0 {
		mesh := &gltf.Mesh{Name: n.Name}
		for _, part := range n.Meshes {
			if len(part.Indices) > 0 {
				mesh.Primitives = append(mesh.Primitives, w.primitive(part))
			}
		}
		if len(mesh.Primitives) > 0 {
			w.doc.Meshes = append(w.doc.Meshes, mesh)
			g.Mesh = gltf.Index(len(w.doc.Meshes) - 1)
		}
	}
	for _, c := range n.Children {
		g.Children = append(g.Children, w.node(c))
	}
	return w.add(g)
}

func (w *writer) primitive(m *Mesh) *gltf.Primitive {
	indices := make([]byte, 0, 4*len(m.Indices))
	for _, i := range m.Indices {
		indices = binary.LittleEndian.AppendUint32(indices, i)
	}
	least, most := noBox().Min, noBox().Max
	for _, p := range m.Points {
		for i := range p {
			f := float64(float32(p[i]))
			least[i], most[i] = math.Min(least[i], f), math.Max(most[i], f)
		}
	}
	point := w.accessor(floats(m.Points), gltf.TargetArrayBuffer, &gltf.Accessor{ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3, Count: len(m.Points), Min: least[:], Max: most[:]})
	normal := w.accessor(floats(m.Normals), gltf.TargetArrayBuffer, &gltf.Accessor{ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3, Count: len(m.Normals)})
	return &gltf.Primitive{
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: point, gltf.NORMAL: normal},
		Indices:    gltf.Index(w.accessor(indices, gltf.TargetElementArrayBuffer, &gltf.Accessor{ComponentType: gltf.ComponentUint, Type: gltf.AccessorScalar, Count: len(m.Indices)})),
		Material:   gltf.Index(w.material(m.Material)),
	}
}

func floats(all []Vec) []byte {
	out := make([]byte, 0, 12*len(all))
	for _, v := range all {
		for _, f := range v {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(f)))
		}
	}
	return out
}

func (w *writer) accessor(data []byte, target gltf.Target, a *gltf.Accessor) int {
	view := &gltf.BufferView{Buffer: 0, ByteOffset: w.data.Len(), ByteLength: len(data), Target: target}
	w.data.Write(data)
	w.doc.BufferViews = append(w.doc.BufferViews, view)
	a.BufferView = gltf.Index(len(w.doc.BufferViews) - 1)
	w.doc.Accessors = append(w.doc.Accessors, a)
	return len(w.doc.Accessors) - 1
}

func (w *writer) material(m Material) int {
	if i, ok := w.materials[m]; ok {
		return i
	}
	c := linear(m.Color)
	g := &gltf.Material{PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
		BaseColorFactor: &[4]float64{c[0], c[1], c[2], m.Opacity}, MetallicFactor: gltf.Float(m.Metal), RoughnessFactor: gltf.Float(m.Rough),
	}}
	if m.Opacity < 1 {
		g.AlphaMode = gltf.AlphaBlend
	}
	for i, e := range m.light() {
		g.EmissiveFactor[i] = math.Min(1, e)
	}
	w.doc.Materials = append(w.doc.Materials, g)
	w.materials[m] = len(w.doc.Materials) - 1
	return w.materials[m]
}

// light is what a material sends out by itself.
func (m Material) light() Vec { return linear(m.Color).times(m.Glow).add(m.Emission) }

func (w *writer) camera(m *Model) {
	c := m.Camera
	if c == nil {
		return
	}
	reach := c.Position.sub(c.Target).length() + m.Bounds().Size().length()
	w.doc.Cameras = []*gltf.Camera{{Name: "camera", Perspective: &gltf.Perspective{Yfov: c.Fov * math.Pi / 180, Znear: math.Max(reach/2000, 1e-4), Zfar: gltf.Float(reach * 4)}}}
	n := w.add(&gltf.Node{Name: "camera", Camera: gltf.Index(0), Translation: c.Position, Rotation: looking(c.Target.sub(c.Position)), Scale: Vec{1, 1, 1}})
	w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, n)
}

func (w *writer) lights(all []Light) {
	if len(all) == 0 {
		return
	}
	var lights lightspunctual.Lights
	for i, l := range all {
		c := linear(hex(l.Color))
		light := &lightspunctual.Light{Type: lightspunctual.TypeDirectional, Color: &[3]float64{c[0], c[1], c[2]}, Intensity: gltf.Float(l.Intensity)}
		n := &gltf.Node{Name: "light", Rotation: [4]float64{0, 0, 0, 1}, Scale: Vec{1, 1, 1}, Extensions: gltf.Extensions{lightspunctual.ExtensionName: lightReference{i}}}
		if l.Kind == Point {
			light.Type, n.Translation = lightspunctual.TypePoint, *l.Position
		} else {
			n.Rotation = looking(*l.Direction)
		}
		lights = append(lights, light)
		w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, w.add(n))
	}
	w.doc.ExtensionsUsed = []string{lightspunctual.ExtensionName}
	w.doc.Extensions = gltf.Extensions{lightspunctual.ExtensionName: map[string]any{"lights": lights}}
}

type lightReference struct {
	Light int `json:"light"`
}

// looking turns what looks along -z so that it looks along a direction.
func looking(d Vec) [4]float64 {
	back := d.unit().times(-1)
	right := Vec{0, 1, 0}.cross(back)
	if right.length() < 1e-6 {
		right = Vec{1, 0, 0}
	}
	right = right.unit()
	up := back.cross(right)
	return quaternionOf(matrix{right, up, back, Vec{}})
}

func quaternionOf(m matrix) [4]float64 {
	var q [4]float64
	switch trace := m.x[0] + m.y[1] + m.z[2]; {
	case trace > 0:
		s := 2 * math.Sqrt(trace+1)
		q = [4]float64{(m.y[2] - m.z[1]) / s, (m.z[0] - m.x[2]) / s, (m.x[1] - m.y[0]) / s, s / 4}
	case m.x[0] > m.y[1] && m.x[0] > m.z[2]:
		s := 2 * math.Sqrt(1+m.x[0]-m.y[1]-m.z[2])
		q = [4]float64{s / 4, (m.y[0] + m.x[1]) / s, (m.z[0] + m.x[2]) / s, (m.y[2] - m.z[1]) / s}
	case m.y[1] > m.z[2]:
		s := 2 * math.Sqrt(1+m.y[1]-m.x[0]-m.z[2])
		q = [4]float64{(m.y[0] + m.x[1]) / s, s / 4, (m.z[1] + m.y[2]) / s, (m.z[0] - m.x[2]) / s}
	default:
		s := 2 * math.Sqrt(1+m.z[2]-m.x[0]-m.y[1])
		q = [4]float64{(m.z[0] + m.x[2]) / s, (m.z[1] + m.y[2]) / s, s / 4, (m.x[1] - m.y[0]) / s}
	}
	l := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	for i := range q {
		q[i] /= l
	}
	return q
}

// STL is the model's form alone, as a binary file for printers: in millimetres as slicers
// read it, z up.
func (m *Model) STL() []byte {
	var out bytes.Buffer
	out.Write(make([]byte, 80))
	things := m.Printed()
	binary.Write(&out, binary.LittleEndian, uint32(things.Triangles()))
	up := func(v Vec) Vec { return Vec{v[0], -v[2], v[1]} }
	things.flat(func(mesh *Mesh, to matrix) {
		for i := 0; i+2 < len(mesh.Indices); i += 3 {
			var t [3]Vec
			for k := range t {
				t[k] = up(to.point(mesh.Points[mesh.Indices[i+k]])).times(1000)
			}
			if to.mirrors() {
				t[0], t[1] = t[1], t[0]
			}
			out.Write(floats(append([]Vec{t[1].sub(t[0]).cross(t[2].sub(t[0])).unit()}, t[:]...)))
			out.Write([]byte{0, 0})
		}
	})
	return out.Bytes()
}
