package library

import (
	"context"
	"io"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// Add adds the picture at an address to an element, as AddFile adds one that is sent. A picture of a
// face that is an upload of the caller loses its public address, unless it is kept.
func (s Images) Add(ctx context.Context, id models.ID, in AddImageInput) (*Image, error) {
	return s.library.addImage(ctx, id, in, func(kind Kind) (*broughtImage, error) { return s.library.bringFrom(ctx, kind, in) })
}

// AddFile adds a picture to an element. Refusals:
// unsupported_media_type for what is no image, payload_too_large beyond 100 MiB,
// limit_reached beyond 30 pictures, validation_error beyond 64 megapixels, and for a
// picture of a face that does not show exactly one.
func (s Images) AddFile(ctx context.Context, id models.ID, file io.Reader, in AddImageInput) (*Image, error) {
	return s.library.addImage(ctx, id, in, func(kind Kind) (*broughtImage, error) {
		arrived, err := s.library.Media.Arrive(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.library.bring(ctx, kind, arrived, "file", in)
	})
}

// Keep is AddFile for what has arrived already.
func (s Images) Keep(ctx context.Context, id models.ID, arrived *media.Incoming, in AddImageInput) (*Image, error) {
	return s.library.addImage(ctx, id, in, func(kind Kind) (*broughtImage, error) { return s.library.bring(ctx, kind, arrived, "file", in) })
}

// MayAdd refuses, before anything is sent, who may not add pictures to an
// element of a kind.
func (s Images) MayAdd(ctx context.Context, kind Kind, id models.ID) error {
	e, r, err := s.library.Elements().Reach(ctx, id)
	if err != nil {
		return err
	}
	if e.Kind != kind {
		return errNoElement
	}
	if err := mayEdit(e, r); err != nil {
		return err
	}
	return roomForImage(e.ImageCount)
}

func roomForImage(count int) error {
	if count >= MaxElementImages {
		return models.Err(models.CodeLimitReached, "An element has at most %d pictures: delete some first", MaxElementImages)
	}
	return nil
}

func (s *Service) addImage(ctx context.Context, id models.ID, in AddImageInput, bring func(Kind) (*broughtImage, error)) (*Image, error) {
	if in.Role != nil {
		if err := in.Role.check(); err != nil {
			return nil, err
		}
	}
	caption, err := Text("caption", in.Caption, maxCaption)
	if err != nil {
		return nil, err
	}
	e, r, err := s.Elements().Reach(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := mayEdit(e, r); err != nil {
		return nil, err
	}
	if err := onlyOfFaces(e.Kind, in); err != nil {
		return nil, err
	}
	if err := roomForImage(e.ImageCount); err != nil {
		return nil, err
	}
	brought, err := bring(e.Kind)
	if err != nil {
		return nil, err
	}
	defer brought.Close()
	var image *Image
	err = s.Media.WithContent(ctx, []*media.Incoming{brought.Incoming}, func(tx *models.Tx) error {
		e, r, err := s.lockElement(tx, id)
		if err != nil {
			return err
		}
		if err := mayEdit(e, r); err != nil {
			return err
		}
		images, err := ImagesOf(tx.DB, e.ID)
		if err != nil {
			return err
		}
		if err := roomForImage(len(images)); err != nil {
			return err
		}
		image = &Image{Role: Reference, Caption: caption, IsPrimary: len(images) == 0}
		if in.Role != nil {
			image.Role = *in.Role
		}
		keep := in.KeepUpload != nil && *in.KeepUpload
		if err := s.keepBrought(tx, r, e, image, brought, keep); err != nil {
			return err
		}
		if err := picturesChanged(tx, e); err != nil {
			return err
		}
		if err := s.touched(tx, e.ID); err != nil {
			return err
		}
		return auditElement(tx, e, "updated", models.Fields{"images": {}})
	})
	return image, err
}

// addBrought adds the pictures of an element that was just made.
func (s *Service) addBrought(tx *models.Tx, r *space.Viewer, e *Element, brought []*broughtImage) error {
	for i, b := range brought {
		if err := s.keepBrought(tx, r, e, &Image{Role: Reference, IsPrimary: i == 0}, b, false); err != nil {
			return err
		}
	}
	if len(brought) == 0 {
		return nil
	}
	return picturesChanged(tx, e)
}

// keepBrought keeps what has arrived as a private file and writes the picture's
// row. An own upload that shows a person ends, unless it is kept. What depicts a person
// waits where an admin's word was needed; see wait.
func (s *Service) keepBrought(tx *models.Tx, r *space.Viewer, e *Element, image *Image, b *broughtImage, keepUpload bool) error {
	file, err := s.Media.KeepPrivate(tx, e.OwnerID, e.WorkspaceID, b.Incoming)
	if err != nil {
		return err
	}
	image.ID, image.ElementID, image.FileID, image.CreatedAt = tx.NewID(), e.ID, file.ID, tx.Now
	image.Palette = append(models.Strings{}, b.palette...)
	if image.AwaitsConsent, err = s.wait(tx, r, e); err != nil {
		return err
	}
	if err := tx.Create(image).Error; err != nil {
		return err
	}
	s.signed(image, file)
	if (e.DepictsPerson || e.Kind == Face || e.FaceID != nil) && b.of != nil && !keepUpload {
		return s.Media.EndUpload(tx, tx.Actor.UserID, b.of)
	}
	return nil
}

// ImagesOf are the rows of an element's pictures, the oldest first.
func ImagesOf(q *gorm.DB, elementID models.ID) (rows []*Image, err error) {
	err = q.Where("element_id = ?", elementID).Order("id").Find(&rows).Error
	return rows, err
}

// picturesChanged makes an element what its pictures say, which were added or
// removed: its palette, and that it is ready once the first came.
func picturesChanged(tx *models.Tx, e *Element) error {
	images, err := ImagesOf(tx.DB, e.ID)
	if err != nil {
		return err
	}
	palettes := make([][]string, len(images))
	for i, image := range images {
		palettes[i] = image.Palette
	}
	e.Palette, e.UpdatedAt = joinedPalette(palettes...), tx.Now
	if e.Status == Failed && len(images) > 0 {
		e.Status = Ready
	}
	return tx.Model(e).Select("palette", "status", "updated_at").Updates(e).Error
}

// imageRoles are what pictures can show.
var imageRoles = map[ImageRole]bool{
	Reference: true, Portrait: true, Front: true, Side: true, Back: true, Sheet: true, Expression: true, Variation: true,
}

func (r ImageRole) check() error {
	if !imageRoles[r] {
		return models.Invalid("role", "must be reference, portrait, front, side, back, sheet, expression or variation")
	}
	return nil
}

// Update changes what is said of a picture, or makes it the primary one.
func (s Images) Update(ctx context.Context, id, imageID models.ID, in UpdateImageInput) (image *Image, err error) {
	if in.IsPrimary != nil && !*in.IsPrimary {
		return nil, models.Invalid("isPrimary", "can only be true: make another picture the primary one")
	}
	err = s.library.changeImage(ctx, id, imageID, func(tx *models.Tx, e *Element, found *Image) error {
		image = found
		err := Change("role", in.Role, &image.Role, func(_ string, r ImageRole) (ImageRole, error) { return r, r.check() })
		if err != nil {
			return err
		}
		if err := Change("caption", in.Caption, &image.Caption, Bounded(maxCaption)); err != nil {
			return err
		}
		if in.IsPrimary != nil && !image.IsPrimary {
			if err := tx.Model(&Image{}).Where("element_id = ? AND is_primary", e.ID).UpdateColumn("is_primary", false).Error; err != nil {
				return err
			}
			image.IsPrimary = true
		}
		if err := tx.Model(image).Select("role", "caption", "is_primary").Updates(image).Error; err != nil {
			return err
		}
		return tx.Model(e).UpdateColumn("updated_at", tx.Now).Error
	})
	if err != nil {
		return nil, err
	}
	return image, s.library.loadFiles(ctx, []*Image{image})
}

// Delete removes a picture at once. When it was the primary one, the
// oldest of the others becomes it.
func (s Images) Delete(ctx context.Context, id, imageID models.ID) error {
	return s.library.changeImage(ctx, id, imageID, func(tx *models.Tx, e *Element, image *Image) error {
		return s.library.removeImages(tx, e, image)
	})
}

// removeImages removes some pictures of an element that is held.
func (s *Service) removeImages(tx *models.Tx, e *Element, images ...*Image) error {
	ids, files := make([]models.ID, len(images)), make([]models.ID, len(images))
	for i, image := range images {
		ids[i], files[i] = image.ID, image.FileID
	}
	if err := tx.Where("id IN ?", ids).Delete(&Image{}).Error; err != nil {
		return err
	}
	err := tx.Exec(`
		UPDATE element_images SET is_primary = true WHERE id = (SELECT id FROM element_images WHERE element_id = @id ORDER BY id LIMIT 1)
			AND NOT EXISTS (SELECT FROM element_images WHERE element_id = @id AND is_primary)`, map[string]any{"id": e.ID}).Error
	if err != nil {
		return err
	}
	if err := picturesChanged(tx, e); err != nil {
		return err
	}
	if err := s.waitingGone(tx, e); err != nil {
		return err
	}
	return s.Media.RemovePrivate(tx, files...)
}

// changeImage holds an element and one of its pictures for a change by who may edit it.
func (s *Service) changeImage(ctx context.Context, id, imageID models.ID, fn func(*models.Tx, *Element, *Image) error) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		e, r, err := s.lockElement(tx, id)
		if err != nil {
			return err
		}
		image, err := models.First[Image](tx.Where("id = ? AND element_id = ?", imageID, e.ID), models.NotFound("Picture"))
		if err != nil {
			return err
		}
		if err := mayEdit(e, r); err != nil {
			return err
		}
		if err := fn(tx, e, image); err != nil {
			return err
		}
		if err := s.touched(tx, e.ID); err != nil {
			return err
		}
		return auditElement(tx, e, "updated", models.Fields{"images": {}})
	})
}
