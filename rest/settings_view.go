package rest

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// settingsView is what is stored at one layer, as an object.
type settingsView json.RawMessage

// MarshalJSON writes the object; nothing stored is {}.
func (s settingsView) MarshalJSON() ([]byte, error) {
	if len(s) == 0 {
		return []byte("{}"), nil
	}
	return s, nil
}

func (settingsView) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}
