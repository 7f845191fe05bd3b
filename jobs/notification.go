package jobs

import (
	"context"
	"fmt"

	"atelier/jobs/mail"
	"atelier/models/notice"
)

func (m *Mail) writeNotifications(ctx context.Context, args notice.Letter) (*envelope, error) {
	letter, err := m.Notices.WriteLetter(ctx, args)
	if err != nil || letter == nil {
		return nil, err
	}
	return &envelope{to: letter.Address, letter: notificationLetter(m.PublicURL, letter)}, nil
}

func (m *Mail) endNotifications(ctx context.Context, args notice.Letter, _ string) error {
	return m.Notices.EndLetter(ctx, args)
}

// notificationLetter is the mail that tells what happened. base is PUBLIC_URL.
func notificationLetter(base string, l *notice.Written) mail.Letter {
	letter := mail.Letter{
		Subject:    l.Told[0].Sentence(),
		Paragraphs: []string{"Hello " + l.Name + ","},
		Action:     mail.Action{Text: "See it", URL: base + l.Told[0].Path()},
		Small:      []string{"You choose what comes by mail at " + base + "/account/notifications."},
	}
	if len(l.Told) > 1 {
		letter.Subject = fmt.Sprintf("%d things need your attention", len(l.Told)+l.More)
		letter.Action = mail.Action{Text: "See them all", URL: base + "/notifications"}
	}
	for _, n := range l.Told {
		text := n.Sentence()
		if reason := n.Reason(); reason != "" {
			text += " The reason given: " + reason
		}
		letter.Paragraphs = append(letter.Paragraphs, text)
	}
	if l.More > 0 {
		letter.Paragraphs = append(letter.Paragraphs, fmt.Sprintf("And %d more.", l.More))
	}
	return letter
}
