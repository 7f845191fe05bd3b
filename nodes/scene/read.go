package scene

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
)

// Unreadable says why a file of another person's is no model that works here.
type Unreadable struct{ Why string }

func (u *Unreadable) Error() string { return u.Why }

func unreadable(format string, args ...any) error {
	return &Unreadable{fmt.Sprintf(format, args...)}
}

// The bounds of a document, before it is read.
const (
	maxMarks  = 200_000 // objects and lists
	maxCommas = 1_000_000
	maxDepth  = 40
	maxNodes  = 20_000
)

// CheckGLB looks at the head of a file: magic, version 2, and the length as it is.
func CheckGLB(head []byte, size int64) error {
	switch {
	case len(head) < 20 || string(head[:4]) != "glTF":
		return unreadable("is no binary glTF")
	case binary.LittleEndian.Uint32(head[4:]) != 2:
		return unreadable("is of version %d of glTF; version 2 is read", binary.LittleEndian.Uint32(head[4:]))
	case int64(binary.LittleEndian.Uint32(head[8:])) != size:
		return unreadable("is cut off, or something follows it: its length is not as stated")
	}
	return nil
}

// Read reads GLB, or glTF JSON that holds all of its data itself.
func Read(data []byte) (*Model, error) {
	if len(data) > MaxBytes {
		return nil, unreadable("is larger than %d MiB", MaxBytes>>20)
	}
	text, own := data, []byte(nil)
	if bytes.HasPrefix(data, []byte("glTF")) {
		if err := CheckGLB(data, int64(len(data))); err != nil {
			return nil, err
		}
		var err error
		if text, own, err = chunks(data[12:]); err != nil {
			return nil, err
		}
	}
	if err := measureText(text); err != nil {
		return nil, err
	}
	doc := &gltf.Document{}
	if err := json.Unmarshal(text, doc); err != nil {
		return nil, unreadable("is no glTF that can be read")
	}
	return newFile(doc, own)
}

// chunks are the JSON and the first binary chunk of a GLB.
func chunks(rest []byte) (text, own []byte, err error) {
	for i := 0; len(rest) > 0; i++ {
		if len(rest) < 8 {
			return nil, nil, unreadable("ends within a chunk")
		}
		n, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		if uint64(n) > uint64(len(rest)-8) {
			return nil, nil, unreadable("has a chunk that is longer than the file")
		}
		body := rest[8 : 8+n]
		rest = rest[8+n:]
		switch {
		case i == 0 && kind != 0x4e4f534a:
			return nil, nil, unreadable("does not begin with its JSON")
		case i == 0:
			text = body
		case i == 1 && kind == 0x004e4942:
			own = body
		}
	}
	return text, own, nil
}

// measureText bounds what a text may become before it is read.
func measureText(text []byte) error {
	marks, commas, depth := 0, 0, 0
	inText := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if marks++; marks > maxMarks {
				return unreadable("has too many parts")
			}
			if depth++; depth > maxDepth {
				return unreadable("nests too deep")
			}
		case c == '}' || c == ']':
			depth--
		case c == ',':
			if commas++; commas > maxCommas {
				return unreadable("has too many parts")
			}
		}
	}
	return nil
}

// understood are the extensions that a file may require.
var understood = []string{"KHR_lights_punctual", "KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_materials_ior", "KHR_materials_specular",
	"KHR_materials_transmission", "KHR_materials_clearcoat", "KHR_materials_sheen", "KHR_materials_volume", "KHR_texture_transform"}

// file reads one document. What its parts point at is checked before it is followed.
type file struct {
	doc       *gltf.Document
	buffers   [][]byte
	triangles int
	points    int
	nodes     int
	pixels    int // of pictures that were read
	means     map[int]Vec
	onPath    map[int]bool
}

