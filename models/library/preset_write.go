package library

import (
	"context"
	"strconv"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// Create keeps settings in the selected space. Refusals: validation_error,
// locked_field for destinations and credentials, limit_reached, not_found for a
// project of another space, and those of a closed space.
func (s Presets) Create(ctx context.Context, in CreatePresetInput) (*Preset, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	p, err := s.library.newPreset("", in)
	if err == nil {
		err = s.library.checkPicture(s.library.DB.Read(ctx), "imageUrl", nil, p.ImageURL)
	}
	if err != nil {
		return nil, err
	}
	return p, s.library.keepPresets(ctx, []*Preset{p}, []*space.Visibility{in.Visibility})
}

// Import keeps 1 to MaxImported presets, all of them or none.
func (s Presets) Import(ctx context.Context, in []*CreatePresetInput) ([]*Preset, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	if len(in) == 0 || len(in) > MaxImported {
		return nil, models.Invalid("presets", "must be 1 to %d", MaxImported)
	}
	made, wishes := make([]*Preset, len(in)), make([]*space.Visibility, len(in))
	for i, one := range in {
		at := "presets[" + strconv.Itoa(i) + "]."
		p, err := s.library.newPreset(at, *one)
		if err == nil {
			err = s.library.checkPicture(s.library.DB.Read(ctx), at+"imageUrl", nil, p.ImageURL)
		}
		if err != nil {
			return nil, err
		}
		made[i], wishes[i] = p, one.Visibility
	}
	return made, s.library.keepPresets(ctx, made, wishes)
}

// checkPicture refuses the address of a picture that was not there before and is one of this
// install at which nothing lies.
func (s *Service) checkPicture(q *gorm.DB, field string, before, now *string) error {
	if now == nil || before != nil && *before == *now {
		return nil
	}
	return s.Media.CheckThere(q, field, *now)
}

// Duplicate makes an own copy in the selected space.
func (s Presets) Duplicate(ctx context.Context, id models.ID) (*Preset, error) {
	p, err := s.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	copied := &Preset{NodeType: p.NodeType, Name: CopyName(p.Name), Description: p.Description, Settings: p.Settings, Tags: p.Tags, ImageURL: p.ImageURL, Version: 1}
	return copied, s.library.keepPresets(ctx, []*Preset{copied}, []*space.Visibility{nil})
}

// CopyName is the name of a copy, within the length of names.
func CopyName(name string) string {
	const suffix, most = " (copy)", 100
	if runes := []rune(name); len(runes)+len(suffix) > most {
		name = string(runes[:most-len(suffix)])
	}
	return name + suffix
}

// keepPresets writes new presets into the selected space in one transaction.
func (s *Service) keepPresets(ctx context.Context, made []*Preset, wishes []*space.Visibility) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		viewer, err := s.Spaces.ForCreate(tx)
		if err != nil {
			return err
		}
		projects := map[models.ID]bool{}
		for _, p := range made { // a project of another space does not exist here, whatever else is wrong
			if p.ProjectID == nil || projects[*p.ProjectID] {
				continue
			}
			if err := space.CheckFolder(tx.DB, viewer, p.ProjectID); err != nil {
				return err
			}
			projects[*p.ProjectID] = true
		}
		if err := viewer.CheckOpen(true); err != nil {
			return err
		}
		if err := presetsFit(tx, viewer, len(made)); err != nil {
			return err
		}
		for i, p := range made {
			o, err := viewer.Place(wishes[i])
			if err != nil {
				return err
			}
			p.ID, p.OwnerID, p.WorkspaceID, p.OrganizationID, p.Visibility = tx.NewID(), o.OwnerID, o.WorkspaceID, o.OrganizationID, o.Visibility
			p.CreatedAt, p.UpdatedAt = tx.Now, tx.Now
		}
		if err := tx.Create(made).Error; err != nil {
			return err
		}
		for _, p := range made {
			if err := s.fillPreset(viewer, p); err != nil {
				return err
			}
			if err := auditPreset(tx, p, "preset.created", "name", "settings"); err != nil {
				return err
			}
		}
		return nil
	})
}

// presetsFit refuses more presets than a space holds; anyone who adds some waits for
// others who do.
func presetsFit(tx *models.Tx, viewer *space.Viewer, more int) error {
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "presets:"+viewer.Key()).Error; err != nil {
		return err
	}
	q := tx.Model(&Preset{}).Where("workspace_id IS NULL AND owner_id = ?", viewer.UserID)
	if viewer.Workspace != nil {
		q = tx.Model(&Preset{}).Where("workspace_id = ?", viewer.Workspace.ID)
	}
	var held int64
	if err := q.Count(&held).Error; err != nil {
		return err
	}
	if int(held)+more > MaxPresets {
		return models.Err(models.CodeLimitReached, "A space holds at most %d presets; delete some first", MaxPresets)
	}
	return nil
}

// Update changes a preset. Refusals: forbidden for one of the program,
// insufficient_role, stale_version when in.Version is not the current one.
func (s Presets) Update(ctx context.Context, id models.ID, in UpdatePresetInput) (*Preset, error) {
	var p *Preset
	err := s.library.changePreset(ctx, id, func(tx *models.Tx, r *space.Viewer, found *Preset) error {
		p = found
		before := *p
		if err := r.MayEditAs(p.Access, presetNoun); err != nil {
			return err
		}
		if err := s.library.readPresetChange(tx, r, p, in); err != nil {
			return err
		}
		if p.Visibility != before.Visibility {
			if err := r.MayManageAs(p.Access, presetNoun); err != nil {
				return err
			}
		}
		if in.Version != nil && *in.Version != p.Version {
			return models.Err(models.CodeStale, "The preset was changed meanwhile: it is at version %d", p.Version)
		}
		if err := s.library.checkPicture(tx.DB, "imageUrl", before.ImageURL, p.ImageURL); err != nil {
			return err
		}
		return s.library.savePreset(tx, r, &before, p)
	})
	return p, err
}

