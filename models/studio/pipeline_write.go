package studio

import (
	"context"
	"encoding/json"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// CreatePipeline keeps a pipeline in the selected space. Refusals: validation_error naming the
// stage's field, limit_reached, not_found for a project of another space, and those of a closed space.
func (s *Service) CreatePipeline(ctx context.Context, in CreatePipelineInput) (*Pipeline, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	p, err := newPipeline(in)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		return s.keepPipeline(tx, p, in.Visibility, func(viewer *space.Viewer) (err error) {
			check := stageCheck{s: s, q: tx.DB, space: viewer}
			p.Stages, err = check.checkStages(*in.Stages)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return p, s.judgePipeline(ctx, p)
}

func newPipeline(in CreatePipelineInput) (p *Pipeline, err error) {
	p = &Pipeline{Version: 1}
	if p.Name, err = models.CleanName("name", in.Name); err != nil {
		return nil, err
	}
	if p.Description, err = library.Text("description", in.Description, maxDescription); err != nil {
		return nil, err
	}
	if in.Stages == nil {
		return nil, models.Invalid("stages", "is required")
	}
	p.ProjectID = in.ProjectID
	return p, nil
}

// keepPipeline writes a new pipeline into the selected space; complete fills what depends on it.
func (s *Service) keepPipeline(tx *models.Tx, p *Pipeline, wish *space.Visibility, complete func(*space.Viewer) error) error {
	viewer, err := s.Spaces.ForCreate(tx)
	if err != nil {
		return err
	}
	// A project of another space does not exist here, whatever else is wrong.
	if err := space.CheckFolder(tx.DB, viewer, p.ProjectID); err != nil {
		return err
	}
	if err := viewer.CheckOpen(true); err != nil {
		return err
	}
	o, err := viewer.Place(wish)
	if err != nil {
		return err
	}
	if err := complete(viewer); err != nil {
		return err
	}
	p.Placed = placed(o, p.ProjectID)
	p.ID, p.CreatedAt, p.UpdatedAt = tx.NewID(), tx.Now, tx.Now
	if err := takeRoom(tx, viewer, &Pipeline{}, "pipelines", MaxPipelines); err != nil {
		return err
	}
	if err := tx.Create(p).Error; err != nil {
		return err
	}
	if err := audit(tx, p.Placed, pipelineNoun, p.ID, "created", models.Fields{"visibility": {To: p.Visibility}}); err != nil {
		return err
	}
	return p.fill(viewer)
}

// placed is where something new lies.
func placed(o space.Owned, project *models.ID) library.Placed {
	return library.Placed{OwnerID: o.OwnerID, WorkspaceID: o.WorkspaceID, OrganizationID: o.OrganizationID, ProjectID: project, Visibility: o.Visibility}
}

// takeRoom makes those who create things of a kind in a space wait for each other, and refuses
// when it holds as many as it may: limit_reached.
func takeRoom(tx *models.Tx, viewer *space.Viewer, of any, noun string, most int) error {
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, noun+":"+viewer.Key()).Error; err != nil {
		return err
	}
	q := tx.Model(of).Where("workspace_id IS NULL AND owner_id = ?", viewer.UserID)
	if viewer.Workspace != nil {
		q = tx.Model(of).Where("workspace_id = ?", viewer.Workspace.ID)
	}
	var held int64
	if err := q.Count(&held).Error; err != nil {
		return err
	}
	if int(held) >= most {
		return models.Err(models.CodeLimitReached, "A space holds at most %d %s; delete some first", most, noun)
	}
	return nil
}

// DuplicatePipeline makes an own copy in the selected space. What a stage names and the copy may
// not, such as a preset of another workspace, stays behind; a component without its workflow is a
// validation_error.
func (s *Service) DuplicatePipeline(ctx context.Context, id models.ID) (*Pipeline, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	var twin *Pipeline
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		p, _, err := s.ReachPipeline(tx.Context(), tx.DB, id)
		if err != nil {
			return err
		}
		twin = &Pipeline{Name: library.CopyName(p.Name), Description: p.Description, Version: 1, Source: p.Source}
		return s.keepPipeline(tx, twin, nil, func(viewer *space.Viewer) (err error) {
			twin.Stages, err = s.stagesFor(tx, viewer, p.Stages)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return twin, s.judgePipeline(ctx, twin)
}

// stagesFor are stages as a copy in a space has them.
func (s *Service) stagesFor(tx *models.Tx, viewer *space.Viewer, stages Stages) (kept Stages, err error) {
	written, err := json.Marshal(stages) // a copy of all that lies in it
	if err != nil {
		return kept, err
	}
	if err := json.Unmarshal(written, &kept); err != nil {
		return kept, err
	}
	for _, name := range StageNames {
		stage := kept.At(name)
		if stage == nil {
			continue
		}
		at := "stages." + string(name) + "."
		if stage.PresetID != nil {
			found, err := s.Library.Presets().In(tx.DB, viewer, *stage.PresetID)
			if err != nil {
				return kept, err
			}
			if found[*stage.PresetID] == nil {
				stage.PresetID = nil
			}
		}
		if stage.WorkflowID != nil {
			found, err := s.Flows.GraphsByID(tx.Context(), *stage.WorkflowID)
			if err != nil {
				return kept, err
			}
			if found[*stage.WorkflowID] == nil {
				return kept, models.Invalid(at+"workflowId", "names no workflow that you may see; the pipeline cannot be copied without it")
			}
		}
	}
	return kept, nil
}

// UpdatePipeline changes a pipeline. Refusals: forbidden for one of the program,
// insufficient_role, stale_version when in.Version is not the current one.
func (s *Service) UpdatePipeline(ctx context.Context, id models.ID, in UpdatePipelineInput) (*Pipeline, error) {
	var p *Pipeline
	err := s.changePipeline(ctx, id, func(tx *models.Tx, r *space.Viewer, found *Pipeline) error {
		p = found
		before := *p
		if err := r.MayEditAs(p.Access, pipelineNoun); err != nil {
			return err
		}
		if err := s.readPipelineChange(tx, r, p, in); err != nil {
			return err
		}
		if p.Visibility != before.Visibility {
			if err := r.MayManageAs(p.Access, pipelineNoun); err != nil {
				return err
			}
		}
		if in.Version != nil && *in.Version != p.Version {
			return models.Err(models.CodeStale, "The pipeline was changed meanwhile: it is at version %d", p.Version)
		}
		return s.savePipeline(tx, r, &before, p)
	})
	if err != nil {
		return nil, err
	}
	return p, s.judgePipeline(ctx, p)
}

// readPipelineChange lays an update over a pipeline, its form checked.
func (s *Service) readPipelineChange(tx *models.Tx, r *space.Viewer, p *Pipeline, in UpdatePipelineInput) error {
	if err := library.Change("name", in.Name, &p.Name, models.CleanName); err != nil {
		return err
	}
	if err := library.Change("description", in.Description, &p.Description, library.Bounded(maxDescription)); err != nil {
		return err
	}
	if stages, sent, err := models.Required("stages", in.Stages); err != nil {
		return err
	} else if sent {
		check := stageCheck{s: s, q: tx.DB, space: r, before: p.Stages}
		if p.Stages, err = check.checkStages(stages); err != nil {
			return err
		}
	}
	if err := changePlace(&p.Placed, in.Visibility); err != nil {
		return err
	}
	if project, sent := in.ProjectID.ValueOK(); sent {
		if err := space.CheckFolder(tx.DB, r, project); err != nil {
			return err
		}
		p.ProjectID = project
	}
	return nil
}

// changePlace takes over who may see something.
func changePlace(p *library.Placed, sent models.Opt[space.Visibility]) error {
	return library.Change("visibility", sent, &p.Visibility, func(_ string, v space.Visibility) (space.Visibility, error) {
		o := p.Owned()
		o.Visibility = v
		return v, o.CheckVisibility()
	})
}

// savePipeline writes what changed as the next version.
func (s *Service) savePipeline(tx *models.Tx, r *space.Viewer, before, p *Pipeline) error {
	changed := library.ChangedFields(
		"name", before.Name, p.Name, "description", before.Description, p.Description, "stages", before.Stages, p.Stages,
		"projectId", before.ProjectID, p.ProjectID,
	)
	if len(changed) == 0 && before.Visibility == p.Visibility {
		return nil
	}
	p.Version, p.UpdatedAt = p.Version+1, tx.Now
	columns := []string{"name", "description", "stages", "visibility", "project_id", "version", "updated_at"}
	if err := tx.Model(p).Select(columns).Updates(p).Error; err != nil {
		return err
	}
	if err := markStale(tx, p.ID); err != nil {
		return err
	}
	if err := auditChange(tx, p.Placed, pipelineNoun, p.ID, changed, before.Visibility); err != nil {
		return err
	}
	return p.fill(r)
}

// DeletePipeline removes a pipeline: its creator's right, and that of admins who may edit
// members' work. What names it keeps the id, and its next render is refused.
func (s *Service) DeletePipeline(ctx context.Context, id models.ID) error {
	return s.changePipeline(ctx, id, func(tx *models.Tx, r *space.Viewer, p *Pipeline) error {
		if err := r.MayManageAs(p.Access, pipelineNoun); err != nil {
			return err
		}
		if err := tx.Exec(`DELETE FROM pipelines WHERE id = ?`, p.ID).Error; err != nil {
			return err
		}
		if err := markStale(tx, p.ID); err != nil {
			return err
		}
		return audit(tx, p.Placed, pipelineNoun, p.ID, "deleted", models.Fields{"name": {}})
	})
}

// changePipeline locks a pipeline that the caller can reach.
func (s *Service) changePipeline(ctx context.Context, id models.ID, change func(*models.Tx, *space.Viewer, *Pipeline) error) error {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return err
	}
	if factoryPipeline(id) != nil {
		return models.Err(models.CodeForbidden, "A pipeline of the program cannot be changed; duplicate it")
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		seen, _, err := s.ReachPipeline(tx.Context(), tx.DB, id)
		if err != nil {
			return err
		}
		if err := space.Hold(tx, seen.Owned()); err != nil {
			return err
		}
		p, r, err := s.ReachPipeline(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id)
		if err != nil {
			return err
		}
		return change(tx, r, p)
	})
}
