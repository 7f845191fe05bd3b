package org

import (
	"context"
	"time"

	"atelier/models"
)

// UpdateOrganization changes name and settings; settings are merged key by key
// (owner and admins; contract 3, "Organizations" and "Settings"); stale_version
// when the organization changed since in.UnchangedSince. Only who has a second
// factor can ask others for one: second_factor_setup_required. Only the owner
// chooses for how long runs are kept.
func (s *Service) UpdateOrganization(ctx context.Context, id models.ID, in UpdateOrganizationInput) (o *Organization, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	name, rename, err := cleanNewName(in.Name)
	if err != nil {
		return nil, err
	}
	if _, _, err := mergeSettings(organizationKeys, nil, in.Settings); err != nil {
		return nil, err
	}
	if err := checkRunMonths(in.KeepRunsMonths); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if o, err = lockOrganization(tx, id, forUpdate, UpdateOrganization); err != nil {
			return err
		}
		if err := checkUnchanged(o.UpdatedAt, in.UnchangedSince); err != nil {
			return err
		}
		settings, changes, err := mergeSettings(organizationKeys, o.Settings, in.Settings)
		if err != nil {
			return err
		}
		if rename && name != o.Name {
			changes["name"] = models.Change{From: o.Name, To: name}
			o.Name = name
		}
		if err := requireSecondFactor(tx, o, in.RequireSecondFactor, changes); err != nil {
			return err
		}
		if err := keepRuns(o, in.KeepRunsMonths, changes); err != nil {
			return err
		}
		if len(changes) == 0 {
			return nil
		}
		o.Settings, o.UpdatedAt = settings, tx.Now
		if err := tx.Model(&Organization{}).Where("id = ?", o.ID).Select("name", "settings", "require_second_factor", "keep_runs_months", "updated_at").Updates(o).Error; err != nil {
			return err
		}
		return tx.Audit(o.ID, "organization.updated", o.target(), changes)
	})
	return o, err
}

// checkUnchanged refuses a change that was made for an older row; nil is made
// for any. Faces know times to the millisecond.
func checkUnchanged(now time.Time, since *time.Time) error {
	if since == nil || now.UnixMilli() == since.UnixMilli() {
		return nil
	}
	return models.Err(models.CodeStale, "Someone else changed this in the meantime")
}

// cleanNewName checks the name of an update, which may be absent but not null.
func cleanNewName(name models.Opt[string]) (clean string, sent bool, err error) {
	given, sent, err := models.Required("name", name)
	if err != nil || !sent {
		return "", sent, err
	}
	clean, err = models.CleanName("name", given)
	return clean, true, err
}
