package studio

import (
	"context"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// CreateProduction makes a production in the selected space. Refusals: validation_error,
// limit_reached for a full space, not_found for a project of another space,
// workspace_has_no_default_project, and those of a closed space.
func (s *Service) CreateProduction(ctx context.Context, in CreateProductionInput) (*Production, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	p, err := newProduction(in)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		return s.keepProduction(tx, p, in.ProjectID, in.Visibility, func(viewer *space.Viewer) error { return s.checkNames(tx.DB, viewer, nil, p) })
	})
	if err != nil {
		return nil, err
	}
	return s.FindProduction(ctx, p.ID)
}

// keepProduction writes a new production into the selected space; complete fills and checks what
// depends on it.
func (s *Service) keepProduction(tx *models.Tx, p *Production, project *models.ID, wish *space.Visibility, complete func(*space.Viewer) error) error {
	viewer, err := s.Spaces.ForCreate(tx)
	if err != nil {
		return err
	}
	// A project of another space does not exist here, whatever else is wrong.
	if err := space.CheckFolder(tx.DB, viewer, project); err != nil {
		return err
	}
	if err := viewer.CheckOpen(true); err != nil {
		return err
	}
	o, err := viewer.Place(wish)
	if err != nil {
		return err
	}
	folder, err := space.ProjectForCreate(tx, viewer, project)
	if err != nil {
		return err
	}
	if err := complete(viewer); err != nil {
		return err
	}
	p.Placed = placed(o, &folder.ID)
	p.ID, p.CreatedAt, p.UpdatedAt = tx.NewID(), tx.Now, tx.Now
	if err := takeRoom(tx, viewer, &Production{}, "productions", MaxProductions); err != nil {
		return err
	}
	if err := tx.Create(p).Error; err != nil {
		return err
	}
	return audit(tx, p.Placed, productionNoun, p.ID, "created", models.Fields{"visibility": {To: p.Visibility}})
}

// UpdateProduction changes a production. Refusals: insufficient_role, stale_version when
// in.Version is not the current one, not_found for a project of another space.
func (s *Service) UpdateProduction(ctx context.Context, id models.ID, in UpdateProductionInput) (*Production, error) {
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.lockProduction(tx, id)
		if err != nil {
			return err
		}
		if err := p.mayEdit(r); err != nil {
			return err
		}
		before := *p
		if err := p.change(in); err != nil {
			return err
		}
		if p.Visibility != before.Visibility {
			if err := r.MayManageAs(p.Access, productionNoun); err != nil {
				return err
			}
		}
		if in.Version != nil && *in.Version != before.Version {
			return models.Err(models.CodeStale, "The production was changed meanwhile: it is at version %d", before.Version)
		}
		if *p.ProjectID != *before.ProjectID {
			if _, err := space.ProjectForCreate(tx, r, p.ProjectID); err != nil {
				return err
			}
		}
		if err := s.checkNames(tx.DB, r, &before, p); err != nil {
			return err
		}
		return s.saveProduction(tx, &before, p)
	})
	if err != nil {
		return nil, err
	}
	return s.FindProduction(ctx, id)
}

