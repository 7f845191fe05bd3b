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
		"personal": {h.people(1)[0], 8}, "of a workspace": {inClass, 10},
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

// TestStatementsOfAListOfWorkflows holds that which of them are empty is asked for all rows at once.
func TestStatementsOfAListOfWorkflows(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server")
	}
	h := newTestServer(t)
	who := h.people(1)[0]
	asked := func(rows int) (statements int) {
		h.tracer.keep(true)
		r := who.graphql("{ workflows { nodes { isEmpty } } }", nil)
		statements = len(h.tracer.keep(false))
		empty, _ := r.path("data.workflows.nodes").([]any)
		if len(empty) != rows {
			t.Fatalf("%d rows: %s", rows, r.Body)
		}
		for i, row := range empty { // newest first, and every second one is empty
			if got := row.(map[string]any)["isEmpty"]; got != ((rows-i)%2 == 0) {
				t.Errorf("row %d of %d: %v", i, rows, got)
			}
		}
		return statements
	}
	least := map[int]int{}
	for made, rows := 0, 0; rows < 8; {
		rows += 4
		for ; made < rows; made++ {
			graph := object{"name": "A workflow", "nodes": []object{}, "edges": []object{}}
			if made%2 == 0 {
				graph = threeSteps
			}
			who.post("/v1/workflows", graph).want(201)
		}
		least[rows] = 1 << 20
		for range 10 { // whatever else the service does falls between
			least[rows] = min(least[rows], asked(rows))
		}
	}
	if least[8] > least[4] {
		t.Errorf("%d statements for 8 rows, %d for 4", least[8], least[4])
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
