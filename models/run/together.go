package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
)

// How runs that are asked for at the same moment are accepted. The one that comes while few
// others are accepted has a transaction of its own at once. Those that come meanwhile wait for them, a few
// milliseconds at most, and then share one: a statement for each kind of row, and each payer and each count of an
// app is touched once. Who must be refused, or may have to be, is left out of it, and goes alone: so
// each gets the answer that it would have got by itself.

const (
	// maxTogether is how many runs share a transaction at most.
	maxTogether = 32
	// togetherWait is how long a run waits for those before it; then it goes beside them, with
	// those who wait as well.
	togetherWait = 10 * time.Millisecond
	// togetherTries is how often a shared transaction is begun again without those whose payers refuse.
	togetherTries = 3
	// togetherTime bounds a shared transaction, and lockTogether how long it waits for a row that
	// another holds: then each goes alone, so that one such row holds up none of the others.
	togetherTime = 10 * time.Second
	lockTogether = `SET LOCAL lock_timeout = '100ms'`
	// maxNodesTogether and maxTextTogether bound the graph of a run that shares a transaction, in
	// nodes and in bytes of their texts: larger ones hold up the others.
	maxNodesTogether = 100
	maxTextTogether  = 64 << 10
	// payerRefuses is how long the runs of a payer go alone that did not cover some of a group, which was
	// written in vain: so an account without credits makes no one else's runs dearer. maxPayers bounds what is remembered.
	payerRefuses = 10 * time.Second
	maxPayers    = 10_000
)

// Start is a run that is asked for.
type Start struct {
	// Ask finds out what is to be run and who pays, in this order of refusals. It writes nothing,
	// and may be asked again; with ErrAlone the run has a transaction of its own.
	Ask func(tx *models.Tx) (*Request, error)
	// Alone accepts the run in a transaction of its own.
	Alone func(tx *models.Tx) (*Execution, error)
	// Kind is what is done once for runs of its kind; without a name that is nothing.
	Kind StartKind
	// Of is what it belongs to, for Kind.
	Of any

	ctx     context.Context
	draft   *Draft
	exec    *Execution
	err     error
	alone   bool // it goes alone
	follows bool // as the only one that waited, and has those accepted who come meanwhile
	counted *countedFree
	done    chan struct{}
}

// ErrAlone sends a run that was asked for among others into a transaction of its own.
var ErrAlone = errors.New("the run has a transaction of its own")

// StartKind is what is read and written once for several runs that start together.
type StartKind struct {
	Name string
	// ReadAhead reads what Ask of each will need; nil for nothing.
	ReadAhead func(tx *models.Tx, starts []*Start) error
	// Write writes what belongs to the runs beside them: all or nothing of each, and nothing of
	// those that it returns.
	Write func(tx *models.Tx, starts []*Start) (refused []*Start, err error)
}

// togetherness forms the groups that share a transaction.
type togetherness struct {
	mu sync.Mutex
	// atWork are the transactions that accept runs, of one or of several.
	atWork  int
	waiting []*Start
	overdue *time.Timer
	// refused are payers that refused, and when.
	refused map[payerKey]time.Time
}

// payerKey is one person's share of what a space pays from.
type payerKey struct{ space, user models.ID }

func payerOf(draft *Draft) payerKey { return payerKey{draft.payer.Space(), draft.payer.UserID} }

// noteRefused remembers the payers of drafts.
func (t *togetherness) noteRefused(drafts []*Draft) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refused == nil || len(t.refused) >= maxPayers {
		t.refused = map[payerKey]time.Time{}
	}
	for _, draft := range drafts {
		t.refused[payerOf(draft)] = time.Now()
	}
}

// refusedLately tells whether the payer of a draft refused a moment ago.
func (t *togetherness) refusedLately(draft *Draft) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, refused := t.refused[payerOf(draft)]
	if refused && time.Since(at) >= payerRefuses {
		delete(t.refused, payerOf(draft))
		return false
	}
	return refused
}

// sideBySide is how many transactions accept runs at the same time before further runs wait for them: two at least, so that the
// database works on one while the service answers those of the other.
func sideBySide() int { return max(2, runtime.GOMAXPROCS(0)/2) }

