package kit

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"atelier/models"
	"atelier/nodes/provider"
)

// Model is one thing that a provider outside does for a node type.
type Model struct {
	// Provider is openai or replicate, ID the model's name there.
	Provider, NodeType, ID string
	// Cost is of one run; PerThousandTokens comes on top of it for what a text
	// model writes, PerThousandInputTokens for what it reads.
	Cost, PerThousandTokens, PerThousandInputTokens models.Credits
	// Input is sent along with every request, where the provider takes free inputs.
	Input map[string]any
	// Fields are the model's names for what nodes send, by ours (see ModelFields); ""
	// leaves a field out.
	Fields map[string]string
}

// Providers are the services outside that an install may use; nil ones are not
// set up. Models says what they are used for, the first of a provider and type
// being its default.
type Providers struct {
	OpenAI    *provider.OpenAI
	Replicate *provider.Replicate
	Models    []Model
}

// The names of the providers outside, and the variables that set them up.
const (
	OpenAIName    = "openai"
	ReplicateName = "replicate"
	LocalName     = "local"
)

var ProviderVariables = map[string]string{OpenAIName: "OPENAI_API_KEY", ReplicateName: "REPLICATE_API_TOKEN"}

// toSetUp is what an operator must do so that a provider does the type's work.
func (n *Node) toSetUp(providerName string) string {
	if !n.providers.IsSetUp(providerName) {
		if providerName == OpenAIName {
			return ProviderVariables[OpenAIName]
		}
		return ProviderVariables[providerName] + " and name a model of type " + n.Type + " in PROVIDER_MODELS"
	}
	return "PROVIDER_MODELS, with a model of type " + n.Type
}

// Missing says of a provider that is not set up for the type what its operator must do, for
// messages: "replicate is not set up on this install for recast; its operator must set …". Every
// refusal of a provider says it in these words.
func (n *Node) Missing(providerName string) string {
	return providerName + " is not set up on this install for " + n.Type + "; its operator must set " + n.toSetUp(providerName)
}

// RemoteRun does a node's work by a model of a provider.
type RemoteRun func(ctx context.Context, in *Call, model Model) (Output, error)

func (p *Providers) IsSetUp(name string) bool {
	return p != nil && (name == OpenAIName && p.OpenAI != nil || name == ReplicateName && p.Replicate != nil)
}

// OfferedBy is the type with the install's providers laid over its own description.
func (n *Node) OfferedBy(p *Providers) *Node {
	copied := *n
	n = &copied
	n.providers = p
	names := slices.DeleteFunc(slices.Clone(n.Providers), func(name string) bool { return n.Remote[name] != nil })
	own := len(names)
	nodeType := n.Type
	if n.ModelsOf != "" && !slices.ContainsFunc(p.Models, func(m Model) bool { return m.NodeType == n.Type }) {
		nodeType = n.ModelsOf
	}
	for _, m := range p.Models {
		if m.NodeType != nodeType || !p.IsSetUp(m.Provider) || n.Remote[m.Provider] == nil {
			continue
		}
		n.models = append(n.models, m)
		if !slices.Contains(names, m.Provider) {
			names = append(names, m.Provider)
		}
	}
	n.Providers = names
	if own == 0 {
		n.Cost = n.Price(nil)
	}
	n.describe()
	return n
}

// describe brings the fields provider and model up to date. Where this server
// can do the work too, model stays a free text, as of any node.
func (n *Node) describe() {
	whose := Choice("provider", "Provider", "Who does the work.", LocalName)
	if p, ok := n.InputSchema.Properties.Find("provider"); ok {
		whose = p
	}
	properties := slices.DeleteFunc(slices.Clone(n.InputSchema.Properties), func(p Property) bool {
		_, extra := n.RemoteFields.Find(p.Name)
		return extra || p.Name == "provider" || p.Name == "model"
	})
	if len(n.models) > 0 {
		properties = append(properties, n.RemoteFields...)
	}
	if len(n.Providers) > 0 {
		whose.Schema.Enum = n.Providers
		if n.Chooses == nil {
			whose.Schema.Default = n.Providers[0]
		}
		properties = append(properties, whose)
	}
	if len(n.models) > 0 {
		properties = append(properties, n.modelField())
	}
	n.InputSchema = Object(properties...)
}

func (n *Node) modelField() Property {
	field := Line("model", "Model", "Of the provider; empty takes its first. "+n.modelList()+".")
	if !slices.Contains(n.Providers, LocalName) {
		field.Schema.Enum = n.modelIDs("")
	}
	return field
}

