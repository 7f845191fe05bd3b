package scene

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
)

// Material is how a surface looks; Color is of sRGB from 0 to 1.
type Material struct {
	Color                 Vec
	Metal, Rough, Opacity float64
	Glow                  float64
	Emission              Vec // linear, of models of others
}

// Mesh is triangles of one material.
type Mesh struct {
	Points, Normals []Vec
	Indices         []uint32
	Material        Material
}

// Node is a thing of a model, with its own meshes and those of its children.
type Node struct {
	ID, Name           string
	Translation, Scale Vec
	Rotation           [4]float64
	Meshes             []*Mesh
	Children           []*Node
}

// Model is what a scene was built into, or what a file held.
type Model struct {
	Nodes  []*Node
	Sky    Vec
	HasSky bool
	Camera *Camera
	Lights []Light
}

func (n *Node) matrix() matrix {
	return moved(n.Translation).then(rotation(n.Rotation)).then(scaled(n.Scale))
}

// Build makes a model of a checked scene; meshes are the models that it brings in, by address. What
// the scene leaves open (the ground's size, lights, camera) is written into it.
func Build(s *Scene, meshes map[string]*Model) (*Model, error) {
	b := &builder{meshes: meshes}
	m := &Model{Sky: hex(s.Sky.Color), HasSky: true, Camera: s.Camera, Lights: s.Lights}
	for i := range s.Objects {
		n, err := b.node(&s.Objects[i], at("objects", i))
		if err != nil {
			return nil, err
		}
		m.Nodes = append(m.Nodes, n)
	}
	if s.Ground != nil {
		around := m.Bounds()
		if s.Ground.Size == 0 {
			s.Ground.Size = groundUnder(around)
		}
		m.Nodes = append(m.Nodes, groundNode(s.Ground, around))
	}
	if n := m.Triangles(); n > MaxTriangles {
		return nil, wrong("objects", "make %d triangles; at most %d work", n, MaxTriangles)
	}
	if m.Bounds().empty() {
		return nil, wrong("objects", "must hold something to see")
	}
	if len(m.Lights) == 0 {
		m.Lights = usualLights()
	}
	if m.Camera == nil {
		m.Camera = m.frame(View{Azimuth: 35, Elevation: 22, Fov: 38}, 16.0/9, true)
	}
	s.Lights = m.Lights
	if m.Camera.Position.within(farPlace) && m.Camera.Target.within(maxPlace) {
		s.Camera = m.Camera
	}
	return m, nil
}

func usualLights() []Light {
	return []Light{{Kind: Sun, Color: "#fff6e8", Intensity: 2.4, Direction: &Vec{-0.55, -1, -0.45}},
		{Kind: Sun, Color: "#cfe0ff", Intensity: 0.7, Direction: &Vec{0.7, -0.5, -0.2}}}
}

// groundUnder is the size of a ground that reaches beyond everything.
func groundUnder(around Box) float64 {
	reach := around.Size()
	return math.Min(maxSize, math.Max(4, 1.5*math.Hypot(reach[0], reach[2])))
}

// groundNode is a disc just under everything that stands at height 0.
func groundNode(g *Ground, around Box) *Node {
	size := g.Size
	p := newPen(hex(g.Color), "ground")
	p.rough = 0.95
	middle := around.middle()
	thick := math.Max(0.01, size*0.01)
	p.lathe(Vec{middle[0], -thick - 0.002, middle[2]}, 72, false, [2]float64{0, 0}, [2]float64{size / 2, 0}, [2]float64{size / 2, thick}, [2]float64{0, thick})
	return &Node{ID: "ground", Name: "ground", Scale: Vec{1, 1, 1}, Rotation: [4]float64{0, 0, 0, 1}, Meshes: p.meshes()}
}

type builder struct {
	meshes    map[string]*Model
	triangles int
}

