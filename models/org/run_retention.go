package org

import (
	"context"
	"time"

	"atelier/models"
)

// MaxRunMonths is the largest number of months that an organization can ask for; models.MinRunMonths is the smallest.
const MaxRunMonths = 120

// organizationsAtOnce is how many organizations are looked at in one statement.
const organizationsAtOnce = 200

// checkRunMonths checks for how many months runs are to be kept; null keeps them as long as the install does.
func checkRunMonths(months models.Opt[int]) error {
	if n := months.Value(); n != nil && (*n < models.MinRunMonths || *n > MaxRunMonths) {
		return models.Invalid("keepRunsMonths", "must be a whole number from %d to %d, or null", models.MinRunMonths, MaxRunMonths)
	}
	return nil
}

// keepRuns changes for how many months runs are kept, and notes the change. Only the owner may: what is erased does not come
// back.
func keepRuns(o *Organization, months models.Opt[int], changes models.Fields) error {
	n, sent := months.ValueOK()
	if !sent || models.Deref(n) == models.Deref(o.KeepRunsMonths) {
		return nil
	}
	if err := o.Authorize(DeleteOrganization); err != nil {
		return err
	}
	changes["settings.keep_runs_months"] = models.Change{From: o.KeepRunsMonths, To: n}
	o.KeepRunsMonths = n
	return nil
}

// beforeAll is a time before any run.
var beforeAll = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// UnkeptRuns are the runs of an organization that it keeps no longer.
type UnkeptRuns struct {
	OrganizationID models.ID
	// After is before when they have been erased already; Before is before when the others began.
	After, Before time.Time
	// Done is whether none is left; the one who erases them says it.
	Done bool
}

// EraseRuns calls erase for the organizations that have runs which they keep no longer, some at a time. What erase says is
// done is noted in the audit log, and left alone until its next month is due.
func EraseRuns(ctx context.Context, db *models.DB, erase func([]*UnkeptRuns) error) error {
	now := db.Clock.Now()
	for last := (models.ID{}); ; {
		var some []Organization
		err := db.Read(ctx).Select("id", "keep_runs_months", "runs_erased_before").
			Where("keep_runs_months IS NOT NULL AND id > ?", last).Order("id").Limit(organizationsAtOnce).Find(&some).Error
		if err != nil || len(some) == 0 {
			return err
		}
		last = some[len(some)-1].ID
		var due []*UnkeptRuns
		for _, o := range some {
			u := &UnkeptRuns{OrganizationID: o.ID, After: beforeAll, Before: models.FirstKept(now, *o.KeepRunsMonths)}
			if o.RunsErasedBefore != nil {
				u.After = *o.RunsErasedBefore
			}
			if u.After.Before(u.Before) {
				due = append(due, u)
			}
		}
		if len(due) == 0 {
			continue
		}
		if err := erase(due); err != nil {
			return err
		}
		for _, u := range due {
			if err := u.note(ctx, db); err != nil {
				return err
			}
		}
	}
}

// note writes that an organization's runs are erased, where they are.
func (u *UnkeptRuns) note(ctx context.Context, db *models.DB) error {
	if !u.Done {
		return nil
	}
	return db.Write(ctx, func(tx *models.Tx) error {
		if err := tx.Model(&Organization{}).Where("id = ?", u.OrganizationID).UpdateColumn("runs_erased_before", u.Before).Error; err != nil {
			return err
		}
		return tx.Audit(u.OrganizationID, "run.expired", models.Target{Type: "organization", ID: u.OrganizationID}, models.Fields{"before": {To: u.Before}})
	})
}
