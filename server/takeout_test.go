package server

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"atelier/config"
	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/org"
	"atelier/models/space"
	"atelier/web"
)

// Everything of an account goes to its own session, everything of an organization to its owner's, if it was confirmed within the hour.
func TestWhoTakesEverythingAlong(t *testing.T) {
	db := dbtest.New(t)
	s, err := New(t.Context(), config.Config{Edition: config.EditionHosted, Organizations: true, OrgAutoApprove: true, DataDir: t.TempDir(), PublicURL: "https://atelier.example", SessionKey: make([]byte, 32)}, db)
	if err != nil {
		t.Fatal(err)
	}
	now := db.Clock.Now()
	person := func(name string) models.Actor {
		t.Helper()
		id := db.NewID(now)
		if err := db.Read(t.Context()).Exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, ?, now(), now())`,
			id, name+"@example.com", name+"@example.com", name).Error; err != nil {
			t.Fatal(err)
		}
		return models.Actor{Kind: models.BySession, UserID: id, DisplayName: name, ConfirmedAt: now}
	}
	owner, admin, member, outsider := person("owner"), person("admin"), person("member"), person("outsider")
	yes := true
	o, err := s.Orgs.CreateOrganization(models.WithActor(t.Context(), owner), org.CreateOrganizationInput{Name: "House", Kind: org.Team, AcceptTerms: &yes})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		who  models.Actor
		role string
	}{{admin, "admin"}, {member, "member"}} {
		if err := db.Read(t.Context()).Exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at) VALUES (?, ?, ?, 'active', now(), now())`,
			o.ID, one.who.UserID, one.role).Error; err != nil {
			t.Fatal(err)
		}
	}
	stale, token := owner, owner
	stale.ConfirmedAt = now.Add(-2 * time.Hour)
	token.Kind = models.ByToken
	for name, test := range map[string]struct {
		who         models.Actor
		own, school string
	}{
		"owner":    {owner, "", ""},
		"admin":    {admin, "", "insufficient_role"},
		"member":   {member, "", "insufficient_role"},
		"outsider": {outsider, "", "not_found"},
		"stale":    {stale, "reauthentication_required", "reauthentication_required"},
		"token":    {token, "forbidden", "forbidden"},
		"no one":   {models.Actor{Kind: models.Anonymous}, "unauthorized", "unauthorized"},
	} {
		for organization, want := range map[string]string{"": test.own, o.ID.String(): test.school} {
			ctx, answered := context.WithCancel(models.WithActor(context.Background(), test.who))
			_, _, err := s.takeout(ctx, organization)
			answered()
			got := ""
			if refusal, ok := errors.AsType[*web.Error](err); ok {
				got = refusal.Code
			} else if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s, %q: %q, want %q", name, organization, got, want)
			}
		}
	}
	var entries int
	if err := db.Row(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'organization.exported'`).Scan(&entries); err != nil || entries != 1 {
		t.Errorf("%d entries of the audit log, %v", entries, err)
	}

	// While slow ones have all places the next is refused, and not counted.
	var counted, before int
	count := func(into *int) {
		t.Helper()
		if err := db.Row(t.Context(), `SELECT coalesce(sum(count), 0) FROM rate_windows WHERE name = 'takeouts'`).Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	count(&before)
	placeWait = 50 * time.Millisecond
	sent, answered := context.WithCancel(models.WithActor(context.Background(), outsider))
	first, _, err := s.takeout(sent, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.takeout(models.WithActor(sent, admin), ""); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.takeout(models.WithActor(t.Context(), member), "")
	if refusal, ok := errors.AsType[*web.Error](err); !ok || refusal.Code != "service_unavailable" || refusal.RetryAfter == 0 {
		t.Errorf("without a place: %v", err)
	}
	if count(&counted); counted != before+2 {
		t.Errorf("%d were counted of 2", counted-before)
	}
	// The session of the outsider is no more: its archive ends in the middle.
	if _, err := first.WriteTo(slowly{}); !models.HasCode(err, models.CodeUnauthorized) {
		t.Errorf("after the session's end: %v", err)
	}
	answered()
	for range cap(takeouts) {
		again, done := context.WithCancel(models.WithActor(t.Context(), member))
		defer done()
		if err := takePlace(again); err != nil {
			t.Errorf("places are not free again: %v", err)
		}
	}
}

// Commands that only look put the rooms together and write nothing; what serves or works takes over its quotas.
func TestBuildingWritesNothing(t *testing.T) {
	db := dbtest.New(t)
	most := int64(1 << 20)
	c := config.Config{Edition: config.EditionHosted, DataDir: t.TempDir(), PublicURL: "https://atelier.example", SessionKey: make([]byte, 32), AccountQuota: space.Quota{Files: &most}}
	set := func() (n int) {
		t.Helper()
		if err := db.Row(t.Context(), `SELECT count(*) FROM storage_quotas WHERE files = $1`, most).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	s, err := (&install{Config: c, out: io.Discard, DB: db}).build(t.Context())
	if err != nil || set() != 0 {
		t.Fatalf("%d quotas were set, %v", set(), err)
	}
	if err := s.takeOver(t.Context()); err != nil || set() != 1 {
		t.Errorf("%d quotas are set, %v", set(), err)
	}
}

// slowly reads an archive more slowly than it is seen that a session has ended.
type slowly struct{}

func (slowly) Write(b []byte) (int, error) {
	time.Sleep(time.Second)
	return len(b), nil
}
