// Package nodes is the catalogue of node types: for each its descriptor (contract 1, "Node descriptor"), what a run
// costs, and the function that does its work. A type is a file, with the descriptor beside the function; catalogue.go
// lists them, and package kit has what they are made of.
//
// The engine asks a Catalogue for a type, checks settings with Validate or ValidateData, and runs it with Do. Nothing
// here knows runs, accounts or the database.
package nodes

import (
	"atelier/models"
	"atelier/nodes/kit"
	"context"
	"encoding/json"
)

// types are all node types, in the order in which a menu shows them.
var types = []*kit.Node{
	textNode, combineTextNode, templateTextNode, splitTextNode, regexTextNode, summarizeTextNode, generateTextNode, promptHelperNode, promptHelperModelNode,
	scriptBreakdownNode, scriptBreakdownModelNode,
	generateImageNode, generateCharacterNode, generateObjectNode, generateCreatureNode, generateLocationNode, detectFacesNode, recastNode,
	scene3DNode, proRenderNode,
	resizeImageNode, cropImageNode, composeImageNode, filterImageNode,
	textCardNode, qrCodeNode, convertImageNode,
	extractFrameNode, animateImageNode, shotClipNode, concatVideoNode, addAudioNode, waveformVideoNode, videoOverlayNode, freecutExportNode, motionNode, generateVideoNode,
	textToSpeechNode, transcribeAudioNode, transcribeNode, mixAudioNode, trimAudioNode, convertAudioNode,
	uploadImageNode, uploadVideoNode, uploadAudioNode, downloadVideoNode,
	jsonQueryNode, conditionNode, csvParseNode, httpRequestNode,
	delayNode, groupNode, componentNode,
	cloneVoiceNode,
	webhookTriggerNode, scheduleTriggerNode, webhookOutputNode,
	trainCharacterNode,
}

var byType = func() map[string]*kit.Node {
	index := make(map[string]*kit.Node, len(types))
	for _, n := range types {
		n.AddPresetField()
		index[n.Type] = n
	}
	return index
}()

// Find is the node type of that name as it is in every install: what feeds it,
// what it yields and where it is done. What an install offers of it, at which
// price, is told by its Catalogue.
func Find(name string) (*kit.Node, bool) {
	n, ok := byType[name]
	return n, ok
}

// Known is every node type as it is in every install; see Find.
func Known() []*kit.Node { return append([]*kit.Node(nil), types...) }

// Catalogue is every node type as one install offers it: with its providers,
// their models and prices. Offer makes it; nil holds the types as they are in
// every install.
type Catalogue struct {
	providers *kit.Providers
	types     []*kit.Node
	byType    map[string]*kit.Node
}

// Find is the node type of that name, offered or not.
func (c *Catalogue) Find(name string) (*kit.Node, bool) {
	if c == nil {
		return Find(name)
	}
	n, ok := c.byType[name]
	return n, ok
}

// All is every node type that the install offers, in a stable order.
func (c *Catalogue) All() []*kit.Node {
	var all []*kit.Node
	for _, n := range c.known() {
		if n.Offered() && !n.Internal {
			all = append(all, n)
		}
	}
	return all
}

func (c *Catalogue) known() []*kit.Node {
	if c == nil {
		return types
	}
	return c.types
}

// NewCatalogue is the catalogue of an install that may use these providers.
func NewCatalogue(p kit.Providers) *Catalogue {
	c := &Catalogue{providers: &p, types: make([]*kit.Node, len(types)), byType: make(map[string]*kit.Node, len(types))}
	for i, n := range types {
		if len(n.Remote) > 0 {
			n = n.OfferedBy(c.providers)
		}
		c.types[i], c.byType[n.Type] = n, n
	}
	return c
}

// CanDo tells whether a provider, set up or not, can do a node type's work.
func CanDo(providerName, nodeType string) bool {
	n, ok := Find(nodeType)
	return ok && n.Remote[providerName] != nil
}

// PriceOf is what one run of a model costs at most: of a node type by its
// name, or of a provider's model on the node's own settings. A model that does
// the work of several types has the price of the first.
func (c *Catalogue) PriceOf(id string) (price models.Credits, known bool) {
	if n, ok := c.Find(id); ok {
		return n.Cost, true
	}
	for _, n := range c.known() {
		for _, m := range n.Models() {
			if m.ID == id {
				return n.Price(map[string]any{"provider": m.Provider, "model": id}), true
			}
		}
	}
	return 0, false
}

// CancelProviderTask tells the provider that no one waits for the work any more. An
// error means that it should be told again.
func (c *Catalogue) CancelProviderTask(ctx context.Context, state json.RawMessage) error {
	if c == nil {
		return nil
	}
	return c.providers.CancelProviderTask(ctx, state)
}