// Accept accepts a run, alone or together with others. Refusals are those of Ask and of AcceptRun.
func (s *Service) Accept(ctx context.Context, start *Start) (*Execution, error) {
	if !models.HasOwnTransaction(ctx) {
		return s.acceptAlone(ctx, start)
	}
	t := &s.together
	start.ctx, start.done = ctx, make(chan struct{})
	t.mu.Lock()
	if t.atWork < sideBySide() && len(t.waiting) == 0 {
		t.atWork++
		t.mu.Unlock()
		defer s.acceptNext()
		return s.acceptAlone(ctx, start)
	}
	t.waiting = append(t.waiting, start)
	switch len(t.waiting) {
	case 1:
		t.overdue = time.AfterFunc(togetherWait, s.acceptOverdue)
	case maxTogether:
		s.acceptWaiting()
	}
	t.mu.Unlock()
	select {
	case <-start.done:
	case <-ctx.Done():
		if t.leave(start) {
			return nil, ctx.Err()
		}
		<-start.done
	}
	if start.follows {
		defer s.acceptNext()
	}
	if start.alone {
		return s.acceptAlone(ctx, start)
	}
	return start.exec, start.err
}

// leave takes a run out of those that wait, if it is among them.
func (t *togetherness) leave(start *Start) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(t.waiting, start)
	if at < 0 {
		return false
	}
	t.waiting = slices.Delete(t.waiting, at, at+1)
	return true
}

func (s *Service) acceptAlone(ctx context.Context, start *Start) (exec *Execution, err error) {
	if start.counted != nil {
		ctx = context.WithValue(ctx, countedFreeKey{}, start.counted)
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		exec, err = start.Alone(tx)
		return err
	})
	return exec, err
}

// acceptNext ends a transaction's time, and has those who wait accepted.
func (s *Service) acceptNext() {
	t := &s.together
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.atWork--; t.atWork < sideBySide() {
		s.acceptWaiting()
	}
}

// acceptOverdue has those who have waited long accepted beside what goes on.
func (s *Service) acceptOverdue() {
	s.together.mu.Lock()
	defer s.together.mu.Unlock()
	s.acceptWaiting()
}

// acceptWaiting has those who wait accepted, together where they are several. It is called with
// the lock held.
func (s *Service) acceptWaiting() {
	t := &s.together
	batch := t.waiting
	if len(batch) == 0 {
		return
	}
	t.overdue.Stop()
	t.waiting = nil
	t.atWork++
	if len(batch) == 1 {
		batch[0].alone, batch[0].follows = true, true
		close(batch[0].done)
		return
	}
	go func() {
		defer s.acceptNext()
		s.acceptTogether(batch)
	}()
}

// acceptTogether accepts runs in one transaction, and tells each how it went.
func (s *Service) acceptTogether(batch []*Start) {
	left := batch
	for range togetherTries {
		undone, err := s.tryTogether(left)
		if !undone {
			for _, start := range left {
				start.err = cmp.Or(start.err, err)
			}
			break
		}
		before := len(left)
		if left = slices.DeleteFunc(slices.Clone(left), func(start *Start) bool { return start.alone }); len(left) == before {
			slog.Warn("runs that were asked for at once are accepted one by one", "runs", len(left), "error", err)
			break
		}
		if len(left) == 0 {
			break
		}
	}
	for _, start := range batch {
		start.alone = start.exec == nil && start.err == nil
		close(start.done)
	}
}

// errPayersRefuse ends a transaction without those whose payers do not cover all of them.
var errPayersRefuse = errors.New("not all runs of a transaction are covered")

// tryTogether accepts runs in one transaction; those that go alone are marked. Undone tells that nothing
// of it stays, so that each may be accepted another way: not where there was no connection for it, and not where its
// commit had no answer, or something failed behind it.
func (s *Service) tryTogether(batch []*Start) (undone bool, err error) {
	began, written := false, false
	defer func() {
		if panicked := recover(); panicked != nil { // in one of them, whose own request will tell
			err = fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
		}
		if undone = err != nil && began && !written; err != nil {
			for _, start := range batch {
				start.err = nil
			}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), togetherTime)
	defer cancel()
	var accepted []*Start
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		began, written = true, false
		for _, start := range batch {
			start.draft, start.err, start.alone = nil, nil, false
		}
		if _, err := tx.Run(lockTogether); err != nil {
			return err
		}
		accepted, err = s.writeTogether(tx, batch)
		written = err == nil
		return err
	})
	if err != nil {
		return false, err
	}
	for _, start := range accepted {
		start.exec = start.draft.Exec
	}
	return false, nil
}

