package account_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/account"
)

// A new address is the account's once it is confirmed by the link that was mailed there; the old one is told before and
// after.
func TestChangeOfAddress(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	signUp(t, s, "taken@example.com")
	wantCode(t, s.Addresses().RequestChange(ctx, "new@example.com"), models.CodeNotFound) // no mail
	s.Mail = true
	wantCode(t, s.Addresses().RequestChange(from("192.0.2.1"), "new@example.com"), models.CodeUnauthorized)
	wantField(t, s.Addresses().RequestChange(ctx, "no address"), "email")
	wantField(t, s.Addresses().RequestChange(ctx, "Mara@Example.com"), "email")
	if err := s.Addresses().RequestChange(ctx, "New@example.com"); err != nil {
		t.Fatal(err)
	}
	mara := models.ActorFrom(ctx).UserID
	letter := func(about account.AddressMail) *account.Letter {
		t.Helper()
		l, err := s.Addresses().WriteChangeLetter(ctx, about)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	about := account.AddressMail{UserID: mara, SessionID: models.ActorFrom(ctx).SessionID, Old: "mara@example.com", New: "new@example.com"}
	if l := letter(about); l.Kind != account.LetterAddressAsked || l.Address != "mara@example.com" || l.Token != "" {
		t.Errorf("the old address is told %+v", l)
	}
	about.ToNew = true
	first, second := letter(about), letter(about)
	if second.Kind != account.LetterAddressConfirm || second.Address != "new@example.com" || second.Token == "" {
		t.Fatalf("the new address gets %+v", second)
	}
	about.New = "taken@example.com"
	if l := letter(about); l.Kind != account.LetterAddressTaken || l.Token != "" {
		t.Errorf("an address with an account gets %+v", l)
	}
	visitor := from("192.0.2.1")
	wantCode(t, s.Addresses().ConfirmChange(visitor, first.Token), models.CodeUnauthorized) // the later one counts
	wantCode(t, s.Addresses().ConfirmChange(visitor, "nonsense"), models.CodeUnauthorized)
	if err := s.Addresses().ConfirmChange(visitor, second.Token); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.Addresses().ConfirmChange(visitor, second.Token), models.CodeUnauthorized)
	wantCode(t, signInAs(s, "192.0.2.1", "mara@example.com", password), models.CodeUnauthorized)
	if err := signInAs(s, "192.0.2.1", "new@example.com", password); err != nil {
		t.Error(err)
	}
	if err := s.StillValid(ctx); err != nil {
		t.Errorf("the session ended: %v", err)
	}
	about.New, about.ToNew = "third@example.com", true
	if l := letter(about); l != nil {
		t.Errorf("an account with another address by now gets %+v", l)
	}
	s.Payer = "new@example.com"
	wantCode(t, s.Addresses().RequestChange(ctx, "other@example.com"), models.CodePayerProtected)
}

// What a thief of a session asked for ends when the person chooses a new password, by either way: the link that the thief
// has, and the one that a mail would still bring.
func TestNewPasswordEndsAChangeOfAddress(t *testing.T) {
	for name, choose := range map[string]func(*testing.T, *account.Service, context.Context) error{
		"changed": func(_ *testing.T, s *account.Service, own context.Context) error {
			return s.Passwords().Change(own, account.ChangePasswordInput{CurrentPassword: password, NewPassword: "a new password"})
		},
		"reset": func(t *testing.T, s *account.Service, _ context.Context) error {
			letter, err := s.Passwords().WriteResetLetter(context.Background(), "mara@example.com")
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Passwords().Reset(from("192.0.2.1"), letter.Token, "a new password")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			own, stolen, _ := twoSessions(t, s)
			s.Mail = true
			actor := models.ActorFrom(stolen)
			about := account.AddressMail{UserID: actor.UserID, SessionID: actor.SessionID, Old: "mara@example.com", New: "thief@example.com", ToNew: true}
			link, err := s.Addresses().WriteChangeLetter(context.Background(), about)
			if err != nil || link.Token == "" {
				t.Fatalf("%+v, %v", link, err)
			}
			if err := choose(t, s, own); err != nil {
				t.Fatal(err)
			}
			wantCode(t, s.Addresses().ConfirmChange(from("192.0.2.1"), link.Token), models.CodeUnauthorized)
			if late, err := s.Addresses().WriteChangeLetter(context.Background(), about); late != nil || err != nil {
				t.Errorf("a mail after it: %+v, %v", late, err)
			}
			if err := signInAs(s, "192.0.2.1", "mara@example.com", "a new password"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A person who left the session open long ago confirms it first.
func TestChangeOfAddressNeedsAConfirmedSession(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	s.Mail = true
	actor := models.ActorFrom(ctx)
	actor.ConfirmedAt = actor.ConfirmedAt.AddDate(0, 0, -1)
	wantCode(t, s.Addresses().RequestChange(models.WithActor(ctx, actor), "new@example.com"), models.CodeReauthentication)
}