// change takes over what was sent, its form checked.
func (p *Production) change(in UpdateProductionInput) error {
	for _, set := range []func() error{
		func() error { return library.Change("name", in.Name, &p.Name, models.CleanName) },
		func() error {
			return library.Change("description", in.Description, &p.Description, library.Bounded(maxDescription))
		},
		func() error { return library.Change("script", in.Script, &p.Script, library.Bounded(maxScript)) },
		func() error { return library.Change("language", in.Language, &p.Language, cleanLanguage) },
		func() error {
			return library.Change("aspectRatio", in.AspectRatio, &p.AspectRatio, oneOf(aspectRatios))
		},
		func() error { return library.Change("resolution", in.Resolution, &p.Resolution, oneOf(resolutions)) },
		func() error { return library.Change("captions", in.Captions, &p.Captions, oneOf(captionKinds)) },
		func() error {
			return library.Change("seed", in.Seed, &p.Seed, func(_ string, seed int) (int, error) { return library.SeedOf(&seed) })
		},
		func() error { return changePlace(&p.Placed, in.Visibility) },
		func() error {
			var cast []models.ID
			err := library.Change("castIds", in.CastIDs, &cast, func(_ string, ids []models.ID) (_ []models.ID, err error) {
				p.CastIDs, err = cleanCast(ids)
				return ids, err
			})
			return err
		},
		func() error {
			return library.Change("pipelineId", in.PipelineID, &p.PipelineID, func(_ string, id models.ID) (models.ID, error) { return id, nil })
		},
		func() error {
			folder, sent, err := models.Required("projectId", in.ProjectID)
			if sent {
				p.ProjectID = &folder
			}
			return err
		},
		func() (err error) {
			if music, sent := in.Music.ValueOK(); sent {
				p.Music, err = cleanMusic(music)
			}
			return err
		},
	} {
		if err := set(); err != nil {
			return err
		}
	}
	if id, sent := in.PresetID.ValueOK(); sent {
		p.PresetID = id
	}
	if id, sent := in.NarratorVoiceID.ValueOK(); sent {
		p.NarratorVoiceID = id
	}
	return nil
}

// saveProduction writes what changed as the next version.
func (s *Service) saveProduction(tx *models.Tx, before, p *Production) error {
	changed := library.ChangedFields(
		"name", before.Name, p.Name, "description", before.Description, p.Description, "script", before.Script, p.Script,
		"language", before.Language, p.Language, "aspectRatio", before.AspectRatio, p.AspectRatio, "resolution", before.Resolution, p.Resolution,
		"pipelineId", before.PipelineID, p.PipelineID, "presetId", before.PresetID, p.PresetID, "narratorVoiceId", before.NarratorVoiceID, p.NarratorVoiceID,
		"music", before.Music, p.Music, "captions", before.Captions, p.Captions, "seed", before.Seed, p.Seed, "castIds", before.CastIDs, p.CastIDs,
		"projectId", before.ProjectID, p.ProjectID,
	)
	if len(changed) == 0 && before.Visibility == p.Visibility {
		return nil
	}
	p.Version, p.UpdatedAt = p.Version+1, tx.Now
	columns := []string{
		"name", "description", "script", "language", "aspect_ratio", "resolution", "pipeline_id", "preset_id", "narrator_voice_id", "music",
		"captions", "seed", "cast_ids", "project_id", "visibility", "version", "updated_at",
	}
	if err := tx.Model(p).Select(columns).Updates(p).Error; err != nil {
		return err
	}
	if err := auditChange(tx, p.Placed, productionNoun, p.ID, changed, before.Visibility); err != nil {
		return err
	}
	return s.noteChange(tx, p)
}

// DeleteProduction removes a production with its shots and shares: its creator's right, and
// that of admins who may edit members' work. A render under way is cancelled soon; what executions
// made stays with them.
func (s *Service) DeleteProduction(ctx context.Context, id models.ID) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.lockProduction(tx, id)
		if err != nil {
			return err
		}
		if err := r.MayManageAs(p.Access, productionNoun); err != nil {
			return err
		}
		if err := s.removeProductions(tx, p.ID); err != nil {
			return err
		}
		return audit(tx, p.Placed, productionNoun, p.ID, "deleted", models.Fields{"name": {}})
	})
}

// removeProductions takes away productions whose rows are locked.
func (s *Service) removeProductions(tx *models.Tx, ids ...models.ID) error {
	if len(ids) == 0 {
		return nil
	}
	err := tx.Exec(`INSERT INTO render_cancels (execution_id, created_at)
		SELECT execution_id, ? FROM production_renders WHERE production_id IN ? AND ended_at IS NULL ON CONFLICT DO NOTHING`, tx.Now, ids).Error
	if err != nil {
		return err
	}
	if err := s.endShares(tx, "shot_id IN (SELECT id FROM shots WHERE production_id IN ?)", ids); err != nil {
		return err
	}
	return tx.Exec(`DELETE FROM productions WHERE id IN ?`, ids).Error
}
