package account_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

// TestWhileValid ends credentials on one replica while something is open on another.
func TestWhileValid(t *testing.T) {
	url, clock := dbtest.NewURL(t), dbtest.NewClock()
	replica := func() *account.Service {
		db := dbtest.Open(t, url, clock)
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); db.Bus.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		return &account.Service{DB: db, SessionKey: []byte("a key of tests that is long enough"), SignUpMode: "open"}
	}
	here, there := replica(), replica()
	person := func(name string) (context.Context, context.Context) {
		t.Helper()
		_, session := signUp(t, here, name+"@example.com")
		made, err := here.APITokens().Create(session, account.CreateAPITokenInput{Name: "script"})
		if err != nil {
			t.Fatal(err)
		}
		return session, as(t, here, made.Token)
	}
	for _, c := range []struct {
		name  string
		token bool // the stream was opened with the token, else with the session
		end   func(session, token context.Context) error
	}{
		{"signing out", false, func(session, _ context.Context) error { return here.SignOut(session) }},
		{"revoking the token", true, func(session, token context.Context) error {
			return here.APITokens().Delete(session, models.ActorFrom(token).TokenID)
		}},
		{"banning", true, func(session, _ context.Context) error {
			return here.DB.Write(session, func(tx *models.Tx) error {
				tx.Notify(models.RightsTopic(tx.Actor.UserID))
				return tx.Model(&account.User{}).Where("id = ?", tx.Actor.UserID).Update("banned_at", tx.Now).Error
			})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			session, token := person("p" + models.NewID(time.Now()).String())
			opened, other := session, token
			if c.token {
				opened, other = token, session
			}
			open, stays := there.WhileValid(opened), there.WhileValid(other)
			if err := c.end(session, token); err != nil {
				t.Fatal(err)
			}
			select {
			case <-open.Done():
			case <-time.After(10 * time.Second): // well before it would look by itself
				t.Fatal("stays open")
			}
			if c.name == "banning" {
				<-stays.Done()
			} else if stays.Err() != nil || there.StillValid(stays) != nil {
				t.Error("other credentials of the account ended too")
			}
		})
	}
	t.Run("ended before it opened", func(t *testing.T) {
		session, _ := person("late")
		if err := here.SignOut(session); err != nil {
			t.Fatal(err)
		}
		select {
		case <-there.WhileValid(session).Done():
		case <-time.After(10 * time.Second):
			t.Fatal("stays open")
		}
	})
}