func (b *builder) node(o *Object, field string) (*Node, error) {
	n := &Node{ID: o.ID, Name: o.ID, Translation: o.Position, Rotation: quaternion(o.Rotation), Scale: Vec{1, 1, 1}}
	if o.Shape == "group" {
		if o.Scale != nil {
			n.Scale = *o.Scale
		}
	} else {
		meshes, err := b.shape(o, field)
		if err != nil {
			return nil, err
		}
		n.Meshes = meshes
	}
	for _, m := range n.Meshes {
		b.triangles += len(m.Indices) / 3
	}
	if b.triangles > MaxTriangles {
		return nil, wrong(field, "brings the scene over %d triangles", MaxTriangles)
	}
	for i := range o.Children {
		child, err := b.node(&o.Children[i], at(field+".children", i))
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n, nil
}

// shape makes an object's own meshes, in the size that it has.
func (b *builder) shape(o *Object, field string) ([]*Mesh, error) {
	var meshes []*Mesh
	if o.Shape == "mesh" {
		model := b.meshes[o.ModelURL]
		if model == nil {
			return nil, wrong(field+".modelUrl", "could not be read")
		}
		meshes = model.stood(o)
	} else {
		p := penFor(o)
		kit[o.Shape].draw(p, o)
		meshes = p.meshes()
		stand(meshes)
	}
	if len(meshes) == 0 {
		return nil, wrong(field+".text", "holds no character that can be shown")
	}
	grow := Vec{1, 1, 1}
	if o.Scale != nil {
		grow = *o.Scale
	}
	if o.Size != nil {
		natural := boundsOf(meshes).Size()
		for i := range grow {
			grow[i] = o.Size[i] / math.Max(natural[i], 1e-6)
			if natural[i] < 1e-6 {
				grow[i] = 1
			}
		}
	}
	if grow != (Vec{1, 1, 1}) {
		m := scaled(grow)
		for _, mesh := range meshes {
			for i := range mesh.Points {
				mesh.Points[i], mesh.Normals[i] = m.point(mesh.Points[i]), m.normal(mesh.Normals[i])
			}
		}
	}
	for _, mesh := range meshes {
		o.finish(&mesh.Material)
	}
	return meshes, nil
}

// stand lifts or lowers meshes until they stand at height 0.
func stand(meshes []*Mesh) {
	low := boundsOf(meshes).Min[1]
	for _, mesh := range meshes {
		for i := range mesh.Points {
			mesh.Points[i][1] -= low
		}
	}
}

// finish lays an object's own wishes over a material.
func (o *Object) finish(m *Material) {
	if o.Metalness != nil {
		m.Metal = *o.Metalness
	}
	if o.Roughness != nil {
		m.Rough = *o.Roughness
	}
	if o.Opacity != nil {
		m.Opacity *= *o.Opacity
	}
}

// stood is the model of another file as one shape that stands on its underside.
func (m *Model) stood(o *Object) []*Mesh {
	box := m.Bounds()
	foot := Vec{-box.middle()[0], -box.Min[1], -box.middle()[2]}
	var all []*Mesh
	m.flat(func(mesh *Mesh, to matrix) {
		c := mesh.mapped(moved(foot).then(to))
		if o.Color != "" {
			c.Material.Color = hex(o.Color)
		}
		all = append(all, c)
	})
	return all
}

func (mesh *Mesh) mapped(m matrix) *Mesh {
	c := &Mesh{Points: make([]Vec, len(mesh.Points)), Normals: make([]Vec, len(mesh.Points)), Indices: append([]uint32(nil), mesh.Indices...), Material: mesh.Material}
	for i := range mesh.Points {
		c.Points[i], c.Normals[i] = m.point(mesh.Points[i]), m.normal(mesh.Normals[i])
	}
	if m.mirrors() {
		for i := 0; i+2 < len(c.Indices); i += 3 {
			c.Indices[i], c.Indices[i+1] = c.Indices[i+1], c.Indices[i]
		}
	}
	return c
}

// flat calls f for every mesh, with what brings it to its place.
func (m *Model) flat(f func(*Mesh, matrix)) {
	var walk func(*Node, matrix)
	walk = func(n *Node, to matrix) {
		to = to.then(n.matrix())
		for _, mesh := range n.Meshes {
			f(mesh, to)
		}
		for _, c := range n.Children {
			walk(c, to)
		}
	}
	for _, n := range m.Nodes {
		walk(n, identity)
	}
}

// Triangles is how many triangles the model has, its ground among them.
func (m *Model) Triangles() (n int) {
	m.flat(func(mesh *Mesh, _ matrix) { n += len(mesh.Indices) / 3 })
	return n
}

// Printed are the things of the model that its form for printers holds, and that are counted where
// a caller is told how many triangles it has: all but the ground, unless there is nothing else.
func (m *Model) Printed() *Model {
	things := &Model{}
	for _, n := range m.Nodes {
		if n.ID != "ground" || len(m.Nodes) == 1 {
			things.Nodes = append(things.Nodes, n)
		}
	}
	return things
}

// Bounds is what the model fills, without its ground when there is more.
func (m *Model) Bounds() Box {
	box := noBox()
	take := func(nodes []*Node) {
		(&Model{Nodes: nodes}).flat(func(mesh *Mesh, to matrix) {
			for _, p := range mesh.Points {
				box.take(to.point(p))
			}
		})
	}
	var things []*Node
	for _, n := range m.Nodes {
		if n.ID != "ground" {
			things = append(things, n)
		}
	}
	if take(things); box.empty() {
		take(m.Nodes)
	}
	return box
}

func boundsOf(meshes []*Mesh) Box {
	box := noBox()
	for _, m := range meshes {
		for _, p := range m.Points {
			box.take(p)
		}
	}
	return box
}

// hex reads a color that was checked.
func hex(s string) Vec {
	v, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		panic(fmt.Sprintf("%q is no colour", s))
	}
	return Vec{float64(v >> 16), float64(v >> 8 & 255), float64(v & 255)}.times(1.0 / 255)
}

// dice are the same for the same words.
func dice(words ...string) *rand.Rand {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // what it decides is how leaves lie
}
