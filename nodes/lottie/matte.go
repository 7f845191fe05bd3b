package lottie

import (
	"maps"
	"strconv"
)

// neighbours puts every matte directly before the layer that it cuts, where the
// library looks for it, whichever layer a document names; a matte that cuts
// nothing there is a layer of nothing, as for players.
func neighbours(layers []any) []any {
	byIndex := map[float64]map[string]any{}
	for _, layer := range layers {
		fields := object(layer)
		if index, ok := fields["ind"].(float64); ok {
			byIndex[index] = fields
		}
	}
	// cuts tells whether the layer of an index in the list is the matte of the next one.
	cuts := func(i int) bool {
		if i < 0 || i+1 >= len(layers) || !matted(object(layers[i+1])) {
			return false
		}
		named, ok := object(layers[i+1])["tp"].(float64)
		return !ok || byIndex[named] == nil || named == number(object(layers[i])["ind"])
	}
	var all []any
	for i, layer := range layers {
		fields := object(layer)
		if fields == nil {
			continue
		}
		if named, ok := fields["tp"].(float64); ok && matted(fields) && byIndex[named] != nil && !cuts(i-1) {
			matte := maps.Clone(byIndex[named])
			delete(matte, "ind")
			all = append(all, matte)
		}
		if number(fields["td"]) > 0 && !cuts(i) {
			fields = maps.Clone(fields)
			fields["ty"] = nullLayer
		}
		all = append(all, fields)
	}
	return all
}

// matted tells whether another layer cuts this one.
func matted(layer map[string]any) bool { return number(layer["tt"]) > 0 }

// paintTwice makes a layer that another cuts one of more than one paint: of a single
// one, the library loses all but what fills the frame.
func (d *document) paintTwice(layer map[string]any) {
	switch number(layer["ty"]) {
	case solidLayer:
		width, height := number(layer["sw"]), number(layer["sh"])
		color, _ := layer["sc"].(string)
		layer["shapes"] = []any{painted([]any{width / 2, height / 2}, []any{width, height}, channels(color))}
		layer["ty"] = shapeLayer
	case imageLayer:
		id, _ := layer["refId"].(string)
		size := d.pictures[id]
		layer["ty"], layer["refId"], layer["w"], layer["h"] = compositionLayer, "picture "+id, size[0], size[1]
		d.framed[id] = true
		return
	case shapeLayer:
	default:
		return
	}
	shapes := list(layer["shapes"])
	layer["shapes"] = append(shapes[:len(shapes):len(shapes)], painted([]any{0.0, 0.0}, []any{0.0, 0.0}, []any{0.0, 0.0, 0.0, 1.0}))
}

// painted is a rectangle of one color.
func painted(centre, size, color []any) map[string]any {
	return map[string]any{"ty": "gr", "it": []any{
		map[string]any{"ty": "rc", "p": still(centre), "s": still(size), "r": still(0.0)},
		map[string]any{"ty": "fl", "c": still(color), "o": still(100.0), "r": 1}, unmoved(still(100.0)),
	}}
}

// framedPicture is the composition of one picture.
func framedPicture(id string) map[string]any {
	return map[string]any{"id": "picture " + id, "layers": []any{map[string]any{
		"ty": imageLayer, "ddd": 0, "refId": id, "ip": -maxFar, "op": maxFar, "st": 0, "ks": map[string]any{"o": still(100.0)},
	}}}
}

// channels are those of a color such as #ff8800, from 0 to 1.
func channels(color string) []any {
	all := []any{0.0, 0.0, 0.0, 1.0}
	if len(color) != 7 {
		return all
	}
	v, err := strconv.ParseUint(color[1:], 16, 32)
	if err != nil {
		return all
	}
	for i := range 3 {
		all[i] = float64(v>>(16-8*i)&255) / 255
	}
	return all
}
