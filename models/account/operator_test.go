package account_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

func operatorInput(code *string) account.SignUpInput {
	return account.SignUpInput{Email: "OP@example.com", Password: password, DisplayName: "Op", OperatorCode: code}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	refusal, _ := models.AsError(err)
	if err == nil || refusal.Code != models.CodeValidation || refusal.Field != field {
		t.Errorf("error = %v, want a validation_error of %s", err, field)
	}
}

// Without mail no one has an operator's address who cannot read the service's log.
func TestOperatorCode(t *testing.T) {
	s := newService(t)
	wrong, empty, right := "a guess of theirs", " ", " "+operatorCode+" "
	for _, code := range []*string{nil, &empty} {
		_, err := s.SignUp(from("192.0.2.1"), operatorInput(code))
		wantField(t, err, "operatorCode")
	}
	if awaits, err := s.AwaitsOperator(context.Background()); !awaits || err != nil {
		t.Errorf("awaits an operator: %v (%v)", awaits, err)
	}
	for range 10 {
		_, err := s.SignUp(from("192.0.2.1"), operatorInput(&wrong))
		wantField(t, err, "operatorCode")
	}
	_, err := s.SignUp(from("192.0.2.1"), operatorInput(&right))
	wantCode(t, err, models.CodeRateLimitExceeded)
	s.DB.Clock.(*dbtest.Clock).Advance(15 * time.Minute)
	result, err := s.SignUp(from("192.0.2.1"), operatorInput(&right))
	if err != nil || !s.IsOperator(result.SignedIn.User) {
		t.Fatalf("with the code: %+v, %v", result, err)
	}
	if awaits, _ := s.AwaitsOperator(context.Background()); awaits {
		t.Error("the operator is there")
	}
	s.OperatorCode = ""
	_, err = s.SignUp(from("192.0.2.2"), operatorInput(&empty))
	wantField(t, err, "operatorCode")
	s.Operators = append(s.Operators, "second@example.com")
	none := account.SignUpInput{Email: "second@example.com", Password: password, DisplayName: "x", OperatorCode: new(string)}
	_, err = s.SignUp(from("192.0.2.2"), none)
	wantField(t, err, "operatorCode")
}

// An install that takes no one without an invitation takes its first operator.
func TestOperatorNeedsNoInvitation(t *testing.T) {
	s := newService(t)
	s.SignUpMode = "invited"
	code := operatorCode
	if _, err := s.SignUp(from("192.0.2.1"), operatorInput(&code)); err != nil {
		t.Error(err)
	}
	in := operatorInput(&code)
	in.Email = "mara@example.com"
	_, err := s.SignUp(from("192.0.2.1"), in)
	wantCode(t, err, models.CodeForbidden)
}

// An account that had the address before it became an operator's proves it.
func TestProveOperator(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "late@example.com")
	_, stranger := signUp(t, s, "mara@example.com")
	s.Operators = append(s.Operators, "late@example.com")
	actor := models.ActorFrom(ctx)
	find := func() *account.User {
		t.Helper()
		user, err := s.FindUserByID(ctx, actor.UserID)
		if err != nil {
			t.Fatal(err)
		}
		return user
	}
	if s.IsOperator(find()) || !s.MayProveOperator(find()) {
		t.Error("an address on the list makes an operator of whoever had it")
	}
	_, err := s.ProveOperator(stranger, operatorCode)
	wantCode(t, err, models.CodeInsufficientRole)
	_, err = s.ProveOperator(from("192.0.2.1"), operatorCode)
	wantCode(t, err, models.CodeUnauthorized)
	byToken := actor
	byToken.Kind = models.ByToken
	_, err = s.ProveOperator(models.WithActor(ctx, byToken), operatorCode)
	wantCode(t, err, models.CodeForbidden)
	for range 10 {
		_, err = s.ProveOperator(ctx, "a guess of theirs")
		wantField(t, err, "operatorCode")
	}
	_, err = s.ProveOperator(ctx, operatorCode)
	wantCode(t, err, models.CodeRateLimitExceeded)
	s.DB.Clock.(*dbtest.Clock).Advance(15 * time.Minute)
	user, err := s.ProveOperator(ctx, operatorCode)
	if err != nil || !s.IsOperator(user) || s.MayProveOperator(user) {
		t.Fatalf("%+v, %v", user, err)
	}
	if user, err = s.ProveOperator(ctx, "whatever"); err != nil || !s.IsOperator(user) {
		t.Errorf("once more: %v", err)
	}
}

// With mail the mailed link proves an address; an account from before there was
// mail proves it by the link for a new password.
func TestOperatorByMail(t *testing.T) {
	s := newService(t)
	s.Operators = nil
	signUp(t, s, "op@example.com")
	s.Operators, s.Mail = []string{"op@example.com", "mara@example.com"}, true
	before, _ := s.FindUserByEmail(context.Background(), "op@example.com")
	if s.IsOperator(before) {
		t.Error("an account from before there was mail is an operator")
	}
	if err := s.Passwords().Forgot(from("192.0.2.1"), "op@example.com"); err != nil {
		t.Fatal(err)
	}
	signedIn, err := s.Passwords().Reset(from("192.0.2.1"), onlyLetter(t, s, account.LetterReset).Token, "a new password")
	if err != nil {
		t.Fatal(err)
	}
	if models.ActorFrom(as(t, s, signedIn.Token)).RequireOperator() != nil {
		t.Error("the link for a new password proves the address")
	}
	if _, err := s.SignUp(from("192.0.2.1"), input("mara@example.com", password)); err != nil {
		t.Fatal(err)
	}
	verified, err := s.Addresses().Verify(from("192.0.2.1"), onlyLetter(t, s, account.LetterConfirm).Token)
	if err != nil || !s.IsOperator(verified.User) {
		t.Errorf("the link of the sign-up proves the address: %v", err)
	}
}

// A domain that only folding makes the operator's is not the operator's.
func TestOperatorOfAnotherDomain(t *testing.T) {
	s := withMail(t)
	s.Operators = []string{"operator@strasse.example"}
	_, err := s.SignUp(from("192.0.2.1"), input("operator@straße.example", password))
	wantField(t, err, "email")
	if all := letters(t, s); len(all) > 0 {
		t.Errorf("mail goes out: %+v", all)
	}
	wantField(t, s.Passwords().Forgot(from("192.0.2.1"), "operator@straße.example"), "email")
	if _, err := s.SignUp(from("192.0.2.1"), input("operator@xn--strae-oqa.example", password)); err != nil {
		t.Fatal(err)
	}
	letter := onlyLetter(t, s, account.LetterConfirm)
	signedIn, err := s.Addresses().Verify(from("192.0.2.1"), letter.Token)
	if err != nil || letter.Address != signedIn.User.Email || s.IsOperator(signedIn.User) {
		t.Errorf("%+v, mailed to %s: %v", signedIn, letter.Address, err)
	}
}
