package scene

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"

	"github.com/qmuntal/gltf"

	"atelier/nodes/raster"
)

func (f *file) model() (*Model, error) {
	scene := 0
	if f.doc.Scene != nil {
		scene = *f.doc.Scene
	}
	if scene < 0 || scene >= len(f.doc.Scenes) || f.doc.Scenes[scene] == nil {
		return nil, unreadable("has no scene")
	}
	m := &Model{}
	for _, i := range f.doc.Scenes[scene].Nodes {
		n, err := f.node(m, i, identity, 0)
		if err != nil {
			return nil, err
		}
		m.Nodes = append(m.Nodes, n)
	}
	return m, nil
}

// node reads a node with its matrix laid into the meshes, so that nothing is lost by shears.
func (f *file) node(m *Model, index int, above matrix, depth int) (*Node, error) {
	if index < 0 || index >= len(f.doc.Nodes) || f.doc.Nodes[index] == nil || f.onPath[index] {
		return nil, unreadable("has a node that is not there, or that is within itself")
	}
	if f.nodes++; f.nodes > maxNodes || depth > maxDepth {
		return nil, unreadable("has too many nodes")
	}
	f.onPath[index] = true
	defer delete(f.onPath, index)
	g := f.doc.Nodes[index]
	to, err := placed(g)
	if err != nil {
		return nil, err
	}
	to = above.then(to)
	n := &Node{Scale: Vec{1, 1, 1}, Rotation: [4]float64{0, 0, 0, 1}}
	if g.Mesh != nil {
		if n.Meshes, err = f.mesh(*g.Mesh, to); err != nil {
			return nil, err
		}
	}
	if g.Camera != nil && m.Camera == nil {
		m.Camera = f.camera(*g.Camera, to)
	}
	for _, c := range g.Children {
		child, err := f.node(m, c, to, depth+1)
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n, nil
}

// placed is a node's own matrix.
func placed(g *gltf.Node) (matrix, error) {
	c := g.MatrixOrDefault()
	m := matrix{Vec{c[0], c[1], c[2]}, Vec{c[4], c[5], c[6]}, Vec{c[8], c[9], c[10]}, Vec{c[12], c[13], c[14]}}
	if c == gltf.DefaultMatrix {
		m = moved(g.TranslationOrDefault()).then(rotation(g.RotationOrDefault())).then(scaled(g.ScaleOrDefault()))
	}
	for _, v := range []Vec{m.x, m.y, m.z, m.o} {
		if l := v.length(); math.IsNaN(l) || l > 1e9 {
			return m, unreadable("has a node with no place that could be shown")
		}
	}
	return m, nil
}

func (f *file) camera(index int, to matrix) *Camera {
	if index < 0 || index >= len(f.doc.Cameras) || f.doc.Cameras[index] == nil || f.doc.Cameras[index].Perspective == nil {
		return nil
	}
	fov := f.doc.Cameras[index].Perspective.Yfov * 180 / math.Pi
	if !(fov >= 1 && fov <= 150) || !to.o.within(1e9) || !(to.z.length() > 1e-12 && to.z.length() < 1e12) {
		return nil
	}
	return &Camera{Position: to.o, Target: to.o.sub(to.z.unit()), Fov: fov}
}

func (f *file) mesh(index int, to matrix) ([]*Mesh, error) {
	if index < 0 || index >= len(f.doc.Meshes) || f.doc.Meshes[index] == nil {
		return nil, unreadable("has a mesh that is not there")
	}
	var all []*Mesh
	for _, p := range f.doc.Meshes[index].Primitives {
		if p == nil || p.Mode != gltf.PrimitiveTriangles {
			continue // points, lines and strips
		}
		mesh, err := f.primitive(p)
		if err != nil {
			return nil, err
		}
		all = append(all, mesh.mapped(to))
	}
	return all, nil
}

func (f *file) primitive(p *gltf.Primitive) (*Mesh, error) {
	position, ok := p.Attributes[gltf.POSITION]
	if !ok {
		return nil, unreadable("has a mesh without points")
	}
	mesh := &Mesh{Material: f.material(p.Material)}
	var err error
	if mesh.Points, err = f.vectors(position); err != nil {
		return nil, err
	}
	if mesh.Indices, err = f.indices(p.Indices, len(mesh.Points)); err != nil {
		return nil, err
	}
	if n, ok := p.Attributes[gltf.NORMAL]; ok {
		if mesh.Normals, err = f.vectors(n); err != nil {
			return nil, err
		}
		if len(mesh.Normals) != len(mesh.Points) {
			return nil, unreadable("has a mesh with more normals than points")
		}
		return mesh.compact(), nil
	}
	return mesh.faceted(), nil
}

// compact leaves out points that no triangle has, so that triangles bound all of a model.
func (mesh *Mesh) compact() *Mesh {
	if len(mesh.Points) <= len(mesh.Indices) {
		return mesh
	}
	kept := &Mesh{Material: mesh.Material, Indices: mesh.Indices}
	place := make([]uint32, len(mesh.Points)) // 0: none yet
	for i, at := range mesh.Indices {
		if place[at] == 0 {
			kept.Points, kept.Normals = append(kept.Points, mesh.Points[at]), append(kept.Normals, mesh.Normals[at])
			place[at] = uint32(len(kept.Points))
		}
		kept.Indices[i] = place[at] - 1
	}
	return kept
}

// faceted gives each triangle its own corners, with the normal of its plane.
func (mesh *Mesh) faceted() *Mesh {
	flat := &Mesh{Material: mesh.Material}
	for i := 0; i+2 < len(mesh.Indices); i += 3 {
		a, b, c := mesh.Points[mesh.Indices[i]], mesh.Points[mesh.Indices[i+1]], mesh.Points[mesh.Indices[i+2]]
		n := b.sub(a).cross(c.sub(a)).unit()
		flat.Points, flat.Normals = append(flat.Points, a, b, c), append(flat.Normals, n, n, n)
		flat.Indices = append(flat.Indices, uint32(i), uint32(i+1), uint32(i+2))
	}
	return flat
}

func (f *file) vectors(index int) ([]Vec, error) {
	a, data, stride, err := f.accessor(index, 12)
	if err != nil {
		return nil, err
	}
	if a.Type != gltf.AccessorVec3 || a.ComponentType != gltf.ComponentFloat {
		return nil, unreadable("has points that are no floats, which is not read here")
	}
	if f.points += a.Count; f.points > 4*MaxTriangles {
		return nil, unreadable("has more than %d points", 4*MaxTriangles)
	}
	all := make([]Vec, a.Count)
	for i := range all {
		for k := range 3 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i*stride+4*k:])))
			if math.IsNaN(v) || math.Abs(v) > 1e9 {
				return nil, unreadable("has a point that is nowhere")
			}
			all[i][k] = v
		}
	}
	return all, nil
}

