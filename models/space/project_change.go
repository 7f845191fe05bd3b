package space

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
)

// UpdateProject renames a project: its creator's and the workspace admins' right.
func (s *Service) UpdateProject(ctx context.Context, id models.ID, in UpdateProjectInput) (*Project, error) {
	name, sent, err := models.Required("name", in.Name)
	if err != nil {
		return nil, err
	}
	if sent {
		if name, err = models.CleanName("name", name); err != nil {
			return nil, err
		}
	}
	return s.changeProject(ctx, id, func(tx *models.Tx, viewer *Viewer, p *Project) error {
		if !sent || name == p.Name {
			return nil
		}
		fields := models.Fields{"name": {From: p.Name, To: name}}
		p.Name, p.UpdatedAt = name, tx.Now
		if err := tx.Model(p).Select("name", "updated_at").Updates(p).Error; err != nil {
			return err
		}
		return auditProject(tx, viewer, p, "project.renamed", fields)
	})
}

// DeleteProject removes an empty project, the default one too; one that still holds
// something is a validation_error that says what (OnProjectDelete).
func (s *Service) DeleteProject(ctx context.Context, id models.ID) error {
	_, err := s.changeProject(ctx, id, func(tx *models.Tx, viewer *Viewer, p *Project) error {
		for _, hook := range s.hooks.projectDeleted {
			if err := hook.Do(tx, p.ID); err != nil {
				return hook.Failed(err)
			}
		}
		p.DeletedAt = &tx.Now
		if err := tx.Model(p).Select("deleted_at").Updates(p).Error; err != nil {
			return err
		}
		return auditProject(tx, viewer, p, "project.deleted", models.Fields{"name": {From: p.Name}})
	})
	return err
}

// changeProject locks a project for a change that the caller may make.
func (s *Service) changeProject(ctx context.Context, id models.ID, change func(*models.Tx, *Viewer, *Project) error) (p *Project, err error) {
	if err := RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var viewer *Viewer
		p, viewer, err = s.ReachProject(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id)
		if err != nil {
			return err
		}
		if p.CreatedBy != tx.Actor.UserID && viewer.Workspace != nil && !viewer.IsAdmin() {
			return models.InsufficientRole("Only the project's creator and the workspace's admins may change it")
		}
		if err := viewer.CheckOpen(false); err != nil {
			return err
		}
		return change(tx, viewer, p)
	})
	return p, err
}
