//go:build !race

package flow

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// catalogueForTests has a text, a template with named values, and a list.
func catalogueForTests() nodeform.Kinds {
	return nodeform.KindsOf([]query.NodeKind{
		{Type: "text", Label: "Text", MainInput: "text", InputSchema: json.RawMessage(`{"properties":{"text":{"type":"string","format":"textarea"}}}`)},
		{Type: "template-text", Label: "Template", MainInput: "template", InputSchema: json.RawMessage(`{"properties":{"template":{"type":"string"},"values":{"type":"object"},"loud":{"type":"boolean"},"size":{"type":"integer","default":3}}}`)},
		{Type: "combine-text", Label: "Combine", MainInput: "texts", InputSchema: json.RawMessage(`{"properties":{"texts":{"type":"array"}}}`)},
	})
}

func TestGraphSteps(t *testing.T) {
	flow := query.WorkflowHead{Id: "w", Nodes: []query.FlowNode{
		{Id: "a", Type: "text", Data: map[string]any{"text": "hello"}, Position: &query.NodePosition{X: 40, Y: 20}},
		{Id: "text", Type: "text", Data: map[string]any{}},
		{Id: "t", Type: "template-text", Data: map[string]any{"template": "{{who}} and {{ what }}", "size": 7.0, "odd": "kept", "fieldMappings": map[string]any{"values.what": map[string]any{"nodeId": "a"}}}},
		{Id: "c", Type: "combine-text", Data: map[string]any{}},
	}, Edges: []query.FlowEdge{{Id: "e", Source: "a", Target: "t"}, {Id: "x", Source: "a", Target: "c"}}}
	k := catalogueForTests()
	for name, c := range map[string]struct {
		step   graphStep
		values url.Values
		want   string // in the graph that is saved
		not    string
		wrong  string // the field of a refusal
	}{
		"add":                           {addNode, url.Values{"type": {"text"}}, `"id":"text-2","type":"text","position":{"x":300,"y":20}`, "", ""},
		"add and feed":                  {addNode, url.Values{"type": {"combine-text"}, "source": {"a"}}, `{"id":"e-2","source":"a","target":"combine-text"}`, "", ""},
		"add an unknown kind":           {addNode, url.Values{"type": {"robot"}}, "", "", "type"},
		"connect replaces":              {connectNode, url.Values{"node": {"t"}, "source": {"text"}, "field": {"template"}}, `{"id":"e","source":"text","target":"t"}`, `"source":"a","target":"t"`, ""},
		"connect replaces a mapping":    {connectNode, url.Values{"node": {"t"}, "source": {"text"}, "field": {"values.what"}}, `"targetHandle":"values.what"`, "fieldMappings", ""},
		"a list takes another one":      {connectNode, url.Values{"node": {"c"}, "source": {"text"}, "field": {"texts"}}, `{"id":"x","source":"a","target":"c"},{"id":"e-2","source":"text","target":"c"}`, "", ""},
		"connect with an output":        {connectNode, url.Values{"node": {"c"}, "source": {"text"}, "output": {"topic"}}, `"sourceHandle":"topic"`, "", ""},
		"connect nothing":               {connectNode, url.Values{"node": {"c"}, "source": {"gone"}}, "", "", "source"},
		"disconnect":                    {disconnectNode, url.Values{"node": {"t"}, "edge": {"e"}}, `"id":"x"`, `"id":"e"`, ""},
		"disconnect a mapping":          {disconnectNode, url.Values{"node": {"t"}, "edge": {"t.values.what"}, "field": {"values.what"}}, `"id":"e"`, "fieldMappings", ""},
		"move up":                       {moveNode, url.Values{"node": {"text"}, "by": {"up"}}, `{"nodes":[{"id":"text"`, "", ""},
		"move the first up":             {moveNode, url.Values{"node": {"a"}, "by": {"up"}}, `{"nodes":[{"id":"a"`, "", ""},
		"remove takes what it fed":      {removeNode, url.Values{"node": {"a"}}, `"edges":[]`, `"nodeId":"a"`, ""},
		"set":                           {setFields, url.Values{"node": {"a"}, "in-text": {"bye"}, "label": {"Greeting"}}, `"data":{"label":"Greeting","text":"bye"}`, "hello", ""},
		"emptied is unset":              {setFields, url.Values{"node": {"a"}, "in-text": {""}}, `"id":"a","type":"text","position":{"x":40,"y":20},"data":{}`, "hello", ""},
		"what no form shows stays":      {setFields, url.Values{"node": {"t"}, "in-size": {"9"}, "in-loud": {"on"}, "holdForReview": {"on"}}, `"holdForReview":true,"loud":true,"odd":"kept","size":9,"template":"{{who}}`, "", ""},
		"a value of a template":         {setFields, url.Values{"node": {"t"}, "in-values.who": {"Ada"}, "in-size": {"7"}}, `"values":{"who":"Ada"}`, "", ""},
		"a number that is none":         {setFields, url.Values{"node": {"t"}, "in-size": {"nine"}}, "", "", "in-size"},
		"the default is not written":    {setFields, url.Values{"node": {"a"}, "in-text": {"hello"}}, `"data":{"text":"hello"}`, "", ""},
		"nothing of a node that is not": {removeNode, url.Values{"node": {"nobody"}}, "", "", "-"},
	} {
		g := graphOf(flow)
		_, to, err := c.step(context.Background(), &g, flow, k, c.values)
		if e, known := frame.Refused(err); c.wrong != "" {
			if !known || c.wrong != "-" && e.Field != c.wrong {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		b, _ := json.Marshal(g.written())
		if err != nil || !strings.Contains(string(b), c.want) || c.not != "" && strings.Contains(string(b), c.not) || !strings.HasPrefix(to, "/workflows/w/nodes") {
			t.Errorf("%s: %v, %s\n%s", name, err, to, b)
		}
	}
	if v := viewNode(context.Background(), flow, flow.Nodes[2], k); len(v.Feeds) != 2 || len(v.Controls) != 3 || v.Controls[1].Field == "values" || v.Places[len(v.Places)-2].Value != "values.who" || v.Places[len(v.Places)-1].Value != "values.what" {
		t.Errorf("%+v", v)
	}
}
