package models_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"atelier/models"

	"pgregory.net/rapid"
)

func TestCreditsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := models.Credits(rapid.Int64Range(-int64(models.MaxCredits), int64(models.MaxCredits)).Draw(t, "credits"))
		body, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got models.Credits
		if err := json.Unmarshal(body, &got); err != nil || got != want {
			t.Fatalf("%d became %s became %d (%v)", want, body, got, err)
		}
	})
}

func TestParseCredits(t *testing.T) {
	for text, want := range map[string]models.Credits{
		"0": 0, "1": 1000, "-1.5": -1500, "0.001": 1, "2.50": 2500, "1e2": 100_000, "1E-3": 1, "1000000000": models.MaxCredits,
	} {
		if got, err := models.ParseCredits(text); err != nil || got != want {
			t.Errorf("ParseCredits(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "0.0001", "1e-4", "1e308", "1000000000.001", "NaN", "Inf", "1/3", "0x10", "1_000", `"5"`, strings.Repeat("9", 50)} {
		if got, err := models.ParseCredits(text); err == nil {
			t.Errorf("ParseCredits(%q) = %d, want an error", text, got)
		}
	}
}

func TestIDsSortByTime(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 123_456_000, time.UTC)
	previous := models.FirstID(now)
	for i := range 5000 {
		id := models.NewID(now.Add(time.Duration(i) * time.Microsecond))
		if id.String() <= previous.String() {
			t.Fatalf("id %d sorts before the one before it: %s, %s", i, id, previous)
		}
		if id.Version() != 7 || id.Variant().String() != "RFC4122" {
			t.Fatalf("%s is no UUIDv7", id)
		}
		previous = id
	}
	if later := models.NewID(now.Add(time.Second)); later.String() <= previous.String() {
		t.Errorf("a later id sorts before an earlier one")
	}
}

func TestParseIDTakesOneNotation(t *testing.T) {
	id := models.NewID(time.Now())
	if got, err := models.ParseID("id", id.String()); err != nil || got != id {
		t.Errorf("ParseID(%s) = %s, %v", id, got, err)
	}
	for _, text := range []string{"", "x", "{" + id.String() + "}", "urn:uuid:" + id.String(), strings.ReplaceAll(id.String(), "-", "")} {
		if _, err := models.ParseID("id", text); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("ParseID(%q): %v, want validation_error", text, err)
		}
		if _, err := models.UnmarshalID(text); err == nil {
			t.Errorf("GraphQL takes %q for an id", text)
		}
	}
}

func TestOptHasThreeStates(t *testing.T) {
	type body struct {
		Name models.Opt[string] `json:"name,omitzero"`
	}
	for text, check := range map[string]func(models.Opt[string]) bool{
		`{}`:            func(o models.Opt[string]) bool { return !o.IsSet() },
		`{"name":null}`: func(o models.Opt[string]) bool { return o.IsSet() && o.Value() == nil },
		`{"name":"x"}`:  func(o models.Opt[string]) bool { return o.IsSet() && *o.Value() == "x" },
	} {
		var b body
		if err := json.Unmarshal([]byte(text), &b); err != nil || !check(b.Name) {
			t.Errorf("%s was read wrongly (%v)", text, err)
		}
		if again, _ := json.Marshal(b); string(again) != text {
			t.Errorf("%s was written as %s", text, again)
		}
	}
}

func TestCleanName(t *testing.T) {
	for _, bad := range []string{"", "   ", strings.Repeat("x", 101), "a\x00b", "a\nb", "\xff"} {
		if _, err := models.CleanName("name", bad); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("CleanName(%q): %v, want validation_error", bad, err)
		}
	}
	if got, err := models.CleanName("name", "  "+strings.Repeat("é", 100)+" "); err != nil || got != strings.Repeat("é", 100) {
		t.Errorf("a name of 100 characters was refused: %v", err)
	}
}

func TestVault(t *testing.T) {
	old, fresh := []byte(strings.Repeat("a", 32)), []byte(strings.Repeat("b", 32))
	first, err := models.NewVault(old)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := first.Seal("webhook:1", "whsec_x")
	if err != nil || strings.Contains(sealed, "whsec") {
		t.Fatalf("Seal: %q, %v", sealed, err)
	}
	rotated, _ := models.NewVault(fresh, old)
	if got, err := rotated.Open("webhook:1", sealed); err != nil || got != "whsec_x" {
		t.Errorf("an old value after a rotation: %q, %v", got, err)
	}
	if _, err := rotated.Open("webhook:2", sealed); err == nil {
		t.Errorf("a value opened for another purpose")
	}
	if other, _ := models.NewVault(fresh); other != nil {
		if _, err := other.Open("webhook:1", sealed); err == nil {
			t.Errorf("a value opened without its key")
		}
	}
	var none *models.Vault
	if _, err := none.Seal("x", "y"); !models.HasCode(err, models.CodeEncryptionKeyMissing) {
		t.Errorf("sealing without a key: %v", err)
	}
}
