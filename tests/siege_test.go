//go:build !race

package tests

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models/credit"
	"atelier/models/dbtest"
)

// What a service under attack may take: memory of its process, and a folder for data
// whose accounts have quotas of siegeQuota each.
const (
	siegeMemory = 1 << 30
	siegeQuota  = 128 << 20
)

// TestSiege has accounts send the worst that is known while a class works: every
// request of the class succeeds, memory and disk stay within bounds, and the books
// are right. Its long form also holds the class's slowest answers to what they are
// without attackers.
func TestSiege(t *testing.T) {
	t.Parallel()
	besiege(t)
}

// siege is a service with a class and those who attack it.
type siege struct {
	t         testing.TB
	p         *program
	dataDir   string
	class     []client
	lessons   []string // the workflow of each of the class
	attackers []client
	orgs      map[string]string // those of the attackers, by their tokens
	ended     context.Context   // done when the attack is over
	memory    atomic.Int64      // the most of the process, in bytes
	disk      atomic.Int64      // the most of the folder, in bytes
	tried     sync.Map          // how often each attack was tried, by its name: *atomic.Int64
}

func besiege(t *testing.T) {
	databaseURL := dbtest.NewURL(t)
	db := dbtest.Open(t, databaseURL, dbtest.NewClock())
	s := &siege{t: t, dataDir: t.TempDir(), orgs: map[string]string{}}
	s.p = startOn(t, databaseURL, s.dataDir, []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error", "GOGC=", fmt.Sprintf("QUOTA_FILES_ACCOUNT=%dB", siegeQuota))
	// What goes wrong ends the service under test, and not the machine.
	if out, err := exec.Command("prlimit", "--pid", fmt.Sprint(s.p.cmd.Process.Pid), fmt.Sprintf("--as=%d", 12<<30)).CombinedOutput(); err != nil {
		t.Logf("memory is not limited: %v %s", err, out)
	}
	s.gather()
	attack, end := context.WithCancel(t.Context())
	defer end()
	s.ended = attack
	var all sync.WaitGroup
	all.Go(s.watch)
	calm := s.teach(siegeCalm)
	for i, who := range s.attackers {
		all.Go(func() { s.attack(i, who) })
	}
	busy := s.teach(siegeTime)
	for until := time.Now().Add(patience); !s.triedAll() && time.Now().Before(until); {
		busy = append(busy, s.teach(time.Second)...)
	}
	end()
	all.Wait()
	s.judge(calm, busy)
	eventually(t, func() error {
		if differences, err := credit.Reconcile(context.Background(), db); err != nil || len(differences) > 0 {
			return fmt.Errorf("the books are wrong: %v %v", differences, err)
		}
		return nil
	})
}

// gather makes the class, with credits, and the attackers, who have none but their own.
func (s *siege) gather() {
	operator := operatorOf(s.t, s.p.URL)
	owner := newPerson(s.t, s.p.URL, "Teacher")
	org := newOrganization(s.t, owner.client, operator, "school")
	room := newWorkspace(owner.client, org, "Class")
	operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`, object{"in": object{"organizationId": org, "amount": 100_000, "reason": "siege"}})
	owner.post("/v1/orgs/"+org+"/workspaces/"+room+"/allocate", object{"delta": 100_000}).want(200)
	code := codeOf(owner.client, room)
	for range siegeClass {
		pupil := newPerson(s.t, s.p.URL, "Pupil")
		pupil.post("/v1/workspaces/join", object{"code": code}).want(200)
		s.class = append(s.class, pupil.in(room))
		s.lessons = append(s.lessons, pupil.in(room).post("/v1/workflows", threeSteps).want(201).text("data.id"))
	}
	for range siegeAttackers {
		attacker := newPerson(s.t, s.p.URL, "Attacker")
		s.orgs[attacker.token] = newOrganization(s.t, attacker.client, operator, "team")
		s.attackers = append(s.attackers, attacker.client)
	}
}

// siegeLesson is what a pupil does again and again.
var siegeLesson = []struct {
	method, path string
	body         any
}{
	{"GET", "/v1/me", nil}, {"GET", "/v1/workflows?limit=20", nil}, {"POST", "/v1/text", object{"text": "a lighthouse"}},
	{"POST", "/v1/workflows/WORKFLOW/run?wait=true", object{}}, {"GET", "/v1/jobs?limit=20", nil}, {"POST", "/graphql", object{"query": `{me{id displayName}}`}},
}

// teach has the class work for a time, and tells how long each answer took.
func (s *siege) teach(long time.Duration) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	end := time.Now().Add(long)
	patient := &http.Client{Timeout: time.Minute}
	for i, pupil := range s.class {
		all.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				step := siegeLesson[n%len(siegeLesson)]
				started := time.Now()
				status, body := s.send(patient, pupil, step.method, replaceWorkflow(step.path, s.lessons[i]), step.body)
				if status < 200 || status > 299 {
					s.t.Errorf("the class is answered %d to %s %s: %.200s", status, step.method, step.path, body)
				}
				mu.Lock()
				took = append(took, time.Since(started))
				mu.Unlock()
				pause(s.ended, time.Duration(200+rand.IntN(400))*time.Millisecond)
			}
		})
	}
	all.Wait()
	return took
}

// attack tries all attacks one after another, beginning with another one for each attacker.
func (s *siege) attack(first int, who client) {
	for n := first; s.ended.Err() == nil; n += siegeAttackers {
		one := attacks[n%len(attacks)]
		count, _ := s.tried.LoadOrStore(one.name, new(atomic.Int64))
		count.(*atomic.Int64).Add(1)
		one.try(s, who)
		pause(s.ended, 20*time.Millisecond)
	}
}

// watch notes the most that the service takes.
func (s *siege) watch() {
	for s.ended.Err() == nil {
		s.memory.Store(max(s.memory.Load(), int64(residentOf(s.p.cmd.Process.Pid))))
		s.disk.Store(max(s.disk.Load(), sizeOf(s.dataDir)))
		pause(s.ended, 100*time.Millisecond)
	}
}

// triedAll is true once each attack has been made.
func (s *siege) triedAll() bool {
	return !slices.ContainsFunc(attacks, func(a attack) bool { _, tried := s.tried.Load(a.name); return !tried })
}

func (s *siege) judge(calm, busy []time.Duration) {
	if !s.triedAll() {
		s.t.Error("some attacks were not made")
	}
	s.tried.Range(func(name, count any) bool {
		s.t.Logf("%s: %d times", name, count.(*atomic.Int64).Load())
		return true
	})
	before, under := percentile(calm, 99), percentile(busy, 99)
	s.t.Logf("the class: %d answers, 99 of 100 within %s, alone within %s; %d MiB of memory, %d MiB of disk", len(busy), under, before, s.memory.Load()>>20, s.disk.Load()>>20)
	if siegeSlowdown > 0 && under > siegeSlowdown*before {
		s.t.Errorf("the class waits %s, alone %s", under, before)
	}
	if s.memory.Load() > siegeMemory {
		s.t.Errorf("the service took %d MiB", s.memory.Load()>>20)
	}
	if most := int64(siegeQuota * (siegeAttackers + siegeClass)); s.disk.Load() > most {
		s.t.Errorf("%d MiB lie on the disk, and may be %d", s.disk.Load()>>20, most>>20)
	}
	if status, body := s.send(http.DefaultClient, client{t: s.t, URL: s.p.URL}, "GET", "/readyz", nil); status != 200 {
		s.t.Errorf("the service is not ready: %d %s", status, body)
	}
}

// percentile is the value that so many of a hundred stay within.
func percentile(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[(len(sorted)-1)*percent/100]
}

// pause waits, or until the attack is over.
func pause(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}

// sizeOf is what the files below a folder have, in bytes; files that go meanwhile count as none.
func sizeOf(folder string) (total int64) {
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
