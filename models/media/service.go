// Package media keeps files: what people send, what runs make, and what is fetched from
// elsewhere. Contents lie in a bucket under their SHA-256, their addresses in the database.
package media

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/space"
)

// Service holds the use cases of files; nil where the service has no place for any.
type Service struct {
	*Store
	Accounts *account.Service
	Spaces   *space.Service
}

// ready tells whether there is a place for files.
func (s *Service) ready() bool { return s != nil && s.Store != nil }

// CheckRoomForFile refuses an upload of so many bytes before it is read, when
// the caller has no room for it: limit_reached. Uploads belong to the account.
func (s *Service) CheckRoomForFile(ctx context.Context, size int64) error {
	actor := models.ActorFrom(ctx)
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return err
	}
	kept, err := s.Spaces.StorageOfAccount(ctx, actor.UserID)
	if err != nil || kept.Quota.Files == nil || kept.Files+max(size, 1) <= *kept.Quota.Files {
		return err
	}
	return space.ErrFilesFull(*kept.Quota.Files)
}
