package migrations_test

import (
	"slices"
	"testing"

	"atelier/migrations"
)

// downBefore takes migrations back until the one of a version is not applied.
func downBefore(t *testing.T, url string, version int64) {
	t.Helper()
	for {
		states, err := migrations.Status(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(states, func(s migrations.State) bool { return s.Version == version }); !states[i].Applied {
			return
		}
		if err := migrations.Down(t.Context(), url); err != nil {
			t.Fatal(err)
		}
	}
}