func newFile(doc *gltf.Document, own []byte) (*Model, error) {
	if !strings.HasPrefix(doc.Asset.Version, "2.") {
		return nil, unreadable("is no glTF of version 2")
	}
	for _, name := range doc.ExtensionsRequired {
		if !slices.Contains(understood, name) {
			return nil, unreadable("needs the extension %s, which is not read here; save it without", extensionName(name))
		}
	}
	f := &file{doc: doc, onPath: map[int]bool{}, means: map[int]Vec{}}
	if err := f.load(own); err != nil {
		return nil, err
	}
	for _, i := range doc.Images {
		if i != nil && i.URI != "" && !strings.HasPrefix(i.URI, "data:") {
			return nil, unreadable("points at other files; save it with its pictures inside")
		}
	}
	m, err := f.model()
	if err != nil {
		return nil, err
	}
	if box := m.Bounds(); box.empty() {
		return nil, unreadable("holds nothing to see")
	} else if size := box.Size(); !(size.length() > 1e-9 && size.length() < 1e9) {
		return nil, unreadable("has no size that could be shown")
	} else if m.Camera != nil { // it looks as far as the middle of what is there
		c := m.Camera
		along := c.Target.sub(c.Position).unit()
		c.Target = c.Position.add(along.times(math.Max(box.middle().sub(c.Position).length(), 1e-3)))
	}
	return m, nil
}

// extensionName is a name as it may be shown.
func extensionName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, name)
	return clean[:min(len(clean), 60)]
}

func (f *file) load(own []byte) error {
	total := 0
	for i, b := range f.doc.Buffers {
		var data []byte
		switch {
		case b == nil || b.ByteLength < 1:
			return unreadable("has a buffer without a length")
		case b.URI == "" && i == 0:
			data = own
		case strings.HasPrefix(b.URI, "data:"):
			_, encoded, _ := strings.Cut(b.URI, ";base64,")
			var err error
			if data, err = base64.StdEncoding.DecodeString(encoded); err != nil {
				return unreadable("has a buffer that cannot be read")
			}
		default:
			return unreadable("points at other files; save it as GLB, with everything inside")
		}
		if len(data) < b.ByteLength {
			return unreadable("has a buffer that is shorter than it says")
		}
		if total += b.ByteLength; total > MaxBytes {
			return unreadable("is larger than %d MiB", MaxBytes>>20)
		}
		f.buffers = append(f.buffers, data[:b.ByteLength])
	}
	return nil
}

// view are the bytes of a part of a buffer, and how far its entries are apart.
func (f *file) view(index *int) ([]byte, int, error) {
	if index == nil || *index < 0 || *index >= len(f.doc.BufferViews) || f.doc.BufferViews[*index] == nil {
		return nil, 0, unreadable("points at data that is not there")
	}
	v := f.doc.BufferViews[*index]
	if v.Buffer < 0 || v.Buffer >= len(f.buffers) || v.ByteOffset < 0 || v.ByteLength < 1 || v.ByteStride < 0 || v.ByteStride > 252 {
		return nil, 0, unreadable("points at data that is not there")
	}
	data := f.buffers[v.Buffer]
	if v.ByteOffset > len(data) || v.ByteLength > len(data)-v.ByteOffset {
		return nil, 0, unreadable("points beyond the end of its data")
	}
	return data[v.ByteOffset : v.ByteOffset+v.ByteLength], v.ByteStride, nil
}

// accessor is an accessor, checked against its buffer: its bytes, and how far its entries are apart.
func (f *file) accessor(index, wide int) (*gltf.Accessor, []byte, int, error) {
	if index < 0 || index >= len(f.doc.Accessors) || f.doc.Accessors[index] == nil {
		return nil, nil, 0, unreadable("points at data that is not there")
	}
	a := f.doc.Accessors[index]
	if a.Sparse != nil {
		return nil, nil, 0, unreadable("has sparse data, which is not read here")
	}
	data, stride, err := f.view(a.BufferView)
	if err != nil {
		return nil, nil, 0, err
	}
	if stride == 0 {
		stride = wide
	}
	if a.Count < 1 || a.ByteOffset < 0 || stride < wide || a.Count > len(data) || a.ByteOffset > len(data) ||
		a.ByteOffset+(a.Count-1)*stride+wide > len(data) {
		return nil, nil, 0, unreadable("points beyond the end of its data")
	}
	return a, data[a.ByteOffset:], stride, nil
}
