package migrations_test

import (
	"context"
	"slices"
	"testing"

	"atelier/migrations"
	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5"
)

// Addresses that were kept with their domain as it is written get the form in
// which they are compared, unless a person has it already.
func TestAddressesOfBefore(t *testing.T) {
	ctx, url := context.Background(), dbtest.NewURL(t)
	downBefore(t, url, 11)
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	exec := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at)
		SELECT gen_random_uuid(), email, address, 'x', now(), now() FROM (VALUES
			('mara@bücher.example', 'Mara@Bücher.example'), ('plain@example.com', 'Plain@example.com'), ('σ@example.com', 'Σ@example.com'),
			('two@bücher.example', 'two@bücher.example'), ('two@xn--bcher-kva.example', 'two@xn--bcher-kva.example'),
			('odd@💩.example', 'odd@💩.example')) v (email, address)`)
	exec(`INSERT INTO organizations (id, name, kind, slug, status, settings, created_by, created_at, updated_at)
		SELECT gen_random_uuid(), 'o', 'team', 'o', 'active', '{"allowed_email_domains": ["bücher.example", "example.com"], "admin_access": "view"}', id, now(), now()
		FROM users WHERE email = 'plain@example.com'`)
	exec(`INSERT INTO invitations (id, organization_id, email, address, org_role, send_id, invited_by, created_at, sent_at, expires_at)
		SELECT gen_random_uuid(), id, 'new@bücher.example', 'New@Bücher.example', 'member', gen_random_uuid(), created_by, now(), now(), now() FROM organizations`)
	exec(`INSERT INTO sign_ups (id, email, address, display_name, password_hash, created_at, expires_at)
		SELECT gen_random_uuid(), email, address, 'x', 'x', now(), now() FROM (VALUES ('op@strasse.example', 'op@straße.example'), ('fine@example.com', 'Fine@example.com')) v (email, address)`)
	if err := migrations.Up(ctx, url); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		`SELECT email FROM users ORDER BY email COLLATE "C"`: {
			"mara@xn--bcher-kva.example", "odd@💩.example", "plain@example.com", "two@bücher.example", "two@xn--bcher-kva.example", "σ@example.com"},
		`SELECT address FROM users WHERE address <> email`: nil,
		`SELECT settings::text FROM organizations`:         {`{"admin_access": "view", "allowed_email_domains": ["example.com", "xn--bcher-kva.example"]}`},
		`SELECT email || ' ' || address FROM invitations`:  {"new@xn--bcher-kva.example new@xn--bcher-kva.example"},
		`SELECT email FROM sign_ups`:                       {"fine@example.com"},
	} {
		rows, err := conn.Query(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q (%v), want %q", query, got, err, want)
		}
	}
}
