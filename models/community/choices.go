package community

import (
	"context"
	"slices"
	"strings"

	"atelier/models"
	"atelier/models/space"
)

// PostChoices tells what posting a thing would be: whether it may be posted at all, to whom, and
// where it would wait for a moderator. The functions that refuse a post answer. not_found for a
// thing beyond reach.
func (s *Service) PostChoices(ctx context.Context, kind PostKind, sourceID models.ID) (*PostChoices, error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	if !slices.Contains(PostKinds, kind) {
		return nil, errPostKind
	}
	choices := &PostChoices{Tags: []string{}, Removed: []string{}, Audiences: []*AudienceChoice{}}
	t, err := s.takeSnapshot(ctx, kind, sourceID)
	if err == nil {
		err = t.space.CheckOpen(true)
	}
	if err == nil {
		err = roomForPost(s.DB.Read(ctx), actor.UserID)
	}
	refusal, refused := models.AsError(err)
	if refused && refusal.Code != models.CodeNotFound {
		choices.Refusal = refusalText(refusal)
		return choices, nil
	}
	if err != nil {
		return nil, err
	}
	choices.WorkspaceID = t.owned.WorkspaceID
	choices.Name, choices.Description = t.Name, t.Description
	choices.Tags, choices.Removed = append(choices.Tags, t.Tags...), append(choices.Removed, t.Removed...)
	choices.Audiences, err = s.audiencesIn(ctx, t.space)
	return choices, err
}

// AudiencesOf are the audiences that the author of a post may choose from; empty for others, and for
// who left its workspace.
func (s *Service) AudiencesOf(ctx context.Context, p *Post) ([]*AudienceChoice, error) {
	if !p.IsOwn {
		return []*AudienceChoice{}, nil
	}
	viewer, err := s.Spaces.Of(ctx, p.owned())
	if _, refused := models.AsError(err); refused {
		return []*AudienceChoice{}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.audiencesIn(ctx, viewer)
}

// audiencesIn are the audiences that a space has.
func (s *Service) audiencesIn(ctx context.Context, viewer *space.Viewer) ([]*AudienceChoice, error) {
	choices := []*AudienceChoice{}
	for _, audience := range []Audience{ToWorkspace, ToOrganization, ToEveryone} {
		status, err := s.statusFor(ctx, viewer, audience)
		refusal, refused := models.AsError(err)
		switch {
		case refused && refusal.Code == models.CodeValidation: // the space has no such audience
		case refused:
			choices = append(choices, &AudienceChoice{Audience: audience, Refusal: refusalText(refusal)})
		case err != nil:
			return nil, err
		default:
			choices = append(choices, &AudienceChoice{Audience: audience, Waits: status == PendingReview})
		}
	}
	return choices, nil
}

// refusalText is a refusal as a sentence about the thing.
func refusalText(refusal *models.Error) *string {
	text := refusal.Message
	if what, of := strings.CutPrefix(text, "sourceId names "); of {
		text = "This is " + what
	}
	return &text
}
