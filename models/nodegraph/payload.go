package nodegraph

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"atelier/models"
	"atelier/nodes"
)

// Parameter is a value that reaches a trigger, or that a webhook output sends
// (contract 2, "Webhook-trigger and webhook-output parameters").
type Parameter struct {
	Name string `json:"name"`
	Type string `json:"type"` // text, imageUrl, videoUrl or audioUrl
}

// maxMediaURL bounds the address of a medium, in characters.
const maxMediaURL = 2_048

// ReadParameters reads data.parameters; what has no name is none, and what has
// no type is text.
func ReadParameters(raw any) []Parameter {
	list, _ := raw.([]any)
	all := make([]Parameter, 0, len(list))
	for _, item := range list {
		entry, _ := item.(map[string]any)
		p := Parameter{Type: "text"}
		p.Name, _ = entry["name"].(string)
		if kind, ok := entry["type"].(string); ok && kind != "" {
			p.Type = kind
		}
		if p.Name != "" {
			all = append(all, p)
		}
	}
	return all
}

// CheckParameters judges parameters as the node's own are judged when it is saved.
func CheckParameters(prefix string, raw any) error {
	kind, _ := nodes.Find(WebhookTriggerType)
	data := map[string]any{"parameters": raw}
	if err := kind.ValidateData(prefix, data); err != nil {
		return err
	}
	return CheckNames(prefix, WebhookTriggerType, data)
}

// ReadPayload takes each parameter's value from what was sent: a missing key
// leaves it empty, others are ignored. validation_error for a value of another
// type: all are texts, those of media the http or https address of a file.
func ReadPayload(parameters []Parameter, payload map[string]any) (map[string]any, error) {
	values := make(map[string]any, len(parameters))
	for _, p := range parameters {
		value, sent := payload[p.Name]
		if !sent || value == nil {
			continue
		}
		text, ok := value.(string)
		if !ok {
			return nil, models.Invalid(p.Name, "must be a text")
		}
		if p.Type != "text" {
			if text == "" {
				continue
			}
			if err := checkMediaURL(p.Name, text); err != nil {
				return nil, err
			}
		}
		values[p.Name] = text
	}
	return values, nil
}

// checkMediaURL looks at the form alone: whether the address may be asked is judged when it is.
func checkMediaURL(name, text string) error {
	if utf8.RuneCountInString(text) > maxMediaURL {
		return models.Invalid(name, "must be at most %d characters", maxMediaURL)
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return models.Invalid(name, "must be the address of a file, such as https://example.com/picture.png")
	}
	return nil
}

// TriggerOutput is what a trigger node puts out: each value under its
// parameter's name, and all of them as its data.
func TriggerOutput(values map[string]any) map[string]any {
	out := map[string]any{"data": values}
	for name, value := range values {
		out[name] = value
	}
	return out
}

// PayloadSubject is what a run is about that a payload started: its first text, on
// one line.
func PayloadSubject(parameters []Parameter, values map[string]any) string {
	for _, p := range parameters {
		text, _ := values[p.Name].(string)
		if p.Type != "text" {
			continue
		}
		if words := oneLine(text); words != "" {
			return words
		}
	}
	return ""
}

// oneLine is the beginning of a text as a title.
func oneLine(text string) string {
	words := strings.Join(strings.Fields(models.Shortened(text, 4*maxInSubject)), " ")
	return models.Shortened(words, maxInSubject)
}
