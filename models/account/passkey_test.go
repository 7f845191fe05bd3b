package account_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

func passkeyService(t *testing.T) *account.Service {
	t.Helper()
	s := newService(t)
	s.PublicURL = passkeyOrigin
	return s
}

func asks(t *testing.T, s *account.Service, ctx context.Context, purpose account.PasskeyPurpose) *account.PasskeyChallenge {
	t.Helper()
	c, err := s.Passkeys().Begin(ctx, purpose, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// adds adds a passkey to the account of a session.
func adds(t *testing.T, s *account.Service, ctx context.Context, k *softKey) *account.Passkey {
	t.Helper()
	key, err := s.Passkeys().Add(ctx, "", k.create(asks(t, s, ctx, account.PasskeyRegister)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func secondFactorAt(t *testing.T, s *account.Service, ctx context.Context) *time.Time {
	t.Helper()
	user, err := s.FindProfile(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return user.SecondFactorAt
}

func TestPasskeySignsInAlone(t *testing.T) {
	s := passkeyService(t)
	in, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	k.synced, k.transports = true, []string{"internal", "internal", "telepathy"}
	key := adds(t, s, ctx, k)
	if key.Name != "An unknown device" || !key.Synced() || key.Suspected() || fmt.Sprint(key.Credential.Transport) != "[internal]" {
		t.Errorf("added %q, synced %t, transports %v", key.Name, key.Synced(), key.Credential.Transport)
	}
	if secondFactorAt(t, s, ctx) == nil {
		t.Error("the account has no second factor")
	}
	if bytes.Contains(k.handle, in.User.ID[:]) || len(k.handle) != 32 {
		t.Errorf("the handle %x tells of the account", k.handle)
	}
	s.DB.Clock.(*dbtest.Clock).Advance(2 * time.Hour)
	signedIn, err := s.Passkeys().SignIn(from("192.0.2.1"), k.get(asks(t, s, from("192.0.2.1"), account.PasskeySignIn)))
	if err != nil {
		t.Fatal(err)
	}
	if signedIn.User.ID != in.User.ID {
		t.Errorf("signed in as %s", signedIn.User.Email)
	}
	actor := models.ActorFrom(as(t, s, signedIn.Token))
	if err := actor.RequireConfirmed(s.DB.Clock.Now()); err != nil || !actor.Guarded {
		t.Errorf("guarded %t, confirmed: %v", actor.Guarded, err)
	}
	var session account.Session
	if err := s.DB.Read(ctx).Take(&session, "id = ?", actor.SessionID).Error; err != nil || session.Origin != account.OriginPasskey || account.ExternalOrigin(session.Origin) {
		t.Errorf("the session's origin is %q (%v)", session.Origin, err)
	}
}

func TestPasskeyNames(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	copy(k.aaguid[:], "\xba\xda\x55\x66\xa7\xaa\x40\x1f\xbd\x96\x45\x61\x9a\x55\x12\x0d")
	if key := adds(t, s, ctx, k); key.Name != "1Password" {
		t.Errorf("called %q", key.Name)
	}
	actor := models.ActorFrom(ctx)
	actor.UserAgent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/130 Safari/537"
	key := adds(t, s, models.WithActor(ctx, actor), newSoftKey(t))
	if key.Name != "Chrome on Linux" {
		t.Errorf("called %q", key.Name)
	}
	_, err := s.Passkeys().Add(ctx, "a\x07b", newSoftKey(t).create(asks(t, s, ctx, account.PasskeyRegister)))
	wantCode(t, err, models.CodeValidation)
	if renamed, err := s.Passkeys().Rename(ctx, key.ID, "  My laptop "); err != nil || renamed.Name != "My laptop" {
		t.Errorf("%+v, %v", renamed, err)
	}
	_, err = s.Passkeys().Rename(ctx, key.ID, strings.Repeat("x", 101))
	wantCode(t, err, models.CodeValidation)
	_, other := signUp(t, s, "other@example.com")
	_, err = s.Passkeys().Rename(other, key.ID, "mine")
	wantCode(t, err, models.CodeNotFound)
	wantCode(t, s.Passkeys().Delete(other, key.ID), models.CodeNotFound)
}

// What does not count at a sign-in, and that the same key counts once it says the truth.
func TestPasskeyAnswersThatDoNotCount(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	honest := newSoftKey(t)
	adds(t, s, ctx, honest)
	_, other := signUp(t, s, "other@example.com")
	theirs := newSoftKey(t)
	adds(t, s, other, theirs)
	visitor := from("192.0.2.9")
	for name, test := range map[string]struct {
		bend    func(k *softKey)
		purpose account.PasskeyPurpose
		after   func(a *account.PasskeyAnswer)
		code    models.Code
	}{
		"another origin":              {bend: func(k *softKey) { k.origin = "https://school.example.evil.example" }, code: models.CodeUnauthorized},
		"http":                        {bend: func(k *softKey) { k.origin = "http://school.example" }, code: models.CodeUnauthorized},
		"another port":                {bend: func(k *softKey) { k.origin = "https://school.example:8443" }, code: models.CodeUnauthorized},
		"a host below":                {bend: func(k *softKey) { k.origin = "https://www.school.example" }, code: models.CodeUnauthorized},
		"another relying party":       {bend: func(k *softKey) { k.host = "evil.example" }, code: models.CodeUnauthorized},
		"within another page":         {bend: func(k *softKey) { k.cross = true }, code: models.CodeUnauthorized},
		"made, not signed":            {bend: func(k *softKey) { k.kind = "webauthn.create" }, code: models.CodeUnauthorized},
		"nobody was verified":         {bend: func(k *softKey) { k.verified = false }, code: models.CodeUnauthorized},
		"no handle":                   {bend: func(k *softKey) { k.handle = nil }, code: models.CodeUnauthorized},
		"another's handle":            {bend: func(k *softKey) { k.handle = theirs.handle }, code: models.CodeUnauthorized},
		"another's key":               {bend: func(k *softKey) { k.key = theirs.key }, code: models.CodeUnauthorized},
		"another's id":                {bend: func(k *softKey) { k.id = theirs.id }, code: models.CodeUnauthorized},
		"unknown id":                  {bend: func(k *softKey) { k.id = []byte("nobody's") }, code: models.CodeUnauthorized},
		"suddenly synced":             {bend: func(k *softKey) { k.synced = true }, code: models.CodeUnauthorized},
		"asked to confirm":            {purpose: account.PasskeyConfirm, code: models.CodeUnauthorized},
		"another id of the challenge": {after: func(a *account.PasskeyAnswer) { a.ChallengeID = models.NewID(dbtest.Start) }, code: models.CodeUnauthorized},
		"an id of the future":         {after: func(a *account.PasskeyAnswer) { a.ChallengeID = models.NewID(dbtest.Start.Add(time.Hour)) }, code: models.CodeUnauthorized},
		"an id that is no time":       {after: func(a *account.PasskeyAnswer) { a.ChallengeID = models.ID{6: 0x40, 8: 0x80} }, code: models.CodeUnauthorized},
		"an empty id":                 {after: func(a *account.PasskeyAnswer) { a.ChallengeID = models.ID{} }, code: models.CodeUnauthorized},
		"an id of long ago":           {after: func(a *account.PasskeyAnswer) { a.ChallengeID = models.NewID(dbtest.Start.Add(-time.Hour)) }, code: models.CodeExpired},
		"nothing":                     {after: func(a *account.PasskeyAnswer) { a.Response = nil }, code: models.CodeValidation},
		"null":                        {after: func(a *account.PasskeyAnswer) { a.Response = []byte("null") }, code: models.CodeValidation},
		"a list":                      {after: func(a *account.PasskeyAnswer) { a.Response = []byte("[]") }, code: models.CodeValidation},
		"two values":                  {after: func(a *account.PasskeyAnswer) { a.Response = append(a.Response, a.Response...) }, code: models.CodeValidation},
		"deep":                        {after: func(a *account.PasskeyAnswer) { a.Response = bytes.Repeat([]byte(`{"a":`), 70) }, code: models.CodeValidation},
		"large":                       {after: func(a *account.PasskeyAnswer) { a.Response = append(a.Response, bytes.Repeat([]byte(" "), 64<<10)...) }, code: models.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			bent, asker, purpose := *honest, visitor, account.PasskeySignIn
			if test.bend != nil {
				test.bend(&bent)
			}
			if test.purpose != "" {
				asker, purpose = ctx, test.purpose
			}
			answer := bent.get(asks(t, s, asker, purpose))
			if test.after != nil {
				test.after(answer)
			}
			_, err := s.Passkeys().SignIn(visitor, answer)
			wantCode(t, err, test.code)
		})
	}
	if _, err := s.Passkeys().SignIn(visitor, honest.get(asks(t, s, visitor, account.PasskeySignIn))); err != nil {
		t.Errorf("the honest one: %v", err)
	}
}

func TestPasskeyAnswersOnceAndInTime(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	adds(t, s, ctx, k)
	visitor := from("192.0.2.9")
	answer := k.get(asks(t, s, visitor, account.PasskeySignIn))
	late := k.get(asks(t, s, visitor, account.PasskeySignIn))
	if _, err := s.Passkeys().SignIn(visitor, answer); err != nil {
		t.Fatal(err)
	}
	_, err := s.Passkeys().SignIn(visitor, answer)
	wantCode(t, err, models.CodeUnauthorized)
	clock := s.DB.Clock.(*dbtest.Clock)
	clock.Advance(5 * time.Minute)
	_, err = s.Passkeys().SignIn(visitor, late)
	wantCode(t, err, models.CodeExpired)
	clock.Advance(25 * time.Hour)
	if err := s.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	var kept int64
	if err := s.DB.Read(ctx).Table("passkey_challenges").Count(&kept).Error; err != nil || kept != 0 {
		t.Errorf("%d challenges are kept (%v)", kept, err)
	}
	_, err = s.Passkeys().SignIn(visitor, answer)
	wantCode(t, err, models.CodeExpired)
}

func TestPasskeyRaces(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	adds(t, s, ctx, k)
	answer := k.get(asks(t, s, from("192.0.2.9"), account.PasskeySignIn))
	if n := atOnce(12, func(int) error {
		_, err := s.Passkeys().SignIn(from("192.0.2.9"), answer)
		return err
	}); n != 1 {
		t.Errorf("one answer signed in %d times", n)
	}
	for range account.MaxPasskeys - 3 {
		adds(t, s, ctx, newSoftKey(t))
	}
	answers := make([]*account.PasskeyAnswer, 6)
	for i := range answers {
		answers[i] = newSoftKey(t).create(asks(t, s, ctx, account.PasskeyRegister))
	}
	if n := atOnce(len(answers), func(i int) error {
		_, err := s.Passkeys().Add(ctx, "x", answers[i])
		return err
	}); n != 2 {
		t.Errorf("%d were added where two had room", n)
	}
	_, err := s.Passkeys().Begin(ctx, account.PasskeyRegister, nil)
	wantCode(t, err, models.CodeLimitReached)
}

// atOnce is how many of n calls at once succeed.
func atOnce(n int, call func(i int) error) (succeeded int) {
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range errs {
		all.Go(func() { errs[i] = call(i) })
	}
	all.Wait()
	for _, err := range errs {
		if err == nil {
			succeeded++
		}
	}
	return succeeded
}

func TestPasskeyWhoseCounterWentBack(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	k.count = 7
	added := adds(t, s, ctx, k)
	visitor := from("192.0.2.9")
	k.count = 8
	if _, err := s.Passkeys().SignIn(visitor, k.get(asks(t, s, visitor, account.PasskeySignIn))); err != nil {
		t.Fatal(err)
	}
	for _, count := range []uint32{8, 9} { // the copy, and then the key itself
		k.count = count
		_, err := s.Passkeys().SignIn(visitor, k.get(asks(t, s, visitor, account.PasskeySignIn)))
		wantCode(t, err, models.CodeUnauthorized)
	}
	var kept account.Passkey
	if err := s.DB.Read(ctx).Take(&kept, "id = ?", added.ID).Error; err != nil || !kept.Suspected() || kept.Credential.Authenticator.SignCount != 8 {
		t.Errorf("suspected %t at %d (%v)", kept.Suspected(), kept.Credential.Authenticator.SignCount, err)
	}
	_, err := s.Passkeys().Begin(ctx, account.PasskeyConfirm, nil)
	wantCode(t, err, models.CodeNotFound)
}

func TestAddingPasskeys(t *testing.T) {
	s := passkeyService(t)
	in, ctx := signUp(t, s, "mara@example.com")
	_, other := signUp(t, s, "other@example.com")
	again, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: password})
	if err != nil {
		t.Fatal(err)
	}
	k := newSoftKey(t)
	for name, test := range map[string]struct {
		answer *account.PasskeyAnswer
		code   models.Code
	}{
		"asked of another account":         {k.create(asks(t, s, other, account.PasskeyRegister)), models.CodeUnauthorized},
		"asked by another session":         {k.create(asks(t, s, as(t, s, again.Token), account.PasskeyRegister)), models.CodeUnauthorized},
		"asked to sign in":                 {k.create(asks(t, s, from("192.0.2.1"), account.PasskeySignIn)), models.CodeUnauthorized},
		"signed, not made":                 {k.get(asks(t, s, ctx, account.PasskeyRegister)), models.CodeValidation},
		"at another origin":                {bent(k, func(k *softKey) { k.origin = "https://evil.example" }).create(asks(t, s, ctx, account.PasskeyRegister)), models.CodeUnauthorized},
		"for another relying party":        {bent(k, func(k *softKey) { k.host = "evil.example" }).create(asks(t, s, ctx, account.PasskeyRegister)), models.CodeUnauthorized},
		"with an id beyond the standard's": {bent(k, func(k *softKey) { k.id = make([]byte, 1024) }).create(asks(t, s, ctx, account.PasskeyRegister)), models.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Passkeys().Add(ctx, "x", test.answer)
			wantCode(t, err, test.code)
		})
	}
	answer := k.create(asks(t, s, ctx, account.PasskeyRegister))
	key, err := s.Passkeys().Add(ctx, "x", answer)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Passkeys().Add(ctx, "x", answer)
	wantCode(t, err, models.CodeUnauthorized)
	_, err = s.Passkeys().Add(other, "x", bent(k, func(*softKey) {}).create(asks(t, s, other, account.PasskeyRegister)))
	wantCode(t, err, models.CodeUnauthorized)
	if options := asks(t, s, ctx, account.PasskeyRegister).Options; !bytes.Contains(options, []byte(b64(k.id))) {
		t.Error("the passkey is not kept from being added twice")
	}

	s.DB.Clock.(*dbtest.Clock).Advance(time.Hour + time.Second)
	_, err = s.Passkeys().Begin(ctx, account.PasskeyRegister, nil)
	wantCode(t, err, models.CodeReauthentication)
	_, err = s.Passkeys().Add(ctx, "x", answer)
	wantCode(t, err, models.CodeReauthentication)
	wantCode(t, s.Passkeys().Delete(ctx, key.ID), models.CodeReauthentication)

	visitor := from("192.0.2.1")
	signedIn, err := s.Passkeys().SignIn(visitor, k.get(asks(t, s, visitor, account.PasskeySignIn)))
	if err != nil {
		t.Fatal(err)
	}
	fresh := as(t, s, signedIn.Token)
	token, err := s.APITokens().Create(fresh, account.CreateAPITokenInput{Name: "CI"})
	if err != nil {
		t.Fatal(err)
	}
	for _, purpose := range []account.PasskeyPurpose{account.PasskeyRegister, account.PasskeyConfirm} {
		_, err = s.Passkeys().Begin(as(t, s, token.Token), purpose, nil)
		wantCode(t, err, models.CodeForbidden)
		_, err = s.Passkeys().Begin(visitor, purpose, nil)
		wantCode(t, err, models.CodeUnauthorized)
	}
	wantCode(t, s.Passkeys().Delete(as(t, s, token.Token), key.ID), models.CodeForbidden)
	if err := s.Passkeys().Delete(fresh, key.ID); err != nil {
		t.Fatal(err)
	}
	if since := secondFactorAt(t, s, fresh); since != nil {
		t.Errorf("there is a second factor since %v", since)
	}
	if models.ActorFrom(as(t, s, signedIn.Token)).Guarded {
		t.Error("a session of a passkey counts as guarded without one")
	}
	_, err = s.Passkeys().SignIn(visitor, k.get(asks(t, s, visitor, account.PasskeySignIn)))
	wantCode(t, err, models.CodeUnauthorized)

	if err := s.DB.Read(fresh).Exec("UPDATE users SET password_hash = NULL WHERE id = ?", in.User.ID).Error; err != nil {
		t.Fatal(err)
	}
	_, err = s.Passkeys().Begin(fresh, account.PasskeyRegister, nil)
	wantCode(t, err, models.CodeForbidden)
}

// bent is a key that says something else.
func bent(k *softKey, bend func(*softKey)) *softKey {
	other := *k
	bend(&other)
	return &other
}

func TestPasskeyOfAccountsThatAreClosed(t *testing.T) {
	s := passkeyService(t)
	in, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	adds(t, s, ctx, k)
	visitor := from("192.0.2.9")
	signs := func() error {
		_, err := s.Passkeys().SignIn(visitor, k.get(asks(t, s, visitor, account.PasskeySignIn)))
		return err
	}
	for change, code := range map[string]models.Code{
		"banned_at = now()": models.CodeForbidden, "banned_at = NULL, password_hash = NULL": models.CodeForbidden, "deleted_at = now()": models.CodeUnauthorized,
	} {
		if err := s.DB.Read(ctx).Exec("UPDATE users SET banned_at = NULL, deleted_at = NULL, password_hash = 'x'; UPDATE users SET " + change).Error; err != nil {
			t.Fatal(err)
		}
		wantCode(t, signs(), code)
	}
	if err := s.DB.Read(ctx).Exec("UPDATE users SET banned_at = NULL, deleted_at = NULL, password_hash = NULL").Error; err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(ctx, in.User.Email); err != nil {
		t.Fatal(err)
	}
	var left int64
	if err := s.DB.Read(ctx).Model(&account.Passkey{}).Count(&left).Error; err != nil || left != 0 {
		t.Errorf("%d passkeys are left (%v)", left, err)
	}
}

// A second step and a confirmation are of one account, and a confirmation of one session.
func TestCheckPasskey(t *testing.T) {
	s := passkeyService(t)
	mara, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	adds(t, s, ctx, k)
	other, theirs := signUp(t, s, "other@example.com")
	their := newSoftKey(t)
	adds(t, s, theirs, their)
	confirm := func() *account.PasskeyChallenge { return asks(t, s, ctx, account.PasskeyConfirm) }
	if !bytes.Contains(confirm().Options, []byte(b64(k.id))) || bytes.Contains(confirm().Options, []byte(b64(their.id))) {
		t.Error("the challenge does not name the account's own keys")
	}
	answer := k.get(confirm())
	if err := s.CheckPasskey(ctx, account.PasskeyConfirm, mara.User.ID, answer); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.CheckPasskey(ctx, account.PasskeyConfirm, mara.User.ID, answer), models.CodeValidation)
	wantCode(t, s.CheckPasskey(ctx, account.PasskeyConfirm, mara.User.ID, their.get(confirm())), models.CodeValidation)
	wantCode(t, s.CheckPasskey(ctx, account.PasskeySecondStep, mara.User.ID, k.get(confirm())), models.CodeValidation)
	wantCode(t, s.CheckPasskey(ctx, account.PasskeySignIn, mara.User.ID, k.get(asks(t, s, ctx, account.PasskeySignIn))), models.CodeValidation)
	wantCode(t, s.CheckPasskey(theirs, account.PasskeyConfirm, other.User.ID, k.get(confirm())), models.CodeValidation)
	wantCode(t, s.CheckPasskey(theirs, account.PasskeyConfirm, other.User.ID, their.get(confirm())), models.CodeValidation)
	unverified := bent(k, func(k *softKey) { k.verified = false })
	wantCode(t, s.CheckPasskey(ctx, account.PasskeyConfirm, mara.User.ID, unverified.get(confirm())), models.CodeValidation)
	session := models.ActorFrom(ctx)
	session.SessionID = models.NewID(dbtest.Start)
	wantCode(t, s.CheckPasskey(models.WithActor(ctx, session), account.PasskeyConfirm, mara.User.ID, k.get(confirm())), models.CodeValidation)
}

func TestWhereThereArePasskeys(t *testing.T) {
	s := newService(t)
	for url, has := range map[string]bool{
		"https://atelier.school.example": true, "https://atelier.school.example:8443/": true, "http://localhost:8080": true, "http://a.localhost": true,
		"http://atelier.school.example": false, "https://192.0.2.1": false, "https://[2001:db8::1]": false, "http://127.0.0.1:8080": false, "": false, "https://": false, "://": false,
	} {
		s.PublicURL = url
		if s.Passkeys().Available() != has {
			t.Errorf("%q: passkeys %t", url, !has)
		}
		if _, err := s.Passkeys().Begin(from("192.0.2.1"), account.PasskeySignIn, nil); (err == nil) != has {
			t.Errorf("%q: %v", url, err)
		}
	}
	s.PublicURL, s.External.Only = passkeyOrigin, true
	if s.Passkeys().OffersSignIn() {
		t.Error("offered where providers alone sign people in")
	}
}

func TestPasskeyOptions(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	for purpose, want := range map[account.PasskeyPurpose][]string{
		account.PasskeyRegister: {`"residentKey":"required"`, `"userVerification":"preferred"`, `"attestation":"none"`, `"rp":{"name":"Atelier","id":"school.example"}`},
		account.PasskeySignIn:   {`"userVerification":"required"`, `"rpId":"school.example"`, `"timeout":300000`},
	} {
		options := asks(t, s, ctx, purpose).Options
		for _, part := range want {
			if !bytes.Contains(options, []byte(part)) {
				t.Errorf("%s: no %s in %s", purpose, part, options)
			}
		}
		if !json.Valid(options) {
			t.Errorf("%s is no JSON", options)
		}
	}
	_, err := s.Passkeys().Begin(ctx, account.PasskeySecondStep, nil)
	wantCode(t, err, models.CodeValidation)
	unknown := "nobody's"
	_, err = s.Passkeys().Begin(ctx, account.PasskeySecondStep, &unknown)
	wantCode(t, err, models.CodeUnauthorized)
	_, err = s.Passkeys().Begin(ctx, "other", nil)
	wantCode(t, err, models.CodeValidation)
}

// However often visitors ask, nothing is kept of it, and it ends.
func TestPasskeyChallengesOfVisitorsAreBounded(t *testing.T) {
	s := passkeyService(t)
	visitor := from("192.0.2.7")
	var err error
	for n := 0; err == nil; n++ {
		if n > 600 {
			t.Fatal("there is no end")
		}
		_, err = s.Passkeys().Begin(visitor, account.PasskeySignIn, nil)
	}
	wantCode(t, err, models.CodeRateLimitExceeded)
	if _, err := s.Passkeys().Begin(from("192.0.2.8"), account.PasskeySignIn, nil); err != nil {
		t.Errorf("from another address: %v", err)
	}
	for n := 0; !models.HasCode(err, models.CodeRateLimitExceeded) || n < 300; n++ {
		if n > 300 {
			t.Fatal("there is no end of answers")
		}
		_, err = s.Passkeys().SignIn(from("192.0.2.9"), &account.PasskeyAnswer{ChallengeID: models.NewID(dbtest.Start)})
	}
	var kept int64
	if err := s.DB.Read(visitor).Table("passkey_challenges").Count(&kept).Error; err != nil || kept != 0 {
		t.Errorf("%d challenges are kept (%v)", kept, err)
	}
}

func TestPasskeyAsSecondStepAndToConfirm(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	k.verified = false // a key that only notices a touch
	adds(t, s, ctx, k)
	visitor := from("192.0.2.9")
	step := func() string {
		_, err := s.SignIn(visitor, account.SignInInput{Email: "mara@example.com", Password: password})
		refusal, known := models.AsError(err)
		if !known || refusal.Code != models.CodeSecondFactor || fmt.Sprint(refusal.Extra["methods"]) != "[passkey]" {
			t.Fatalf("signed in with a password alone: %v", err)
		}
		return refusal.Extra["secondFactorToken"].(string)
	}
	token := step()
	begin := func(token string) *account.PasskeyChallenge {
		c, err := s.Passkeys().Begin(visitor, account.PasskeySecondStep, &token)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	complete := func(token string, answer *account.PasskeyAnswer) (*account.SignedIn, error) {
		return s.SecondFactors().CompleteSignIn(visitor, account.SecondStepInput{SecondFactorToken: token, Passkey: answer})
	}
	_, other := signUp(t, s, "other@example.com")
	theirs := newSoftKey(t)
	adds(t, s, other, theirs)
	for name, answer := range map[string]*account.PasskeyAnswer{
		"another account's key":   theirs.get(begin(token)),
		"asked to confirm":        k.get(asks(t, s, ctx, account.PasskeyConfirm)),
		"asked to sign in":        k.get(asks(t, s, visitor, account.PasskeySignIn)),
		"nothing that was signed": {ChallengeID: begin(token).ID, Response: []byte("{}")},
	} {
		if _, err := complete(token, answer); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	answer := k.get(begin(token))
	signedIn, err := complete(token, answer)
	if err != nil {
		t.Fatal(err)
	}
	_, err = complete(token, answer)
	wantCode(t, err, models.CodeUnauthorized)
	_, err = complete(step(), answer)
	wantCode(t, err, models.CodeValidation)
	_, err = s.Passkeys().Begin(visitor, account.PasskeySecondStep, &token)
	wantCode(t, err, models.CodeUnauthorized)

	s.DB.Clock.(*dbtest.Clock).Advance(2 * time.Hour)
	fresh := as(t, s, signedIn.Token)
	wantCode(t, models.ActorFrom(fresh).RequireConfirmed(s.DB.Clock.Now()), models.CodeReauthentication)
	confirm := func() error {
		return s.Sessions().Confirm(fresh, account.ConfirmSessionInput{Passkey: k.get(asks(t, s, fresh, account.PasskeyConfirm))})
	}
	wantCode(t, confirm(), models.CodeValidation)
	k.verified = true
	if err := confirm(); err != nil {
		t.Fatal(err)
	}
	if err := models.ActorFrom(as(t, s, signedIn.Token)).RequireConfirmed(s.DB.Clock.Now()); err != nil {
		t.Errorf("confirmed with a passkey: %v", err)
	}
}

// The note that a counter went back stays although the second step is refused.
func TestCopiedPasskeyAtASecondStep(t *testing.T) {
	s := passkeyService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	k := newSoftKey(t)
	k.count = 5
	adds(t, s, ctx, k)
	_, err := s.SignIn(from("192.0.2.9"), account.SignInInput{Email: "mara@example.com", Password: password})
	refusal, _ := models.AsError(err)
	token, _ := refusal.Extra["secondFactorToken"].(string)
	c, err := s.Passkeys().Begin(from("192.0.2.9"), account.PasskeySecondStep, &token)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.SecondFactors().CompleteSignIn(from("192.0.2.9"), account.SecondStepInput{SecondFactorToken: token, Passkey: k.get(c)})
	wantCode(t, err, models.CodeValidation)
	factor, err := s.SecondFactors().Find(ctx)
	if err != nil || len(factor.Passkeys) != 1 || !factor.Passkeys[0].Suspected() {
		t.Errorf("%+v, %v", factor, err)
	}
}
