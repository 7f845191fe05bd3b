package models_test

import (
	"encoding/json"
	"strings"
	"testing"

	"atelier/models"
)

// What stands in a GraphQL document has the bounds of a variable, and both
// those of a body.
func TestScalarsOfGraphQLHaveTheBoundsOfJSON(t *testing.T) {
	deep := func(levels int) any {
		value := any(map[string]any{})
		for range levels - 1 {
			value = map[string]any{"a": value}
		}
		return value
	}
	for name, c := range map[string]struct {
		value any
		fault string
	}{
		"64 levels": {deep(64), ""}, "65 levels": {deep(65), "deeper than 64"},
		"beyond float64": {map[string]any{"a": json.Number("1e400")}, "too large"}, "digits": {map[string]any{"a": json.Number("9007199254740993")}, ""},
	} {
		_, err := models.UnmarshalMap(c.value)
		_, err2 := models.UnmarshalJSON(c.value)
		for _, err := range []error{err, err2} {
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := models.UnmarshalMap([]any{}); err == nil {
		t.Error("a list is no object")
	}
}

func TestMessagesRepeatTheBeginningOfWhatWasSent(t *testing.T) {
	long := strings.Repeat("ü", 1<<20)
	err := models.Invalid("a."+long, "%q is no %s: %v", long, long, json.Unmarshal([]byte(`{"`+long), new(int)))
	if len(err.Field) > 900 || len(err.Message) > 4_000 || !strings.Contains(err.Message, `ü…" is no ü`) {
		t.Errorf("%d and %d bytes: %.100s", len(err.Field), len(err.Message), err.Message)
	}
	if got := models.Invalid("a", "%q is %s, not %d", "b", "c", 3).Message; got != `a "b" is c, not 3` {
		t.Error(got)
	}
}
