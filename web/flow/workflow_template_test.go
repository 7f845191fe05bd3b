//go:build !race

package flow

import (
	"context"
	"testing"
)

func TestAGraphAloneIsATemplate(t *testing.T) {
	if alone, err := readTemplate(context.Background(), `{"nodes":[{"id":"a","type":"text"}]}`); err != nil || len(alone.Nodes) != 1 || alone.Edges == nil {
		t.Errorf("%+v %v", alone, err)
	}
}

// TestTemplatesBringNoCredential: who wrote a file does not choose a key of who reads it.
func TestTemplatesBringNoCredential(t *testing.T) {
	read, err := readTemplate(context.Background(), `{"nodes":[{"id":"a","type":"webhook-output","data":{"url":"https://example.com/","credentialId":"c1"}}]}`)
	if err != nil || len(read.Nodes) != 1 || (*read.Nodes[0].Data)["credentialId"] != nil || (*read.Nodes[0].Data)["url"] == nil {
		t.Errorf("read %+v, %v", read.Nodes, err)
	}
}
