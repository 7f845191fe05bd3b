package models

import (
	"context"

	"gorm.io/gorm"
)

// RemoveInRounds removes what deleted organizations kept, which may be too much for one transaction. gone reads the
// table of an area that names them by organization_id and created_at; the longest deleted come first. removeSome
// removes some rows of one organization, or takes it out of the table where nothing is left, and tells whether it
// found any; it runs in a transaction of its own, at most rounds times for each organization.
func (db *DB) RemoveInRounds(ctx context.Context, gone *gorm.DB, rounds int, removeSome func(tx *Tx, organizationID ID) (found bool, err error)) error {
	var ids []ID
	if err := gone.Order("created_at").Limit(20).Pluck("organization_id", &ids).Error; err != nil {
		return err
	}
	for _, id := range ids {
		found := true
		for i := 0; found && i < rounds; i++ {
			err := db.Write(ctx, func(tx *Tx) (err error) {
				found, err = removeSome(tx, id)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
