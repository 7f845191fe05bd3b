package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/config"
	"atelier/graph/generated"
	"atelier/migrations"
	"atelier/models"
)

// What a finding comes to.
const (
	findsWell   = "ok"
	findsNotice = "notice" // may be as it is meant
	findsWrong  = "action" // something has to be done
)

// finding is what a look at one part of the install came to.
type finding struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Says  string `json:"says"`
	// Do is what to do, empty where there is nothing.
	Do string `json:"do,omitempty"`
}

func well(name, says string, args ...any) finding {
	return finding{name, findsWell, fmt.Sprintf(says, args...), ""}
}

func noticed(name, do, says string, args ...any) finding {
	return finding{name, findsNotice, fmt.Sprintf(says, args...), do}
}

func wrong(name, do, says string, args ...any) finding {
	return finding{name, findsWrong, fmt.Sprintf(says, args...), do}
}

// doctor looks at an install.
type doctor struct {
	*install
	// opened is why the database cannot be used; nil where it can.
	opened error
}

// lookAtAll is how long all looks may take.
const lookAtAll = 20 * time.Second

// look asks everything at once; the findings have an order of their own.
func (d *doctor) look(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, lookAtAll)
	defer cancel()
	looks := []func(context.Context) []finding{d.settings, d.database, d.standby, d.keys, d.disk, d.storage, d.programs, d.mail, d.network, d.backups}
	found := make([][]finding, len(looks))
	var all sync.WaitGroup
	for n, look := range looks {
		all.Go(func() { found[n] = look(ctx) })
	}
	all.Wait()
	return slices.Concat(found...)
}

// Doctor looks at everything that an install needs and says what has to be done; then it fails. It changes nothing.
// settings are the problems of the configuration, with which nothing else is looked at.
func Doctor(ctx context.Context, c config.Config, settings error, args []string, out io.Writer) error {
	asJSON := slices.Equal(args, []string{"--json"})
	if len(args) > 0 && !asJSON {
		return errors.New("doctor takes nothing, or --json")
	}
	var found []finding
	if settings != nil {
		found = malformed(settings)
	} else {
		found = examine(ctx, c)
	}
	todo := 0
	for _, f := range found {
		if f.State == findsWrong {
			todo++
		}
	}
	if err := printFindings(out, found, asJSON); err != nil {
		return err
	}
	if todo > 0 {
		return fmt.Errorf("%s to be done", plural(todo, "thing has", "things have"))
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// malformed are settings with which the service does not start.
func malformed(err error) (found []finding) {
	lines := []string{err.Error()}
	if several, ok := errors.AsType[config.Error](err); ok {
		lines = several
	}
	for _, line := range lines {
		found = append(found, wrong("Settings", "Correct the variable; atelier serve --help lists them all.", "%s", line))
	}
	return found
}

// examine opens the install beside a service that may be running, and looks at it; where it cannot be opened it looks at the rest.
func examine(ctx context.Context, c config.Config) (found []finding) {
	ready := c
	keys := ready.ReadKeys()
	if keys != nil {
		ready = c
	}
	err := withExisting(ctx, ready, io.Discard, func(i *install) error {
		opened := i.clock.Sync(models.FromReserve(ctx), i.DB.SQL)
		if opened == nil {
			opened = migrations.Finished(models.FromReserve(ctx), i.DB.SQL)
		}
		found = (&doctor{install: i, opened: opened}).look(ctx)
		return nil
	})
	if found == nil {
		found = (&doctor{install: &install{Config: ready}, opened: err}).look(ctx)
	}
	if keys != nil {
		found = append(found, wrong("Keys", "Use the settings and the DATA_DIR of the service; on an install that never ran, atelier serve makes them.", "%s", keys))
	}
	return found
}

// printFindings writes a line for each finding, and what to do below it.
func printFindings(out io.Writer, found []finding, asJSON bool) error {
	if asJSON {
		document := struct {
			OK       bool      `json:"ok"`
			Version  string    `json:"version"`
			Findings []finding `json:"findings"`
		}{!slices.ContainsFunc(found, func(f finding) bool { return f.State == findsWrong }), Version(), found}
		text, err := json.MarshalIndent(document, "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\n", text)
		}
		return err
	}
	for _, f := range found {
		word := map[string]string{findsWell: "ok", findsNotice: "notice", findsWrong: "TO DO"}[f.State]
		if _, err := fmt.Fprintf(out, "%-7s %-17s %s\n", word, f.Name, strings.TrimSpace(f.Says)); err != nil {
			return err
		}
		if f.Do != "" {
			fmt.Fprintf(out, "%-25s → %s\n", "", f.Do)
		}
	}
	return nil
}

// visits are the looks of operators at a serving process: those that come at once, or soon after, see the same.
type visits struct {
	mu    sync.Mutex
	until time.Time
	found []finding
}

// lookAnew is how long findings are shown.
const lookAnew = 10 * time.Second

// findings is the look of a serving process at its install, for the console. It is asked by operators alone.
func (s *Server) findings(ctx context.Context) ([]*generated.Finding, error) {
	s.visits.mu.Lock()
	defer s.visits.mu.Unlock()
	if time.Now().After(s.visits.until) {
		d := &doctor{install: s.install}
		s.visits.found, s.visits.until = d.look(context.WithoutCancel(ctx)), time.Now().Add(lookAnew)
	}
	all := make([]*generated.Finding, len(s.visits.found))
	for n, f := range s.visits.found {
		all[n] = &generated.Finding{Name: f.Name, State: map[string]generated.FindingState{
			findsWell: generated.FindingStateOk, findsNotice: generated.FindingStateNotice, findsWrong: generated.FindingStateAction,
		}[f.State], Says: f.Says, Do: f.Do}
	}
	return all, nil
}
