package install_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/install"
)

func as(operator bool, s *install.Service) context.Context {
	return models.WithActor(context.Background(), models.Actor{
		Kind: models.BySession, UserID: models.NewID(s.DB.Clock.Now()), DisplayName: "Op", Operator: operator, ConfirmedAt: s.DB.Clock.Now(),
	})
}

func refused(t *testing.T, err error, code models.Code, field string) {
	t.Helper()
	e, _ := models.AsError(err)
	if e == nil || e.Code != code || e.Field != field {
		t.Errorf("error = %v, want %s of %q", err, code, field)
	}
}

// Operators alone change what everyone reads, each change is noted, and how to pay is for those who have an account.
func TestSettings(t *testing.T) {
	s := &install.Service{DB: dbtest.New(t)}
	op, person, visitor := as(true, s), as(false, s), context.Background()
	text := func(v string) *string { return &v }
	for _, ctx := range []context.Context{person, visitor} {
		_, err := s.UpdateSettings(ctx, install.UpdateInput{Terms: text("Mine")})
		if err == nil {
			t.Error("a stranger changed the terms")
		}
		if _, err := s.ListChanges(ctx); err == nil {
			t.Error("a stranger reads who changed what")
		}
		if err := s.SetLogo(ctx, []byte("png")); err == nil {
			t.Error("a stranger changed the logo")
		}
	}
	late := models.ActorFrom(op)
	late.ConfirmedAt = late.ConfirmedAt.AddDate(0, 0, -1)
	_, err := s.UpdateSettings(models.WithActor(op, late), install.UpdateInput{})
	refused(t, err, models.CodeReauthentication, "")
	refused(t, s.SetLogo(models.WithActor(op, late), []byte("png")), models.CodeReauthentication, "")
	_, err = s.UpdateSettings(op, install.UpdateInput{Accent: text("red")})
	refused(t, err, models.CodeValidation, "accent")
	_, err = s.UpdateSettings(op, install.UpdateInput{Contact: text("two\nlines")})
	refused(t, err, models.CodeValidation, "contact")
	if look, err := s.FindLook(visitor); err != nil || look != (install.Look{}) {
		t.Errorf("before anything is set: %+v (%v)", look, err)
	}
	set, err := s.UpdateSettings(op, install.UpdateInput{Terms: text(" Be kind. "), PaymentInstructions: text("IBAN 1"), Accent: text("#AA0000"), Version: new(int)})
	if err == nil || set != nil {
		t.Errorf("a version that is none: %v", err)
	}
	one := 1
	set, err = s.UpdateSettings(op, install.UpdateInput{Terms: text(" Be kind. "), PaymentInstructions: text("IBAN 1"), Accent: text("#AA0000"), Version: &one})
	if err != nil || set.Terms != "Be kind." || set.Accent != "#aa0000" || set.Version != 2 {
		t.Fatalf("%+v (%v)", set, err)
	}
	_, err = s.UpdateSettings(op, install.UpdateInput{Terms: text("Other"), Version: &one})
	refused(t, err, models.CodeStale, "")
	if err := s.SetLogo(op, []byte("png")); err != nil {
		t.Fatal(err)
	}
	look, err := s.FindLook(visitor)
	if err != nil || !look.HasTerms || look.HasPrivacy || look.Accent != "#aa0000" || look.LogoURL == nil {
		t.Fatalf("the look is %+v (%v)", look, err)
	}
	if logo, err := s.FindLogo(visitor, (*look.LogoURL)[len(install.LogoPath):]); err != nil || string(logo) != "png" {
		t.Errorf("the logo is %q (%v)", logo, err)
	}
	if seen, err := s.FindSettings(visitor); err != nil || seen.PaymentInstructions != "" || seen.Terms != "Be kind." {
		t.Errorf("a visitor reads %+v (%v)", seen, err)
	}
	if seen, err := s.FindSettings(person); err != nil || seen.PaymentInstructions != "IBAN 1" {
		t.Errorf("a person reads %+v (%v)", seen, err)
	}
	yes := true
	if _, err := s.UpdateSettings(op, install.UpdateInput{RemoveLogo: &yes}); err != nil {
		t.Fatal(err)
	}
	changes, err := s.ListChanges(op)
	if err != nil || len(changes) != 3 || changes[0].ActorName != "Op" || len(changes[2].Fields()) != 3 {
		t.Errorf("changes: %+v (%v)", changes, err)
	}
}
