package jobs

import (
	"context"

	"atelier/jobs/mail"
	"atelier/models/notice"
)

func (m *Mail) writeNotifications(ctx context.Context, args notice.Letter) (*envelope, error) {
	letter, err := m.Notices.WriteLetter(ctx, args)
	if err != nil || letter == nil {
		return nil, err
	}
	return &envelope{to: letter.Address, letter: mail.NotificationLetter(ctx, m.PublicURL, letter)}, nil
}

func (m *Mail) endNotifications(ctx context.Context, args notice.Letter, _ string) error {
	return m.Notices.EndLetter(ctx, args)
}
