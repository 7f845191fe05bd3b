package flow

import "testing"

func TestAGraphAloneIsATemplate(t *testing.T) {
	if alone, err := readTemplate(`{"nodes":[{"id":"a","type":"text"}]}`); err != nil || len(alone.Nodes) != 1 || alone.Edges == nil {
		t.Errorf("%+v %v", alone, err)
	}
}
