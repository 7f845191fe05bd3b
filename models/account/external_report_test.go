package account_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// counted writes down how sign-ins at a provider ended some days ago.
func counted(t *testing.T, s *account.Service, origin, provider, code string, days, count int, offset any) {
	t.Helper()
	at := s.DB.Clock.Now().AddDate(0, 0, -days)
	exec(t, s, `INSERT INTO external_sign_ins (origin, provider, code, day, count, last_at, clock_offset_ms) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		origin, provider, code, at.UTC().Format(time.DateOnly), count, at, offset)
}

func linked(t *testing.T, s *account.Service, userID models.ID, origin, provider string) {
	t.Helper()
	now := s.DB.Clock.Now()
	exec(t, s, `INSERT INTO external_identities (id, user_id, origin, provider, subject, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		models.NewID(now), userID, origin, provider, userID.String(), now.Add(-time.Hour), now)
}

func TestReportSignIns(t *testing.T) {
	s := newService(t)
	s.PublicURL, s.Payer = "https://atelier.example", "pays@example.com"
	s.External = account.External{
		Methods: []string{"email", "sso"}, SSOLabel: "School", LinkExisting: true,
		Providers: []account.SSOProvider{
			{ID: "school", Label: "The school", Kind: "assertion", Secret: "a secret of theirs", InitiateURLByHost: map[string]string{"inside.example": "https://inside.example"}},
			{ID: "google", Label: "Google by SSO", Kind: "oidc"},
			{ID: "nowhere", Label: "Nowhere", Kind: "oidc"},
			{ID: "old", Label: "Old", Kind: "saml"},
		},
		OIDC: []account.OIDCProvider{{ID: "google", Label: "Google", Issuer: "https://issuer.example", ClientSecret: "another secret"}},
	}
	signedIn, mara := signUp(t, s, "mara@example.com")
	other, _ := signUp(t, s, "jonas@example.com")
	op := operator(t, s)
	linked(t, s, signedIn.User.ID, "sso", "school")
	linked(t, s, other.User.ID, "oidc", "gone")
	counted(t, s, "sso", "school", "ok", 1, 3, 2000)
	counted(t, s, "sso", "school", "ok", 29, 4, 9000)
	counted(t, s, "sso", "school", "ok", 30, 100, 9000) // too old to be counted
	counted(t, s, "sso", "school", "expired", 0, 1, -7000)
	counted(t, s, "sso", "school", "invalid_signature", 2, 50, nil)
	counted(t, s, "sso", "school", "missing_jti", 60, 5, nil)
	counted(t, s, "oidc", "google", "ok", 90, 1, nil)
	counted(t, s, "oidc", "older", "ok", 90, 1, nil)

	for _, ctx := range []context.Context{mara, from("192.0.2.1")} {
		if _, err := s.SSO().Report(ctx); err == nil {
			t.Error("somebody who is no operator reads the report")
		}
	}
	o, err := s.SSO().Report(op)
	if err != nil {
		t.Fatal(err)
	}
	if !o.LinkExisting || o.ExternalOnly || *o.BillingAccount != "pays@example.com" || *o.SSOLabel != "School" || len(o.Providers) != 7 {
		t.Errorf("%+v", o)
	}
	got := ""
	for _, p := range o.Providers {
		address := "-"
		if p.Address != nil {
			address = *p.Address
		}
		got += fmt.Sprintf("%s %s %q %s configured=%t hands=%t accounts=%d %s", p.Origin, p.Provider, p.Label, p.Kind, p.Configured, p.HandsOver, p.Accounts, address)
		for _, n := range p.Counts {
			got += fmt.Sprintf(" %s=%d", n.Code, n.Count)
		}
		got += "\n"
	}
	want := `sso school "The school" assertion configured=true hands=false accounts=1 https://atelier.example/v1/sso/school ok=7 invalid_signature=50 expired=1
sso google "Google by SSO" oidc configured=true hands=true accounts=0 -
sso nowhere "Nowhere" oidc configured=true hands=false accounts=0 -
sso old "Old" saml configured=true hands=false accounts=0 -
oidc google "Google" oidc configured=true hands=false accounts=0 https://atelier.example/auth/oidc/google/callback
oidc older "older"  configured=false hands=false accounts=0 -
oidc gone "gone"  configured=false hands=false accounts=1 -
`
	if got != want {
		t.Errorf("the report is\n%swant\n%s", got, want)
	}
	school, google := o.Providers[0], o.Providers[4]
	now := s.DB.Clock.Now()
	if *school.ClockOffsetMillis != -7000 || !school.LastSuccessAt.Equal(now.AddDate(0, 0, -1)) || google.LastSuccessAt == nil || google.ClockOffsetMillis != nil {
		t.Errorf("%+v %+v", school, google)
	}

	// However many providers and codes are counted, the page has an end.
	exec(t, s, `INSERT INTO external_sign_ins (origin, provider, code, day, count, last_at)
		SELECT 'sso', 'p' || n % 200, 'c' || n, $1::date, 1, $2 FROM generate_series(1, 6000) n`, now.Format(time.DateOnly), now.Add(-time.Hour))
	o, err = s.SSO().Report(op)
	if err != nil || len(o.Providers) != 50 || o.Providers[0].Provider != "school" {
		t.Errorf("%d providers, %v", len(o.Providers), err)
	}
}

func TestLinkedSignIns(t *testing.T) {
	s := newService(t)
	s.External.Providers = []account.SSOProvider{{ID: "school", Label: "The school", Kind: "assertion"}}
	s.External.OIDC = []account.OIDCProvider{{ID: "school", Label: "The same id"}}
	here, _, token := twoSessions(t, s)
	other, elsewhere := signUp(t, s, "jonas@example.com")
	linked(t, s, models.ActorFrom(here).UserID, "sso", "school")
	linked(t, s, other.User.ID, "oidc", "gone")
	_, err := s.SSO().ListLinked(as(t, s, token))
	wantCode(t, err, models.CodeForbidden)
	_, err = s.SSO().ListLinked(from("192.0.2.1"))
	wantCode(t, err, models.CodeUnauthorized)
	for ctx, label := range map[context.Context]string{here: "The school", elsewhere: "gone"} {
		rows, err := s.SSO().ListLinked(ctx)
		if err != nil || len(rows) != 1 || rows[0].Label != label || rows[0].LastUsedAt.Sub(rows[0].LinkedAt) != time.Hour {
			t.Errorf("%v %+v", err, rows)
		}
	}
}