// writeTogether writes the runs of a transaction; those that it does not return are refused, or go alone.
func (s *Service) writeTogether(tx *models.Tx, batch []*Start) ([]*Start, error) {
	tx.Remember()
	actors := make([]models.Actor, len(batch))
	for i, start := range batch {
		actors[i] = models.ActorFrom(start.ctx)
	}
	if err := s.Orgs.ReadAhead(tx, actors); err != nil {
		return nil, err
	}
	kinds := byKind(batch)
	for _, name := range slices.Sorted(maps.Keys(kinds)) { // others lock what they read in the same order
		of := kinds[name]
		if readAhead := of[0].Kind.ReadAhead; readAhead != nil {
			if err := readAhead(tx, of); err != nil {
				return nil, err
			}
		}
	}
	var accepted []*Start
	for _, start := range batch {
		if err := s.draftTogether(tx.As(context.WithoutCancel(start.ctx)), start); err != nil {
			return nil, err
		}
		if start.draft != nil {
			accepted = append(accepted, start)
		}
	}
	accepted, err := writeBeside(tx, accepted)
	if err != nil || len(accepted) == 0 {
		return nil, err
	}
	drafts, begun := make([]*Draft, len(accepted)), time.Now()
	for i, start := range accepted {
		drafts[i] = start.draft
		if time.Since(begun) > InlineTimeLimit { // workers do it
			continue
		}
		// What this writes, if anything, is part of the run: an error ends the transaction.
		if err := s.RunFirstInline(tx.As(context.WithoutCancel(start.ctx)), start.draft); err != nil {
			return nil, err
		}
	}
	unpaid, err := s.InsertExecutions(tx, drafts)
	if err != nil {
		return nil, err
	}
	for _, start := range accepted {
		start.alone = slices.Contains(unpaid, start.draft)
	}
	if len(unpaid) > 0 {
		s.together.noteRefused(unpaid)
		return nil, errPayersRefuse
	}
	return accepted, nil
}

// draftTogether finds out about a run and drafts it, unless it is refused or goes alone.
func (s *Service) draftTogether(tx *models.Tx, start *Start) error {
	request, err := start.Ask(tx)
	switch {
	case errors.Is(err, ErrAlone):
		start.alone = true
		return nil
	case models.Refusal(err) != nil:
		start.err = err
		return nil
	case err != nil:
		return err
	}
	if start.alone = isLarge(request.Nodes); start.alone {
		return nil
	}
	draft, err := s.DraftRun(tx, *request)
	if start.alone = err == nil && (draft.stateBytes() > maxTextTogether || s.together.refusedLately(draft)); start.alone {
		return nil
	}
	if err == nil && start.counted == nil && s.countsAsFree(draft.Exec) {
		start.counted = &countedFree{s.countFreeRun(tx, draft.Exec)}
	}
	if start.counted != nil {
		err = cmp.Or(err, start.counted.refusal)
	}
	if start.alone = models.Refusal(err) != nil; start.alone {
		return nil
	}
	start.draft = draft
	return err
}

// byKind are starts that have a kind.
func byKind(starts []*Start) map[string][]*Start {
	found := map[string][]*Start{}
	for _, start := range starts {
		if name := start.Kind.Name; name != "" {
			found[name] = append(found[name], start)
		}
	}
	return found
}

// writeBeside writes what belongs to runs beside them, and returns those whose was written.
func writeBeside(tx *models.Tx, starts []*Start) (written []*Start, err error) {
	kinds := byKind(starts)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		of := kinds[name]
		refused, err := of[0].Kind.Write(tx, of)
		if err != nil {
			return nil, err
		}
		for _, start := range refused {
			start.alone = true
		}
	}
	return slices.DeleteFunc(starts, func(start *Start) bool { return start.alone }), nil
}

// stateBytes is how much the jobs of a draft keep beside their inputs: what components run.
func (d *Draft) stateBytes() (n int) {
	for _, job := range d.jobs {
		n += len(job.State)
	}
	return n
}

// isLarge tells a graph that would hold up others.
func isLarge(all nodegraph.Nodes) bool {
	bytes := 0
	for _, node := range all {
		for _, value := range node.Data {
			switch v := value.(type) {
			case string:
				bytes += len(v)
			case []any:
				bytes += 64 * len(v)
			case map[string]any:
				bytes += 64 * len(v)
			}
		}
	}
	return len(all) > maxNodesTogether || bytes > maxTextTogether
}
