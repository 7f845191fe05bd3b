package account

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"atelier/models"
)

func visitor(ip string) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: ip})
}

func member(n byte) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: models.ID{n}})
}

// eventually waits until the line has n callers that wait.
func (l *line) eventually(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		waiting := l.guests.Len() + l.members.Len()
		l.mu.Unlock()
		if waiting == n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d wait, not %d", waiting, n)
		}
	}
}

// A flood of visitors is refused beyond what may wait, and the one who comes alone,
// or is signed in, is called before the flood is over.
func TestLineIsFair(t *testing.T) {
	l := &line{free: 1}
	leave, err := l.enter(visitor("192.0.2.1"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var called []string
	var all sync.WaitGroup
	join := func(ctx context.Context, name string) {
		all.Go(func() {
			leave, err := l.enter(ctx)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			mu.Lock()
			called = append(called, name)
			mu.Unlock()
			leave()
		})
	}
	for range maxWaitingOfOne {
		join(visitor("192.0.2.1"), "flood")
	}
	l.eventually(t, maxWaitingOfOne)
	if _, err := l.enter(visitor("192.0.2.1")); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("one more of the flood: %v", err)
	}
	join(visitor("198.51.100.1"), "alone")
	l.eventually(t, maxWaitingOfOne+1)
	join(member(1), "member")
	l.eventually(t, maxWaitingOfOne+2)
	leave()
	all.Wait()
	for i, name := range called {
		if name != "flood" && i > 4 {
			t.Errorf("%s is called as number %d", name, i+1)
		}
	}
	if len(called) != maxWaitingOfOne+2 || l.free != 1 || l.guests.Len()+l.members.Len() != 0 {
		t.Errorf("%d were called, the line is left as %+v", len(called), l)
	}
}

// The places of visitors are bounded in all, and leave those of signed-in people alone.
func TestLineIsBounded(t *testing.T) {
	l := &line{free: 1}
	leave, _ := l.enter(visitor("192.0.2.1"))
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range maxWaiting {
		all.Go(func() {
			if done, err := l.enter(models.WithActor(ctx, models.Actor{IP: fmt.Sprintf("198.51.%d.%d", i/100, i%100)})); err == nil {
				done()
			}
		})
	}
	l.eventually(t, maxWaiting)
	_, err := l.enter(visitor("203.0.113.1"))
	var refusal *models.Error
	if refusal, _ = models.AsError(err); refusal.Code != models.CodeRateLimitExceeded || refusal.RetryAfter <= 0 {
		t.Errorf("a visitor more: %v", err)
	}
	all.Go(func() {
		if done, err := l.enter(member(1)); err != nil {
			t.Errorf("somebody who is signed in: %v", err)
		} else {
			done()
		}
	})
	l.eventually(t, maxWaiting+1)
	cancel() // visitors who leave are not called
	l.eventually(t, 1)
	leave()
	all.Wait()
	if l.free != 1 || l.guests.Len()+l.members.Len() != 0 {
		t.Errorf("the line is left as %+v", l)
	}
}

// However many come at once, no more than a few hash.
func TestLineAtWork(t *testing.T) {
	l := &line{free: 2}
	var mu sync.Mutex
	var all sync.WaitGroup
	working, most := 0, 0
	for i := range 200 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(visitor(fmt.Sprintf("198.51.100.%d", i)), time.Duration(1+i%7)*5*time.Millisecond)
			defer cancel()
			leave, err := l.enter(ctx)
			if err != nil {
				return
			}
			mu.Lock()
			working++
			most = max(most, working)
			mu.Unlock()
			time.Sleep(100 * time.Microsecond)
			mu.Lock()
			working--
			mu.Unlock()
			leave()
		})
	}
	all.Wait()
	if most > 2 || l.free != 2 {
		t.Errorf("%d were at work at once, %d places are free", most, l.free)
	}
}

func TestStoredPasswords(t *testing.T) {
	ctx := context.Background()
	hash, err := hashPassword(ctx, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	for stored, want := range map[string]bool{
		hash: true,
		"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$q83vEjRWeJCrze8SNFZ4kA":        false,
		"$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA":  false, // 95 GiB
		"$argon2id$v=19$m=64,t=99999999,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA": false,
		"$argon2id$v=19$m=64,t=0,p=0$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA":        false,
		"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$":                              false,
		"$2a$10$x": false, "": false, "x": false,
	} {
		if got, err := passwordMatches(ctx, &stored, "correct horse"); got != want || err != nil {
			t.Errorf("%q matches: %v (%v)", stored, got, err)
		}
	}
	if got, _ := passwordMatches(ctx, nil, "correct horse"); got {
		t.Error("nobody has a password")
	}
}
