package org

import (
	"context"
	"time"

	"atelier/models"
)

// FindBatch is what became of a call so far, in its order, for
// the one who may read its invitations. Links are not kept, so they are not here.
func (s Invitations) FindBatch(ctx context.Context, id models.ID) (*InvitationBatch, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	db := s.org.DB.Read(ctx)
	notFound := models.NotFound("Call")
	batch, err := models.First[InvitationBatch](db.Where("id = ?", id), notFound)
	if err != nil {
		return nil, err
	}
	in, err := s.org.findInviter(db, actor, batch.OrganizationID, nil)
	if models.HasCode(err, models.CodeNotFound) || err == nil && !in.covers(batch.WorkspaceID) {
		err = notFound
	}
	if err != nil {
		return nil, err
	}
	batch.Sends = []*InvitationSend{}
	return batch, db.Where("batch_id = ? AND organization_id = ?", batch.ID, batch.OrganizationID).Order("id").Find(&batch.Sends).Error
}

// ExpiresAt is when the links of the call stop working.
func (b *InvitationBatch) ExpiresAt() time.Time { return b.CreatedAt.Add(InvitationLifetime) }

// Waiting is how many mails of the call have not left yet.
func (b *InvitationBatch) Waiting() int {
	n := 0
	for _, send := range b.Sends {
		if send.Status == SendQueued {
			n++
		}
	}
	return n
}

// Retryable is how many invitations of the call could be sent once more: those
// whose mail did not get through.
func (b *InvitationBatch) Retryable() int {
	emails, _ := b.undelivered()
	return len(emails)
}

func (b *InvitationBatch) undelivered() (emails, names []string) {
	for _, send := range b.Sends {
		if send.Error != nil && (*send.Error == MailRefused || *send.Error == MailUndeliverable) {
			emails, names = append(emails, send.Email), append(names, send.Name)
		}
	}
	return emails, names
}

// Retry invites once more, as a call of its own, the addresses of a
// call whose mail did not get through; without one it is a validation_error.
func (s Invitations) Retry(ctx context.Context, batchID models.ID) (*InvitationBatch, error) {
	batch, err := s.FindBatch(ctx, batchID)
	if err != nil {
		return nil, err
	}
	emails, names := batch.undelivered()
	if len(emails) == 0 {
		return nil, models.Err(models.CodeValidation, "Every mail of this call got through, or is still on its way")
	}
	return s.Create(ctx, batch.OrganizationID, CreateInvitationsInput{
		Emails: emails, Names: names, OrgRole: &batch.OrgRole, WorkspaceID: batch.WorkspaceID, WorkspaceRole: batch.WorkspaceRole,
	})
}

// WatchBatch sends the call now and whenever one of its mails left
// or failed, until none waits, the context ends, or the caller may no longer
// read it.
func (s Invitations) WatchBatch(ctx context.Context, id models.ID) (<-chan *InvitationBatch, error) {
	woken, stop := s.org.DB.Bus.Subscribe(batchTopic(id), models.RightsTopic(models.ActorFrom(ctx).UserID))
	batch, err := s.FindBatch(ctx, id)
	if err != nil {
		stop()
		return nil, err
	}
	frames := make(chan *InvitationBatch, 1)
	frames <- batch
	go func() {
		defer stop()
		defer close(frames)
		again := time.NewTicker(watchAgain)
		defer again.Stop()
		for batch.Waiting() > 0 {
			if batch = s.org.nextBatch(ctx, id, woken, again.C, frames); batch == nil {
				return
			}
		}
	}()
	return frames, nil
}

// nextBatch waits for a wake-up and sends a frame; nil ends the watching.
func (s *Service) nextBatch(ctx context.Context, id models.ID, woken <-chan struct{}, again <-chan time.Time, frames chan<- *InvitationBatch) *InvitationBatch {
	select {
	case <-ctx.Done():
		return nil
	case <-woken:
	case <-again:
	}
	batch, err := s.Invitations().FindBatch(ctx, id)
	if err != nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return nil
	case frames <- batch:
		return batch
	}
}
