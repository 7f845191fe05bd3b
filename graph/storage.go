package graph

import "atelier/models/flow"

// storageParts are the kinds of what a space keeps.
func storageParts(s *flow.Storage, err error) ([]*flow.StoragePart, error) {
	if err != nil {
		return nil, err
	}
	return s.Parts(), nil
}
