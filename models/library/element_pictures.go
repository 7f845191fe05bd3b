package library

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/media"
)

// ByElement reads the pictures of elements, the oldest first, with signed
// addresses. It asks nothing about access: the elements came from a use case.
func (s Images) ByElement(ctx context.Context, ids []models.ID) (map[models.ID][]*Image, error) {
	return s.library.images(ctx, s.library.DB.Read(ctx).Where("element_id IN ?", ids))
}

func (s *Service) images(ctx context.Context, q *gorm.DB) (map[models.ID][]*Image, error) {
	var rows []*Image
	if err := q.Model(&Image{}).Order("id").Find(&rows).Error; err != nil {
		return nil, err
	}
	if err := s.loadFiles(ctx, rows); err != nil {
		return nil, err
	}
	byElement := map[models.ID][]*Image{}
	for _, image := range rows {
		if image.File != nil {
			byElement[image.ElementID] = append(byElement[image.ElementID], image)
		}
	}
	return byElement, nil
}

// loadFiles reads the files of pictures and signs their addresses.
func (s *Service) loadFiles(ctx context.Context, images []*Image) error {
	ids := make([]models.ID, len(images))
	for i, image := range images {
		ids[i] = image.FileID
	}
	files, err := s.Media.PrivateFiles(s.DB.Read(ctx), ids...)
	if err != nil {
		return err
	}
	for _, image := range images {
		if file := files[image.FileID]; file != nil {
			s.signed(image, file)
		}
	}
	return nil
}

// signed gives a picture the address at which its file is served for a while.
func (s *Service) signed(image *Image, file *media.File) *Image {
	image.File = file
	image.URL, image.URLExpiresAt = s.Media.SignedURL(file, s.DB.Clock.Now())
	return image
}

// loadPrimary reads the primary pictures of elements: two statements for any number.
func (s *Service) loadPrimary(ctx context.Context, elements ...*Element) error {
	if len(elements) == 0 {
		return nil
	}
	ids := make([]models.ID, len(elements))
	for i, e := range elements {
		ids[i] = e.ID
	}
	primary, err := s.images(ctx, s.DB.Read(ctx).Where("element_id IN ? AND is_primary", ids))
	for _, e := range elements {
		if images := primary[e.ID]; len(images) > 0 {
			e.Primary = images[0]
		}
	}
	return err
}

// setPrimary finds the primary one among the pictures.
func (e *Element) setPrimary() {
	if i := slices.IndexFunc(e.Images, func(image *Image) bool { return image.IsPrimary }); i >= 0 {
		e.Primary = e.Images[i]
	}
}

// PrimaryURL is the signed address of the primary picture; nil without one.
func (e *Element) PrimaryURL() *string {
	if e.Primary == nil {
		return nil
	}
	return &e.Primary.URL
}

// PrimaryExpiry is when that address ends.
func (e *Element) PrimaryExpiry() *time.Time {
	if e.Primary == nil {
		return nil
	}
	return &e.Primary.URLExpiresAt
}
