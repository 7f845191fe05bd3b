package kit

import (
	"bytes"

	"atelier/mediatype"
	"atelier/nodes/clean"
)

// cleaned is a picture in memory without what it tells of people and places; what is no picture stays.
func cleaned(data []byte) ([]byte, error) {
	r := bytes.NewReader(data)
	plan, err := clean.Look(r, int64(len(data)), mediatype.Sniff(data[:min(len(data), sniffLength)]))
	if err != nil || !plan.Changes() {
		return data, nil
	}
	var b bytes.Buffer
	err = plan.Write(&b, r)
	return b.Bytes(), err
}
