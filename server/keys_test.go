package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"atelier/config"
	"atelier/models/dbtest"
)

// A process whose keys are not the database's says so, until they are accepted
// or the list of keys holds the database's.
func TestKeysOfTheDatabase(t *testing.T) {
	db, ctx := dbtest.New(t), context.Background()
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	a, b, c := bytes.Repeat([]byte("a"), 32), bytes.Repeat([]byte("b"), 32), bytes.Repeat([]byte("c"), 32)
	with := func(session []byte, encryption ...[]byte) *install {
		return &install{Config: config.Config{SessionKey: session, EncryptionKeys: encryption}, DB: db, out: io.Discard}
	}
	check := func(i *install, told ...string) {
		t.Helper()
		log.Reset()
		if err := i.checkKeys(ctx); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"SESSION_KEY", "SERVICE_ENCRYPTION_KEY"} {
			if got, want := strings.Contains(log.String(), name), strings.Contains(strings.Join(told, " "), name); got != want {
				t.Errorf("%s is told of: %v, want %v: %s", name, got, want, &log)
			}
		}
		for _, key := range [][]byte{a, b, c} {
			if strings.Contains(log.String(), string(key)) {
				t.Error("the log holds a key")
			}
		}
	}
	check(with(a, a))
	check(with(a, a))
	check(with(b, a), "SESSION_KEY")
	check(with(b, a), "SESSION_KEY") // each time, not once
	check(with(a, b), "SERVICE_ENCRYPTION_KEY")
	check(with(a), "SERVICE_ENCRYPTION_KEY")
	check(with(a, c, a)) // exchanged: the database moves on to the new one
	check(with(a, c))
	check(with(a, a), "SERVICE_ENCRYPTION_KEY")
	if err := with(b, a).keys(ctx, []string{"accept"}); err != nil {
		t.Fatal(err)
	}
	check(with(b, a))
	check(with(a, a), "SESSION_KEY")
	if err := with(b, a).keys(ctx, []string{"acept"}); err == nil {
		t.Error("a word that nobody knows is taken")
	}
}