// readPresetChange lays an update over a preset, its form checked.
func (s *Service) readPresetChange(tx *models.Tx, r *space.Viewer, p *Preset, in UpdatePresetInput) error {
	if name, ok, err := models.Required("name", in.Name); err != nil {
		return err
	} else if ok {
		if p.Name, err = models.CleanName("name", name); err != nil {
			return err
		}
	}
	if settings, sent := in.Settings.ValueOK(); sent {
		kind, err := s.presetType("nodeType", p.NodeType)
		if err != nil {
			return err
		}
		if p.Settings, err = CleanSettings(kind, "settings", settings); err != nil {
			return err
		}
	}
	if text, ok, err := models.Required("description", in.Description); err != nil {
		return err
	} else if ok {
		if p.Description, err = models.CleanText("description", text, maxPresetText); err != nil {
			return err
		}
	}
	if tags, ok, err := models.Required("tags", in.Tags); err != nil {
		return err
	} else if ok {
		if p.Tags, err = CleanTags(tags); err != nil {
			return err
		}
	}
	if address, sent := in.ImageURL.ValueOK(); sent {
		kept, err := CleanAddress("imageUrl", address)
		if err != nil {
			return err
		}
		p.ImageURL = kept
	}
	if v, ok, err := models.Required("visibility", in.Visibility); err != nil {
		return err
	} else if ok {
		p.Visibility = v
		if err := p.owned().CheckVisibility(); err != nil {
			return err
		}
	}
	if project, sent := in.ProjectID.ValueOK(); sent {
		if err := space.CheckFolder(tx.DB, r, project); err != nil {
			return err
		}
		p.ProjectID = project
	}
	return nil
}

// savePreset writes what changed as the next version.
func (s *Service) savePreset(tx *models.Tx, r *space.Viewer, before, p *Preset) error {
	changed := ChangedFields(
		"name", before.Name, p.Name, "settings", before.Settings, p.Settings, "description", before.Description, p.Description, "tags", before.Tags, p.Tags,
		"imageUrl", before.ImageURL, p.ImageURL, "projectId", before.ProjectID, p.ProjectID,
	)
	shared := before.Visibility != p.Visibility
	if len(changed) > 0 || shared {
		p.Version, p.UpdatedAt = p.Version+1, tx.Now
		columns := []string{"name", "settings", "description", "tags", "image_url", "visibility", "project_id", "version", "updated_at"}
		if err := tx.Model(p).Select(columns).Updates(p).Error; err != nil {
			return err
		}
		if err := s.touched(tx, p.ID); err != nil {
			return err
		}
	}
	if len(changed) > 0 {
		if err := auditPreset(tx, p, "preset.updated", changed...); err != nil {
			return err
		}
	}
	if shared {
		if err := auditPreset(tx, p, "preset.visibility_changed", "visibility"); err != nil {
			return err
		}
	}
	return s.fillPreset(r, p)
}

// Delete removes a preset: its creator's right, and that of admins who may
// edit members' work. What names it keeps the id, and its next run is refused.
func (s Presets) Delete(ctx context.Context, id models.ID) error {
	return s.library.changePreset(ctx, id, func(tx *models.Tx, r *space.Viewer, p *Preset) error {
		if err := r.MayManageAs(p.Access, presetNoun); err != nil {
			return err
		}
		if err := tx.Delete(p).Error; err != nil {
			return err
		}
		if err := s.library.touched(tx, p.ID); err != nil {
			return err
		}
		return auditPreset(tx, p, "preset.deleted", "name")
	})
}

// changePreset locks a preset that the caller can reach.
func (s *Service) changePreset(ctx context.Context, id models.ID, change func(*models.Tx, *space.Viewer, *Preset) error) error {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return err
	}
	if _, ok := factoryByID[id]; ok {
		return models.Err(models.CodeForbidden, "A preset of the program cannot be changed; duplicate it")
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.Presets().Reach(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id)
		if err != nil {
			return err
		}
		if err := space.Hold(tx, p.owned()); err != nil {
			return err
		}
		return change(tx, r, p)
	})
}

// auditPreset writes an audit entry for a preset of an organization: which
// fields, and none of their values.
func auditPreset(tx *models.Tx, p *Preset, action string, changed ...string) error {
	if p.WorkspaceID == nil {
		return nil
	}
	fields := models.Fields{}
	for _, name := range changed {
		fields[name] = models.Change{}
	}
	return tx.Audit(*p.OrganizationID, action, models.Target{Type: presetNoun, ID: p.ID, WorkspaceID: p.WorkspaceID}, fields)
}

// ChangedFields are the names of a row of names with two values each that differ.
func ChangedFields(pairs ...any) []string {
	var changed []string
	for i := 0; i < len(pairs); i += 3 {
		if !nodegraph.SameJSON(pairs[i+1], pairs[i+2]) {
			changed = append(changed, pairs[i].(string))
		}
	}
	return changed
}
