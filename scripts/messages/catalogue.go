package main

import (
	"regexp"
	"slices"
	"strings"

	"atelier/nodes"
	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

// The contexts of the catalogue's words, as web/frame looks them up.
const (
	nodeWord   = "node"
	fieldWord  = "field"
	choiceWord = "choice of " // a field
)

// catalogue are the messages of the node catalogue, which pages get as data: what the types and their fields are called,
// what they do, and what is chosen from. An install with providers has all of them.
func catalogue() []message {
	var out []message
	known := map[key]bool{}
	add := func(nodeType, context, text string) {
		m := message{context: context, text: text, files: []string{"nodes/" + nodeType}}
		if text != "" && !known[m.key()] {
			known[m.key()] = true
			out = append(out, m)
		}
	}
	for _, n := range slices.Concat(nodes.Known(), withProviders().All()) {
		if n.Internal {
			continue
		}
		add(n.Type, nodeWord, n.Label)
		add(n.Type, nodeWord, n.Description)
		for _, p := range n.InputSchema.Properties {
			add(n.Type, fieldWord, p.Schema.Title)
			hint := p.Schema.Description
			if p.Name == "model" { // the names of an install's models stand behind it
				first, _, _ := strings.Cut(hint, ". ")
				hint = strings.TrimSuffix(first, ".") + "."
			}
			add(n.Type, fieldWord, hint)
			for _, choice := range p.Schema.Enum {
				if isWord.MatchString(choice) && !slices.Contains(codes, p.Name) {
					add(n.Type, choiceWord+p.Name, choice)
				}
			}
		}
	}
	return out
}

// withProviders is the catalogue of an install that has a model for all that providers can do.
func withProviders() *nodes.Catalogue {
	all := kit.Providers{OpenAI: &provider.OpenAI{}, Replicate: &provider.Replicate{}}
	for _, n := range nodes.Known() {
		for _, name := range n.Remotes() {
			all.Models = append(all.Models, kit.Model{Provider: name, NodeType: n.Type, ID: "model"})
		}
	}
	return nodes.NewCatalogue(all)
}

// isWord tells a choice that is a word from a size, a proportion or a sign.
var isWord = regexp.MustCompile(`^[a-z]{2,}(-[a-z]+)*$`)

// codes are the fields whose choices are no words of the catalogue: formats, and names (web/frame/catalogue.go).
var codes = []string{"format", "model", "provider", "speaker"}
