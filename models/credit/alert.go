package credit

import (
	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// What is told of a budget, a pool and a limit that run out. There is one rule:
// how far something is used is one of a few levels, and the transaction that
// lifts it to a higher one tells that one, no matter what lifted it: a run, or
// credits that were taken back. Nothing else is stored for that: the row whose
// counter changes is locked, so the level before a change is that after the last
// one, and whatever lowers it arms what is above again.

// levels are the percentages that are told, the highest first; limitLevels are
// those of one person's limit.
var (
	levels      = []int{100, 95, 80, 50}
	limitLevels = []int{100, 80}
)

// Level is the highest of 50, 80, 95 and 100 percent of a whole that a part of it
// has reached; 0 below, and of nothing.
func Level(part, whole models.Credits) int { return reached(levels, part, whole) }

func reached(levels []int, part, whole models.Credits) int {
	if whole > 0 {
		for _, level := range levels {
			if part*100 >= whole*models.Credits(level) {
				return level
			}
		}
	}
	return 0
}

// nearEnd is the level from which pages mark a budget or a pool.
const nearEnd = 80

// gauge is how much of something is used, as a statement returned it; the fields
// are nil without a row, and Whole also where nothing bounds.
type gauge struct{ used, whole *models.Credits }

func (g *gauge) dest() []any { return []any{&g.used, &g.whole} }

// gauges are a budget and the limit of one person in it.
type gauges struct{ budget, limit gauge }

// lifted is the level that using some more has lifted it to; 0 when it is the same.
func (g gauge) lifted(levels []int, more models.Credits) int {
	if g.used == nil || g.whole == nil {
		return 0
	}
	return higher(reached(levels, *g.used-more, *g.whole), reached(levels, *g.used, *g.whole))
}

// higher is the level after a change, if it is above the one before; else 0.
func higher(before, after int) int {
	if after > before {
		return after
	}
	return 0
}

// tellSpent tells what a charge has used up: those who run a workspace of its
// budget, and the member of their own limit. A charge that lifts nothing costs nothing.
func (s *Service) tellSpent(tx *models.Tx, payer Payer, charged models.Credits, after gauges) error {
	budget, limit := after.budget.lifted(levels, charged), after.limit.lifted(limitLevels, charged)
	if budget == 0 && limit == 0 {
		return nil
	}
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), payer.UserID, *payer.WorkspaceID)
	if err != nil {
		return err
	}
	if budget > 0 {
		if err := s.tellBudget(tx, w, budget, *after.budget.used, *after.budget.whole); err != nil {
			return err
		}
	}
	if limit == 0 || !capsBind(w) {
		return nil
	}
	return s.tellLimit(tx, w, payer.UserID, limit, *after.limit.used, *after.limit.whole)
}

// tellBudget tells those who run a workspace, and its organization, how far its
// budget is used. Nothing runs in an archived one.
func (s *Service) tellBudget(tx *models.Tx, w *org.Workspace, level int, spent, allocated models.Credits) error {
	if w.Archived() {
		return nil
	}
	run, lead, err := org.Stewards(tx, w)
	if err != nil {
		return err
	}
	left := max(allocated-spent, 0)
	news := notice.News{
		Kind: alertKind(level), Needs: notice.Teacher, OrganizationID: &w.OrganizationID, WorkspaceID: &w.ID, SubjectID: &w.ID,
		Facts: notice.Facts{Workspace: w.Name, Level: level, Amount: &allocated, Left: &left}, Key: tx.NewID().String(),
	}
	if err := s.Orgs.Notices.Tell(tx, news, run...); err != nil {
		return err
	}
	news.Needs = notice.Admin // who leads the organization and is a plain member here
	return s.Orgs.Notices.Tell(tx, news, lead...)
}

// tellLimit tells a member how much of their own limit is used.
func (s *Service) tellLimit(tx *models.Tx, w *org.Workspace, userID models.ID, level int, spent, limit models.Credits) error {
	left := max(limit-spent, 0)
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.LimitLow, Needs: notice.Member, OrganizationID: &w.OrganizationID, WorkspaceID: &w.ID, SubjectID: &w.ID,
		Facts: notice.Facts{Workspace: w.Name, Level: level, Amount: &limit, Left: &left}, Key: tx.NewID().String(),
	}, userID)
}

// alertKind is the kind of what tells a level: half of something is news of its
// own, which one may want by mail or not.
func alertKind(level int) notice.Kind {
	if level < nearEnd {
		return notice.BudgetHalf
	}
	return notice.BudgetAlert
}

// Level is how much of what the pool held when credits last came in is gone.
func (p *OrganizationPool) Level() int { return Level(p.Filled-p.Balance, p.Filled) }

// changePool stores what a locked pool holds after a change. Credits that came in
// from outside fill it again; what workspaces give back does so as far as it is
// more than the pool was filled with. Owner and admins are told how much is gone.
func (s *Service) changePool(tx *models.Tx, pool *OrganizationPool, balance models.Credits, cameIn bool) error {
	before := pool.Level()
	pool.Balance = balance
	if cameIn || balance > pool.Filled {
		pool.Filled = balance
	}
	err := tx.Exec(`UPDATE organization_pools SET balance = ?, filled = ? WHERE organization_id = ?`, pool.Balance, pool.Filled, pool.OrganizationID).Error
	level := higher(before, pool.Level())
	if err != nil || level == 0 {
		return err
	}
	name, to, err := org.Leaders(tx, pool.OrganizationID, maxAlerted)
	if err != nil {
		return err
	}
	filled := pool.Filled
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: alertKind(level), Needs: notice.Admin, OrganizationID: &pool.OrganizationID, SubjectID: &pool.OrganizationID,
		Facts: notice.Facts{Organization: name, Level: level, Amount: &filled, Left: &balance}, Key: tx.NewID().String(),
	}, to...)
}

// maxAlerted is how many people an alert is told to.
const maxAlerted = 100
