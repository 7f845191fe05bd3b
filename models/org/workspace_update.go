package org

import (
	"context"

	"atelier/models"
)

// Update changes name, description and settings (workspace admins);
// workspace_archived in an archived workspace, stale_version when it changed
// since in.UnchangedSince. A description of null empties it.
func (s Workspaces) Update(ctx context.Context, id models.ID, in UpdateWorkspaceInput) (*Workspace, error) {
	name, rename, err := cleanNewName(in.Name)
	if err != nil {
		return nil, err
	}
	description, describe, err := cleanNewDescription(in.Description)
	if err != nil {
		return nil, err
	}
	if _, _, err := mergeSettings(settingKeys, nil, in.Settings); err != nil {
		return nil, err
	}
	return s.org.changeWorkspace(ctx, id, "workspace.updated", func(w *Workspace, _ *models.Tx) (models.Fields, error) {
		if err := w.Authorize(UpdateWorkspace); err != nil {
			return nil, err
		}
		if err := w.CheckNotArchived(false); err != nil {
			return nil, err
		}
		if err := checkUnchanged(w.UpdatedAt, in.UnchangedSince); err != nil {
			return nil, err
		}
		settings, changes, err := mergeSettings(settingKeys, w.Settings, in.Settings)
		if err != nil {
			return nil, err
		}
		if rename && name != w.Name {
			changes["name"] = models.Change{From: w.Name, To: name}
			w.Name = name
		}
		if describe && description != w.Description {
			changes["description"] = models.Change{From: w.Description, To: description}
			w.Description = description
		}
		w.Settings = settings
		return changes, nil
	})
}

// changeWorkspace locks a workspace, lets change authorize and alter it, and
// stores it with an audit entry when anything differs.
func (s *Service) changeWorkspace(ctx context.Context, id models.ID, action string, change func(*Workspace, *models.Tx) (models.Fields, error)) (w *Workspace, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if w, err = s.lockWorkspace(tx, id); err != nil {
			return err
		}
		changes, err := change(w, tx)
		if err != nil || len(changes) == 0 {
			return err
		}
		w.UpdatedAt = tx.Now
		err = tx.Model(&Workspace{}).Where("id = ? AND organization_id = ?", w.ID, w.OrganizationID).
			Select("name", "description", "settings", "archived_at", "updated_at").Updates(w).Error
		if err != nil {
			return err
		}
		tx.Notify("workspace:" + w.ID.String())
		return tx.Audit(w.OrganizationID, action, w.target(), changes)
	})
	return w, err
}

func cleanNewDescription(d models.Opt[string]) (string, bool, error) {
	given, sent := d.ValueOK()
	if !sent || given == nil {
		return "", sent, nil
	}
	clean, err := models.CleanText("description", *given, maxDescription)
	return clean, true, err
}
