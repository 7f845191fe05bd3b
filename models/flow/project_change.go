package flow

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
	return s.changeProject(ctx, id, func(tx *models.Tx, space *Reach, p *Project) error {
		if !sent || name == p.Name {
			return nil
		}
		fields := models.Fields{"name": {From: p.Name, To: name}}
		p.Name, p.UpdatedAt = name, tx.Now
		if err := tx.Model(p).Select("name", "updated_at").Updates(p).Error; err != nil {
			return err
		}
		return auditProject(tx, space, p, "project.renamed", fields)
	})
}

// DeleteProject removes an empty project, the default one too; one that holds
// workflows is a validation_error that says how many.
func (s *Service) DeleteProject(ctx context.Context, id models.ID) error {
	_, err := s.changeProject(ctx, id, func(tx *models.Tx, space *Reach, p *Project) error {
		var held int64
		if err := tx.Model(&Workflow{}).Where("project_id = ? AND deleted_at IS NULL", p.ID).Count(&held).Error; err != nil {
			return err
		}
		if held > 0 {
			return models.Err(models.CodeValidation, "The project still holds workflows (%d): move or delete them first", held)
		}
		if err := tell(s.hooks.project, tx, p.ID); err != nil {
			return err
		}
		p.DeletedAt = &tx.Now
		if err := tx.Model(p).Select("deleted_at").Updates(p).Error; err != nil {
			return err
		}
		return auditProject(tx, space, p, "project.deleted", models.Fields{"name": {From: p.Name}})
	})
	return err
}

// changeProject locks a project for a change that the caller may make.
func (s *Service) changeProject(ctx context.Context, id models.ID, change func(*models.Tx, *Reach, *Project) error) (p *Project, err error) {
	if err := requireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var space *Reach
		p, space, err = s.reachProject(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id)
		if err != nil {
			return err
		}
		if p.CreatedBy != tx.Actor.UserID && space.Workspace != nil && !space.isAdmin() {
			return models.InsufficientRole("Only the project's creator and the workspace's admins may change it")
		}
		if err := space.open(false); err != nil {
			return err
		}
		return change(tx, space, p)
	})
	return p, err
}
