package account

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/dbtest"
)

// A password is the same however a keyboard encodes its letters; a hash of before, of what was typed, is taken once and
// made again.
func TestPasswordsOfEveryKeyboard(t *testing.T) {
	s := &Service{DB: dbtest.New(t), SessionKey: []byte(strings.Repeat("k", 32)), SignUpMode: "open"}
	ctx := models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: "192.0.2.1"})
	const mac, windows = "mu\u0308ller\u00a0geht baden", "müller geht baden"
	if _, err := s.SignUp(ctx, SignUpInput{Email: "mara@example.com", Password: mac, DisplayName: "Mara"}); err != nil {
		t.Fatal(err)
	}
	signIn := func(password string) error {
		_, err := s.SignIn(ctx, SignInInput{Email: "mara@example.com", Password: password})
		return err
	}
	for _, password := range []string{mac, windows} {
		if err := signIn(password); err != nil {
			t.Errorf("%q: %v", password, err)
		}
	}
	old := storedPassword{argonMemory, argonTime, argonThreads, make([]byte, 16), make([]byte, 32)}
	key, err := old.of(ctx, mac)
	if err != nil {
		t.Fatal(err)
	}
	hash := fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(old.salt), base64.RawStdEncoding.EncodeToString(key))
	set := func() {
		if err := s.DB.Write(ctx, func(tx *models.Tx) error {
			return tx.Model(&User{}).Where("email = ?", "mara@example.com").Update("password_hash", hash).Error
		}); err != nil {
			t.Fatal(err)
		}
	}
	set()
	if err := signIn(windows); !models.HasCode(err, models.CodeUnauthorized) {
		t.Errorf("another form of an older hash: %v", err)
	}
	if err := signIn("mu\u0308ller geht"); !models.HasCode(err, models.CodeUnauthorized) {
		t.Errorf("a wrong one: %v", err)
	}
	if err := signIn(mac); err != nil {
		t.Errorf("an older hash: %v", err)
	}
	if err := signIn(windows); err != nil {
		t.Errorf("after it was made again: %v", err)
	}
	set()
	user, err := s.FindUserByEmail(ctx, "mara@example.com")
	if err != nil {
		t.Fatal(err)
	}
	signed := models.WithActor(ctx, models.Actor{Kind: models.Anonymous, IP: "192.0.2.1"})
	if _, err := s.checkCurrentPassword(signed, user.ID, mac); err != nil {
		t.Errorf("where it is confirmed: %v", err)
	}
	if _, err := s.checkCurrentPassword(signed, user.ID, windows); err != nil {
		t.Errorf("where it is confirmed, made again: %v", err)
	}
	if checkPassword("password", strings.Repeat("u\u0308", 9)) == nil || checkPassword("password", strings.Repeat("ü", 10)) != nil {
		t.Error("characters are counted in the form that is hashed")
	}
}

// Addresses and codes are taken as people paste them; names keep nothing invisible.
func TestPastedAddressesAndCodes(t *testing.T) {
	s := &Service{DB: dbtest.New(t), SessionKey: []byte(strings.Repeat("k", 32)), SignUpMode: "open", Operators: []string{"op@example.com"}, OperatorCode: "AB12-CD34."}
	ctx := models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: "192.0.2.1"})
	made, err := s.SignUp(ctx, SignUpInput{Email: "\u200bMailto:O'Brien@Example.com.", Password: "correct horse", DisplayName: "\u202eMi\u200bna\ufeff"})
	if err != nil {
		t.Fatal(err)
	}
	if user := made.SignedIn.User; user.Email != "o'brien@example.com" || user.DisplayName != "Mina" {
		t.Errorf("%+v", user)
	}
	for _, email := range []string{"\u202ao'brien@example.com\u202c", "o'brien@example.com\u2060", "“o'brien@example.com”", "o'bri\u00aden@example.com", "\u00a0o'brien@example.com,"} {
		if _, err := s.SignIn(ctx, SignInInput{Email: email, Password: "correct horse"}); err != nil {
			t.Errorf("%q: %v", email, err)
		}
	}
	code := "“\u200bAB12-CD34.”"
	if _, err := s.SignUp(ctx, SignUpInput{Email: "op@example.com", Password: "correct horse", DisplayName: "Op", OperatorCode: &code}); err != nil {
		t.Errorf("the operators' code: %v", err)
	}
	for _, name := range []string{"\u200b", "\u202e \u2066", "\u3164"} {
		if _, err := s.SignUp(ctx, SignUpInput{Email: "x@example.com", Password: "correct horse", DisplayName: name}); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	for typed, want := range map[string]string{" 123\u00a0456.": "123456", "１２３ ４５６": "123456", "\u200b123–456": "123456", "<4G7K-0QXZ>": "4G7K0QXZ"} {
		if got := plainCode(typed); got != want {
			t.Errorf("plainCode(%q) = %q, expected %q", typed, got, want)
		}
	}
}
