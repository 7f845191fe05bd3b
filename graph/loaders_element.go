package graph

import (
	"context"

	"atelier/models"
	"atelier/models/library"

	"github.com/vikstrous/dataloadgen"
)

// elementLoaders gather what lists of elements show beside their rows.
type elementLoaders struct {
	images *dataloadgen.Loader[models.ID, []*library.Image]
	// usedBy is how many workflows of its space name an element.
	usedBy *dataloadgen.Loader[models.ID, int]
	voices *dataloadgen.Loader[models.ID, *library.Voice]
}

func newElementLoaders(r *Resolver) elementLoaders {
	images := func(ctx context.Context, ids []models.ID) (map[models.ID][]*library.Image, error) {
		found, err := r.Library.Images().ByElement(ctx, ids)
		return withAll(found, ids), err
	}
	usedBy := func(ctx context.Context, ids []models.ID) (map[models.ID]int, error) {
		found, err := r.Library.Elements().CountWorkflowsNaming(ctx, ids)
		return withAll(found, ids), err
	}
	voices := func(ctx context.Context, ids []models.ID) (map[models.ID]*library.Voice, error) {
		found, err := r.Library.Voices().ByID(ctx, ids)
		return withAll(found, ids), err
	}
	return elementLoaders{images: loader(images), usedBy: loader(usedBy), voices: loader(voices)}
}

// withAll adds nothing for those of which nothing was found, which a loader would
// take for a failure.
func withAll[K comparable, V any](found map[K]V, keys []K) map[K]V {
	all := make(map[K]V, len(keys))
	for _, key := range keys {
		all[key] = found[key]
	}
	return all
}

// imagesOf are the pictures of an element, which one that was read by itself has already.
func (r *Resolver) imagesOf(ctx context.Context, e *library.Element) ([]*library.Image, error) {
	if e.Images != nil || e.ImageCount == 0 {
		return e.Images, nil
	}
	return loadersFrom(ctx).nouns.elements.images.Load(ctx, e.ID)
}
