package graph

import (
	"slices"
	"testing"

	"atelier/graph/generated"
	"atelier/models/notice"
)

// The schema names every kind of notifications.
func TestNotificationKinds(t *testing.T) {
	var named []notice.Kind
	for _, value := range generated.NewExecutableSchema(generated.Config{}).Schema().Types["NotificationKind"].EnumValues {
		named = append(named, notice.Kind(value.Name))
	}
	for _, kind := range notice.Kinds {
		if !slices.Contains(named, kind) {
			t.Errorf("%s is not named", kind)
		}
	}
	if len(named) != len(notice.Kinds) {
		t.Errorf("%d kinds are named, of %d", len(named), len(notice.Kinds))
	}
}