func (f *file) indices(index *int, points int) ([]uint32, error) {
	count := points
	read := func(i int) uint32 { return uint32(i) }
	if index != nil {
		wide := 1
		if *index >= 0 && *index < len(f.doc.Accessors) && f.doc.Accessors[*index] != nil {
			switch f.doc.Accessors[*index].ComponentType {
			case gltf.ComponentUshort:
				wide = 2
			case gltf.ComponentUint:
				wide = 4
			}
		}
		a, data, stride, err := f.accessor(*index, wide)
		if err != nil {
			return nil, err
		}
		if a.Type != gltf.AccessorScalar {
			return nil, unreadable("has triangles that cannot be read")
		}
		count = a.Count
		read = func(i int) uint32 {
			switch at := data[i*stride:]; wide {
			case 1:
				return uint32(at[0])
			case 2:
				return uint32(binary.LittleEndian.Uint16(at))
			default:
				return binary.LittleEndian.Uint32(at)
			}
		}
	}
	if f.triangles += count / 3; f.triangles > MaxTriangles {
		return nil, unreadable("has more than %d triangles", MaxTriangles)
	}
	all := make([]uint32, count/3*3)
	for i := range all {
		if all[i] = read(i); int64(all[i]) >= int64(points) {
			return nil, unreadable("has a triangle whose corner is not there")
		}
	}
	return all, nil
}

func within01(v float64) float64 {
	if !(v >= 0) {
		return 0
	}
	return math.Min(v, 1)
}

func (f *file) material(index *int) Material {
	m := Material{Color: Vec{0.8, 0.8, 0.8}, Rough: 0.8, Opacity: 1}
	if index == nil || *index < 0 || *index >= len(f.doc.Materials) || f.doc.Materials[*index] == nil {
		return m
	}
	g := f.doc.Materials[*index]
	base := [4]float64{1, 1, 1, 1}
	if pbr := g.PBRMetallicRoughness; pbr != nil {
		base = pbr.BaseColorFactorOrDefault()
		m.Metal, m.Rough = within01(pbr.MetallicFactorOrDefault()), within01(pbr.RoughnessFactorOrDefault())
		if pbr.BaseColorTexture != nil {
			mean := linear(f.mean(pbr.BaseColorTexture.Index))
			for i := range mean {
				base[i] *= mean[i]
			}
		}
		if pbr.MetallicRoughnessTexture != nil {
			m.Metal, m.Rough = m.Metal/2, (m.Rough+0.5)/2
		}
	}
	m.Color = toSRGB(Vec{within01(base[0]), within01(base[1]), within01(base[2])})
	if g.AlphaMode == gltf.AlphaBlend {
		m.Opacity = within01(base[3])
	}
	for i, e := range g.EmissiveFactor {
		if g.EmissiveTexture == nil {
			m.Emission[i] = within01(e)
		}
	}
	return m
}

// maxPicturePixels bounds the pictures within a model, together.
const maxPicturePixels = 32 << 20

// mean is the color that a picture has on the whole; one that cannot be read is white.
func (f *file) mean(texture int) Vec {
	white := Vec{1, 1, 1}
	if texture < 0 || texture >= len(f.doc.Textures) || f.doc.Textures[texture] == nil || f.doc.Textures[texture].Source == nil {
		return white
	}
	i := *f.doc.Textures[texture].Source
	if mean, ok := f.means[i]; ok {
		return mean
	}
	f.means[i] = white
	if i < 0 || i >= len(f.doc.Images) || f.doc.Images[i] == nil || len(f.means) > 16 {
		return white
	}
	var data []byte
	if uri := f.doc.Images[i].URI; uri != "" {
		_, encoded, _ := strings.Cut(uri, ";base64,")
		data, _ = base64.StdEncoding.DecodeString(encoded)
	} else if data, _, _ = f.view(f.doc.Images[i].BufferView); data == nil {
		return white
	}
	config, err := raster.Look(bytes.NewReader(data), int64(len(data)))
	if err != nil || config.Width > (maxPicturePixels-f.pixels)/config.Height {
		return white
	}
	f.pixels += config.Width * config.Height
	img, err := raster.DecodeBytes(data)
	if err != nil {
		return white
	}
	var sum Vec
	const grid = 32
	b := img.Bounds()
	for k := range grid * grid {
		r, g, bl, _ := img.At(b.Min.X+(k%grid)*b.Dx()/grid, b.Min.Y+(k/grid)*b.Dy()/grid).RGBA()
		sum = sum.add(Vec{float64(r), float64(g), float64(bl)}.times(1.0 / 0xffff))
	}
	f.means[i] = sum.times(1.0 / (grid * grid))
	return f.means[i]
}
