package provider

import (
	"strconv"
	"strings"

	"atelier/models"
)

// content is the content of a message: a text, or a list of parts, of which those that are texts count.
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(raw []byte) error {
	if raw[0] != '[' {
		return models.ReadJSON(raw, (*string)(c))
	}
	var parts []struct{ Type, Text text }
	if err := models.ReadJSON(raw, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "text" {
			*c += content(p.Text)
		}
	}
	return nil
}

// tokens is a number of tokens, which some services send as 12.0 or "12"; what is none counts nothing.
type tokens int64

// maxTokens is more than a request takes, and bounds what is charged for.
const maxTokens = 1e9

// UnmarshalJSON implements json.Unmarshaler.
func (t *tokens) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64); err == nil && n > 0 {
		*t = tokens(min(n, maxTokens))
	}
	return nil
}
