package jobs

import (
	"context"

	"atelier/jobs/mail"
	"atelier/models/org"
)

func (m *Mail) writeInvitation(ctx context.Context, args org.InvitationMail) (*envelope, error) {
	letter, err := m.Orgs.Invitations().WriteLetter(ctx, args.SendID)
	if err != nil || letter == nil {
		return nil, err
	}
	return &envelope{to: letter.Address, letter: mail.InvitationLetter(ctx, letter)}, nil
}

// endInvitation shows the inviter what became of the mail.
func (m *Mail) endInvitation(ctx context.Context, args org.InvitationMail, reason string) error {
	return m.Orgs.Invitations().EndSend(ctx, args.SendID, reason)
}
