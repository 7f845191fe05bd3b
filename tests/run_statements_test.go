//go:build !race

package tests

import (
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/dbtest"
)

// TestStatementsOfARun holds how many statements a run of three steps takes through HTTP,
// from the request to its result, its begin and commit included.
func TestStatementsOfARun(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server")
	}
	priced(t, "template-text", models.Credit/10)
	h := newTestServer(t)
	s := h.school()
	stop := h.work()
	defer stop()
	inClass := s.owner
	inClass.workspace = s.class
	for name, c := range map[string]struct {
		who  client
		most int
	}{
		"personal": {h.people(1)[0], 9}, "of a workspace": {inClass, 11},
	} {
		t.Run(name, func(t *testing.T) {
			id := c.who.post("/v1/workflows", threeSteps).want(201).text("data.id")
			run := func() { c.who.post("/v1/workflows/"+id+"/run?wait=true", object{}).want(200) }
			run()
			if dbtest.OnCitus() {
				c.most += 4 // room and what is kept, which triggers do elsewhere, and the commit in two phases
			}
			least := 1 << 20
			var said []string
			for turn := 0; turn < 50 && least > c.most; turn++ { // whatever else the service does falls between
				h.tracer.keep(true)
				run()
				if kept := h.tracer.keep(false); len(kept) < least {
					least, said = len(kept), kept
				}
			}
			if least > c.most {
				t.Errorf("%d statements, at most %d:\n%s", least, c.most, strings.Join(said, "\n"))
			}
		})
	}
}

// keep begins or ends keeping statements, and gives those that were kept.
func (s *statements) keep(begin bool) (kept []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.kept {
		kept = append(kept, strings.Join(strings.Fields(one.sql), " "))
	}
	s.record, s.kept = begin, nil
	return kept
}
