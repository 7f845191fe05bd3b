package config

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

var providerVariables = Group{"Providers of nodes", []Variable{
	{"OPENAI_BASE_URL", "https://api.openai.com/v1", "any service with OpenAI's API, http and private addresses included",
		into(func(c *Config) *string { return &c.OpenAIBaseURL }, parseBaseURL)},
	{"OPENAI_API_KEY", "", "its key, any text where it needs none; unset: the provider openai is not offered",
		into(func(c *Config) *string { return &c.OpenAIAPIKey }, parseKeyText)},
	{"REPLICATE_BASE_URL", "https://api.replicate.com/v1", "any service with Replicate's API of predictions, http and private addresses included",
		into(func(c *Config) *string { return &c.ReplicateBaseURL }, parseBaseURL)},
	{"REPLICATE_API_TOKEN", "", "its key; unset: the provider replicate is not offered",
		into(func(c *Config) *string { return &c.ReplicateAPIToken }, parseKeyText)},
	{"PROVIDER_MODELS", "", "JSON array or @file: { provider, type, model, credits, creditsPer1000Tokens?, creditsPer1000InputTokens?, input?, fields? }; replaces the built-in models of each provider that it names",
		fromJSON(func(c *Config) *[]kit.Model { return &c.ProviderModels }, readProviderModels)},
}}

// presetModels are what the providers are used for, unless PROVIDER_MODELS
// names others; the first of a provider and type is the default.
var presetModels = []kit.Model{
	{Provider: "openai", NodeType: "generate-text", ID: "gpt-5.4-mini", Cost: 100, PerThousandTokens: 200},
	{Provider: "openai", NodeType: "generate-text", ID: "gpt-5.5", Cost: 500, PerThousandTokens: 1500},
	{Provider: "openai", NodeType: "prompt-helper-model", ID: "gpt-5.4-mini", Cost: 100, PerThousandTokens: 200},
	{Provider: "openai", NodeType: "3d-scene", ID: "gpt-5.4-mini", Cost: 100, PerThousandTokens: 200},
	{Provider: "openai", NodeType: "script-breakdown-model", ID: "gpt-5.4-mini", Cost: 100, PerThousandTokens: 200},
	{Provider: "openai", NodeType: "generate-image", ID: "gpt-image-1-mini", Cost: 3 * models.Credit},
	{Provider: "openai", NodeType: "generate-image", ID: "gpt-image-2", Cost: 8 * models.Credit},
	{Provider: "openai", NodeType: "text-to-speech", ID: "gpt-4o-mini-tts", Cost: 2 * models.Credit},
	{Provider: "openai", NodeType: "clone-voice", ID: "gpt-4o-mini-tts", Cost: 5 * models.Credit},
	{Provider: "openai", NodeType: "transcribe-audio", ID: "gpt-transcribe", Cost: 2 * models.Credit},
	{Provider: "openai", NodeType: "transcribe-audio", ID: "whisper-1", Cost: 2 * models.Credit},
	{Provider: "replicate", NodeType: "generate-image", ID: "black-forest-labs/flux-schnell", Cost: 1 * models.Credit},
	{Provider: "replicate", NodeType: "generate-image", ID: "black-forest-labs/flux-1.1-pro", Cost: 5 * models.Credit},
	{Provider: "replicate", NodeType: "generate-video", ID: "wan-video/wan-2.2-t2v-fast", Cost: 15 * models.Credit},
	{Provider: "replicate", NodeType: "generate-video", ID: "minimax/video-01", Cost: 50 * models.Credit},
}

// replicateModel is the form of a model's name, which becomes part of a path.
var replicateModel = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9_-][A-Za-z0-9._-]*(:[A-Za-z0-9]+)?$`)

func readProviderModels(r *jsonReader, raw json.RawMessage) []kit.Model {
	var list []kit.Model
	seen := map[[3]string]bool{}
	for _, o := range r.objects(raw) {
		m := kit.Model{Provider: o.required("provider"), NodeType: o.required("type"), ID: o.required("model")}
		if m.Provider != "" && m.NodeType != "" && !nodes.CanDo(m.Provider, m.NodeType) {
			o.problem(o.at("type"), "%s cannot do %s", m.Provider, m.NodeType)
		}
		o.modelName(m)
		if key := [3]string{m.Provider, m.NodeType, m.ID}; seen[key] {
			o.problem(o.at("model"), "%q is there twice", m.ID)
		} else {
			seen[key] = true
		}
		if o.requiredNumber("credits", &m.Cost, "a number with at most three decimals") && m.Cost < 0 {
			o.problem(o.at("credits"), "must not be negative")
		}
		if o.take("creditsPer1000Tokens", &m.PerThousandTokens, "a number with at most three decimals") && m.PerThousandTokens < 0 {
			o.problem(o.at("creditsPer1000Tokens"), "must not be negative")
		}
		if o.take("creditsPer1000InputTokens", &m.PerThousandInputTokens, "a number with at most three decimals") && m.PerThousandInputTokens < 0 {
			o.problem(o.at("creditsPer1000InputTokens"), "must not be negative")
		}
		o.take("input", &m.Input, "an object")
		o.modelFields(&m)
		o.finish("PROVIDER_MODELS")
		list = append(list, m)
	}
	return list
}

// modelFields reads the model's names for what nodes send.
func (o *jsonObject) modelFields(m *kit.Model) {
	o.take("fields", &m.Fields, "an object of strings")
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		if !slices.Contains(kit.ModelFields, name) {
			o.problem(o.at("fields."+name), "is none of %s", strings.Join(kit.ModelFields, ", "))
		}
	}
}

func (o *jsonObject) modelName(m kit.Model) {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	switch {
	case m.ID == "":
	case len(m.ID) > 200 || slices.ContainsFunc([]rune(m.ID), odd):
		o.problem(o.at("model"), "must be at most 200 characters without blanks")
	case m.Provider == "replicate" && !replicateModel.MatchString(m.ID):
		o.problem(o.at("model"), "must be owner/name, or owner/name:version")
	}
}

// providers are the services outside that the nodes of this install may use.
func (c *Config) Providers() kit.Providers {
	p := kit.Providers{Models: slices.Clone(c.ProviderModels)}
	for _, preset := range presetModels {
		if !slices.ContainsFunc(c.ProviderModels, func(m kit.Model) bool { return m.Provider == preset.Provider }) {
			p.Models = append(p.Models, preset)
		}
	}
	if c.OpenAIAPIKey != "" {
		p.OpenAI = &provider.OpenAI{Service: provider.Service{BaseURL: c.OpenAIBaseURL, Key: c.OpenAIAPIKey}}
	}
	if c.ReplicateAPIToken != "" {
		p.Replicate = &provider.Replicate{Service: provider.Service{BaseURL: c.ReplicateBaseURL, Key: c.ReplicateAPIToken}}
	}
	return p
}

// parseKeyText takes what may stand in a header.
func parseKeyText(s string) (string, error) {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("must be printable ASCII without blanks")
	}
	return s, nil
}
