package graph

import (
	"atelier/models/space"
)

// storageParts are the kinds of what a space keeps.
func storageParts(s *space.Storage, err error) ([]*space.StoragePart, error) {
	if err != nil {
		return nil, err
	}
	return s.Parts(), nil
}
