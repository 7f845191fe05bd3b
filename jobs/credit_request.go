package jobs

import (
	"context"
	"fmt"

	"atelier/jobs/mail"
	"atelier/models/credit"
)

func (m *Mail) writeRequest(ctx context.Context, args credit.RequestMail) (*envelope, error) {
	letter, err := m.Credits.WriteRequestLetter(ctx, args)
	if err != nil || letter == nil {
		return nil, err
	}
	return &envelope{to: letter.Address, letter: requestLetter(m.PublicURL, letter)}, nil
}

// requestLetter is the mail that asks for credits. base is PUBLIC_URL.
func requestLetter(base string, l *credit.RequestLetter) mail.Letter {
	wish := l.RequesterName + " asks for more credits in " + l.WorkspaceName + "."
	if l.Amount != nil {
		wish = fmt.Sprintf("%s asks for %s more credits in %s.", l.RequesterName, l.Amount, l.WorkspaceName)
	}
	return mail.Letter{
		Subject:    "Credits for " + l.WorkspaceName,
		Paragraphs: []string{"Hello " + l.Name + ",", wish, "The reason given: " + l.Reason},
		Action:     mail.Action{Text: "See the budget", URL: base + "/workspaces/" + l.WorkspaceID.String()},
		Small:      []string{"Nothing has changed: credits move only when somebody allocates them, or raises a limit."},
	}
}
