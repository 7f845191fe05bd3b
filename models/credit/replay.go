package credit

import (
	"context"
	"time"

	"atelier/models"
)

// running are the lines that move a balance which they note: of pools and of
// wallets, whose held part is in the balance.
const running = `
	SELECT to_book = 'pool' OR from_book = 'pool' AS pool,
		CASE WHEN to_book IN ('pool', 'wallet', 'wallet_held') THEN to_id ELSE from_id END AS owner_id,
		CASE WHEN to_book IN ('pool', 'wallet', 'wallet_held') THEN amount ELSE -amount END AS delta,
		id, balance_after, created_at
	FROM ledger_entries
	WHERE (to_book IN ('pool', 'wallet', 'wallet_held')) <> (from_book IN ('pool', 'wallet', 'wallet_held'))`

// brokenLines is the first line of each pool and wallet whose running balance
// does not follow from the lines before it. Lines are looked at one by one only
// where the order of ids does not explain them.
func (s *Service) brokenLines(ctx context.Context) (broken []Difference, err error) {
	var owners []struct {
		Pool    bool
		OwnerID models.ID
	}
	err = s.DB.Read(ctx).Raw(`
		SELECT DISTINCT pool, owner_id FROM (
			SELECT pool, owner_id, balance_after, lag(balance_after, 1, 0) OVER (PARTITION BY pool, owner_id ORDER BY id) + delta AS expected
			FROM (` + running + `) lines) replayed
		WHERE balance_after IS DISTINCT FROM expected ORDER BY pool, owner_id`).Scan(&owners).Error
	for _, owner := range owners {
		if err != nil || len(broken) == MaxDifferences {
			break
		}
		var line *Difference
		if line, err = s.firstBroken(ctx, owner.Pool, owner.OwnerID); line != nil {
			broken = append(broken, *line)
		}
	}
	return broken, err
}

// firstBroken replays the lines of one pool or wallet.
func (s *Service) firstBroken(ctx context.Context, pool bool, owner models.ID) (*Difference, error) {
	db := s.DB.Read(ctx)
	rows, err := db.Raw(`SELECT id, delta, balance_after, created_at FROM (`+running+`) lines WHERE pool = ? AND owner_id = ? ORDER BY id`, pool, owner).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := newReplay()
	for rows.Next() && r.broken == nil {
		var l line
		if err := rows.Scan(&l.id, &l.delta, &l.after, &l.at); err != nil {
			return nil, err
		}
		r.add(l)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if first := r.end(); first != nil {
		d := &Difference{Counter: "ledger_entries.balance_after", ID: owner, Ledger: r.known + first.delta, Entry: &first.id}
		if first.after != nil {
			d.Stored = *first.after
		}
		return d, nil
	}
	return nil, nil
}

// line is an entry that moves a running balance.
type line struct {
	id    models.ID
	delta models.Credits
	after *models.Credits
	at    time.Time
}

// replay follows a running balance. Ids have the time at which their
// transactions began, and the balance's lock may have gone to a later one
// first, so that lines which were written at once may stand in another order
// than that in which they moved the balance. In whatever order they did, each
// began where another ended: what is open - balances that a line ended at and
// none began from, less those that one began from and none ended at - comes
// back to a single balance. From a line that does not follow it never does.
type replay struct {
	open   map[models.Credits]int
	known  models.Credits // the balance when one alone was open last
	first  *line          // the first line since then
	broken *line
}

// maxApart is how far apart in time lines may be that stand in another
// order; transactions are far shorter.
const maxApart = 10 * time.Minute

func newReplay() *replay { return &replay{open: map[models.Credits]int{0: 1}} }

func (r *replay) add(l line) {
	switch {
	case r.broken != nil:
		return
	case r.first != nil && l.at.Sub(r.first.at) > maxApart:
		r.broken = r.first
		return
	case r.first == nil:
		r.first = &l
	}
	if l.after == nil {
		r.broken = r.first
		return
	}
	r.count(*l.after-l.delta, -1)
	r.count(*l.after, 1)
	if len(r.open) > 1 {
		return
	}
	for balance := range r.open { // the last line's, or of lines in another order any
		r.known, r.first = balance, nil
	}
}

func (r *replay) count(balance models.Credits, by int) {
	if r.open[balance] += by; r.open[balance] == 0 {
		delete(r.open, balance)
	}
}

// end is the first line that does not follow, nil when all do.
func (r *replay) end() *line {
	if r.broken != nil {
		return r.broken
	}
	return r.first
}