// modelList is every model by its provider.
func (n *Node) modelList() string {
	var parts []string
	for _, name := range n.Providers {
		if ids := n.modelIDs(name); len(ids) > 0 {
			parts = append(parts, name+": "+strings.Join(ids, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

func (n *Node) modelIDs(providerName string) (ids []string) {
	for _, m := range n.models {
		if providerName == "" || m.Provider == providerName {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Models are what the install's providers do for the type.
func (n *Node) Models() []Model { return slices.Clone(n.models) }

// Remotes are the providers outside that can do the type's work, set up or not.
func (n *Node) Remotes() []string { return slices.Sorted(maps.Keys(n.Remote)) }

// Offered tells whether this install can run the type: one that only providers
// outside can do needs one of them.
func (n *Node) Offered() bool { return len(n.Remote) == 0 || len(n.Providers) > 0 }

// UnavailableReason is why the type does not run here, for messages.
func (n *Node) UnavailableReason() string {
	var ways []string
	for _, name := range n.Remotes() {
		ways = append(ways, n.toSetUp(name))
	}
	return "needs a provider, and none that can do it is set up on this install; its operator must set " + strings.Join(ways, " or ")
}

// providerOf is who does the work on these settings.
func (n *Node) providerOf(input map[string]any) string {
	if n.Chooses != nil {
		return n.Chooses(n, input)
	}
	if name, _ := input["provider"].(string); name != "" {
		return name
	}
	if len(n.Providers) > 0 {
		return n.Providers[0]
	}
	return ""
}

// ProviderOf is who does the work on these settings: local is this install, empty too.
func (n *Node) ProviderOf(input map[string]any) string { return n.providerOf(input) }

// modelOf is the model that does the work on these settings; false when no
// provider outside does.
func (n *Node) modelOf(input map[string]any) (Model, bool) {
	name := n.providerOf(input)
	id, _ := input["model"].(string)
	for _, m := range n.models {
		if m.Provider == name && (id == "" || m.ID == id) {
			return m, true
		}
	}
	return Model{}, false
}

// checkModel refuses a provider that is not set up, and a model that it does
// not have. Settings that are not complete may leave the provider out.
func (n *Node) checkModel(prefix string, input map[string]any, complete bool) error {
	if len(n.Remote) == 0 {
		return nil
	}
	if !n.Offered() {
		return models.Err(models.CodeValidation, "%s %s", n.Type, n.UnavailableReason())
	}
	if n.Refuses != nil {
		if err := n.Refuses(n, prefix, input); err != nil {
			return err
		}
	}
	name, _ := input["provider"].(string)
	if n.Remote[name] != nil && !slices.Contains(n.Providers, name) {
		return models.Invalid(prefix+"provider", "%s", n.Missing(name))
	}
	if complete {
		name = n.providerOf(input)
	}
	id, _ := input["model"].(string)
	if ids := n.modelIDs(name); id != "" && n.Remote[name] != nil && !slices.Contains(ids, id) {
		return models.Invalid(prefix+"model", "must be one of %s", strings.Join(ids, ", "))
	}
	return nil
}

// Price is what is held for one run on these settings: what it costs, at most or, of a
// metered one, about.
func (n *Node) Price(input map[string]any) models.Credits {
	m, ok := n.modelOf(input)
	switch {
	case n.Prices != nil && ok:
		return n.Prices(input, &m)
	case n.Prices != nil:
		return n.Prices(input, nil)
	case !ok:
		return n.Cost
	}
	return m.Price(StandardTokens, int64(TokenLimit(input)))
}

// Metered tells whether a run on these settings may really cost more than its Price:
// what a model reads, and what it writes for itself, is known when it is done.
func (n *Node) Metered(input map[string]any) bool {
	m, remote := n.modelOf(input)
	return n.Meters && (!remote || m.PerThousandTokens > 0 || m.PerThousandInputTokens > 0)
}

// maxBilledTokens bounds what a provider may report, so that no price overflows.
const maxBilledTokens = 100_000_000

// Price is of a run that reads and writes so many tokens, rounded up.
func (m Model) Price(read, written int64) models.Credits {
	of := func(price models.Credits, tokens int64) models.Credits {
		return (price*models.Credits(max(0, min(tokens, maxBilledTokens))) + 999) / 1000
	}
	return m.Cost + of(m.PerThousandInputTokens, read) + of(m.PerThousandTokens, written)
}

// The bounds of maxTokens.
const (
	MinTokens      = 1
	StandardTokens = 1_000
	MaxTokens      = 16_000
)

// TokenLimit is maxTokens as Do will see it.
func TokenLimit(input map[string]any) int {
	v, ok := ToNumber(input["maxTokens"])
	if !ok {
		return StandardTokens
	}
	return int(math.Max(MinTokens, math.Min(MaxTokens, v)))
}

// PoolFor is where a run on these settings waits for a worker.
func (n *Node) PoolFor(input map[string]any) Pool {
	if _, remote := n.modelOf(input); remote {
		return Provider
	}
	return n.Pool
}

// Pin writes the provider and model that will do the work into settings that
// leave them open, so that the job and the reports name them.
func (n *Node) Pin(input map[string]any) map[string]any {
	m, ok := n.modelOf(input)
	if !ok {
		return input
	}
	pinned := maps.Clone(input)
	if pinned == nil {
		pinned = map[string]any{}
	}
	pinned["provider"], pinned["model"] = m.Provider, m.ID
	return pinned
}

// SetsPrice tells whether a field decides what a run costs. Such a field is set
// on the node and fed by nothing, for the price is held before the run begins.
func (n *Node) SetsPrice(field string) bool {
	return len(n.Remote) > 0 && (field == "provider" || field == "model" || field == "maxTokens") || slices.Contains(n.PricedBy, field)
}

// DecidesPrice are the fields of the type's form that decide what a run costs: those of SetsPrice, and the preset and
// the voice that may set them. None where the price is always the same.
func (n *Node) DecidesPrice() []string {
	fields, laid := []string{}, []string{}
	for _, p := range n.InputSchema.Properties {
		switch kind := n.LibraryKind(p.Name); {
		case n.SetsPrice(p.Name):
			fields = append(fields, p.Name)
		case kind == namesPreset || kind == NamesVoice:
			laid = append(laid, p.Name)
		}
	}
	if len(fields) == 0 {
		return fields
	}
	return append(fields, laid...)
}
