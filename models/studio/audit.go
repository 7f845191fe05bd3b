package studio

import (
	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// audit writes an audit entry for a thing of an organization: ids and the names of fields, and
// none of their values.
func audit(tx *models.Tx, p library.Placed, noun string, id models.ID, what string, fields models.Fields) error {
	if p.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*p.OrganizationID, noun+"."+what, models.Target{Type: noun, ID: id, WorkspaceID: p.WorkspaceID}, fields)
}

// auditChange writes which fields changed, and apart from them who may see the thing.
func auditChange(tx *models.Tx, p library.Placed, noun string, id models.ID, changed []string, before space.Visibility) error {
	if len(changed) > 0 {
		fields := models.Fields{}
		for _, name := range changed {
			fields[name] = models.Change{}
		}
		if err := audit(tx, p, noun, id, "updated", fields); err != nil {
			return err
		}
	}
	if before == p.Visibility {
		return nil
	}
	return audit(tx, p, noun, id, "visibility_changed", models.Fields{"visibility": {From: before, To: p.Visibility}})
}
