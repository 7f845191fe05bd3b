package mail

import (
	"context"

	"atelier/models/notice"
	"atelier/web/locale"
)

// NotificationLetter is the mail that tells what happened. base is PUBLIC_URL.
func NotificationLetter(ctx context.Context, base string, l *notice.Written) Letter {
	ctx = to(ctx, l.Reader)
	letter := Letter{
		Language:   locale.Of(ctx),
		Subject:    l.Told[0].Say(ctx),
		Paragraphs: []string{hello(ctx, l.Name)},
		Action:     Action{t(ctx, "See it"), base + l.Told[0].Path()},
		Small:      []string{t(ctx, "You choose what comes by mail at %s.", base+"/account/notifications")},
	}
	if len(l.Told) > 1 {
		letter.Subject = t(ctx, "%d things need your attention", len(l.Told)+l.More)
		letter.Action = Action{t(ctx, "See them all"), base + "/notifications"}
	}
	for _, n := range l.Told {
		text := n.Say(ctx)
		if reason := n.Reason(); reason != "" {
			text += " " + t(ctx, "The reason given: %s", reason)
		}
		letter.Paragraphs = append(append(letter.Paragraphs, text), n.Lines(ctx)...)
	}
	if l.More > 0 {
		letter.Paragraphs = append(letter.Paragraphs, tn(ctx, "And 1 more.", "And %d more.", l.More))
	}
	return letter
}
