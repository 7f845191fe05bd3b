package community

import (
	"context"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

var postKinds = []ui.Option{
	{Value: "workflow", Text: mark("Workflows")}, {Value: "app", Text: mark("Apps")}, {Value: "preset", Text: mark("Presets")},
	{Value: "character", Text: mark("Characters")}, {Value: "creature", Text: mark("Creatures")}, {Value: "object", Text: mark("Objects")},
	{Value: "location", Text: mark("Locations")}, {Value: "voice", Text: mark("Voices")}, {Value: "pipeline", Text: mark("Pipelines")},
}

var postCategories = []ui.Option{
	{Value: "language", Text: mark("Language")}, {Value: "science", Text: mark("Science")}, {Value: "maths", Text: mark("Maths")},
	{Value: "history", Text: mark("History")}, {Value: "art", Text: mark("Art")}, {Value: "music", Text: mark("Music")},
	{Value: "media", Text: mark("Media")}, {Value: "storytelling", Text: mark("Storytelling")}, {Value: "marketing", Text: mark("Marketing")},
	{Value: "other", Text: mark("Something else")},
}

// postLicenses say in plain words what others may do.
var postLicenses = []ui.Option{
	{Value: "cc-by", Text: mark("Copy, with your name"), Hint: mark("CC BY: others may copy and change it, and say that it is from you.")},
	{Value: "cc-by-sa", Text: mark("Copy, and share alike"), Hint: mark("CC BY-SA: as before, and what they make of it must be as free as yours.")},
	{Value: "cc0", Text: mark("Anything goes"), Hint: mark("CC0: others may do with it what they like, without naming you.")},
	{Value: "view-only", Text: mark("Look, do not copy"), Hint: mark("Others see it and cannot copy it.")},
}

var reportReasons = []ui.Option{
	{Value: "privacy", Text: mark("It shows something private"), Hint: mark("A name, a face, an address. It is hidden at once until someone has decided.")},
	{Value: "bullying", Text: mark("It hurts someone"), Hint: mark("It mocks, threatens or shames. It is hidden at once until someone has decided.")},
	{Value: "sexual", Text: mark("It is sexual"), Hint: mark("It is hidden at once until someone has decided.")},
	{Value: "violence", Text: mark("It shows violence")},
	{Value: "copyright", Text: mark("It is someone else’s work")},
	{Value: "spam", Text: mark("It is advertising, or posted again and again")},
	{Value: "other", Text: mark("Something else")},
}

// kindWord is what a post shows, in a word: "Workflow".
func kindWord(ctx context.Context, k query.PostKind) string {
	if word := kindWords[k]; word != "" {
		return t(ctx, word)
	}
	return frame.SentenceCase(string(k))
}

var kindWords = map[query.PostKind]string{
	query.PostKindWorkflow: mark("Workflow"), query.PostKindApp: mark("App"), query.PostKindPreset: mark("Preset"), query.PostKindVoice: mark("Voice"),
	query.PostKindCharacter: mark("Character"), query.PostKindCreature: mark("Creature"), query.PostKindObject: mark("Object"),
	query.PostKindLocation: mark("Location"), query.PostKindPipeline: mark("Pipeline"),
}

func kindIcon(k query.PostKind) string {
	switch k {
	case query.PostKindWorkflow:
		return "flow"
	case query.PostKindApp:
		return "apps"
	case query.PostKindPreset:
		return "settings"
	case query.PostKindVoice:
		return "audio"
	case query.PostKindPipeline:
		return "video"
	}
	return "image"
}

// licenseWord is the licence as people who know them call it.
func licenseWord(ctx context.Context, license string) string {
	switch license {
	case "cc0":
		return t(ctx, "CC0")
	case "cc-by":
		return t(ctx, "CC BY")
	case "cc-by-sa":
		return t(ctx, "CC BY-SA")
	case "view-only":
		return t(ctx, "to look at")
	}
	return license
}

func authorWord(ctx context.Context, p query.PostCard) string {
	if p.IsOwn {
		return tc(ctx, "by whom", "you")
	}
	return p.Author.DisplayName
}

// byAuthor is whose a post is: "by Ada".
func byAuthor(ctx context.Context, p query.PostCard) string {
	if p.IsOwn {
		return t(ctx, "by you")
	}
	return t(ctx, "by %s", p.Author.DisplayName)
}

// kindBy is what a post shows, and whose it is: "Workflow by Ada".
func kindBy(ctx context.Context, p query.PostCard) string {
	if p.IsOwn {
		return t(ctx, "%s by you", kindWord(ctx, p.Kind))
	}
	return t(ctx, "%s by %s", kindWord(ctx, p.Kind), p.Author.DisplayName)
}

// countsLine is how often a post is used, and who likes it.
func countsLine(ctx context.Context, p query.PostCard) string {
	return t(ctx, "used by %d", p.Uses) + " · " + tn(ctx, "%d like", "%d likes", p.Likes)
}

// organizationOf is the organization of a post, where the person is in it.
func organizationOf(shell query.Shell, p query.PostCard) *query.ViewerOrganization {
	if m := shell.Me.Memberships; m != nil && p.OrganizationId != nil {
		for i := range m.Organizations {
			if m.Organizations[i].Id == *p.OrganizationId {
				return &m.Organizations[i]
			}
		}
	}
	return nil
}

// vocabularyOf are the words of the organization that a post is of.
func vocabularyOf(shell query.Shell, p query.PostCard) frame.Words {
	if o := organizationOf(shell, p); o != nil {
		return o.Vocabulary
	}
	return frame.PlainWords
}

// spaceWord is the workspace that a post is of, by its name where the person is in it.
func spaceWord(ctx context.Context, shell query.Shell, p query.PostCard) string {
	if p.WorkspaceId == nil {
		return t(ctx, "a personal space")
	}
	if m := shell.Me.Memberships; m != nil {
		for _, w := range m.Workspaces {
			if w.Id == *p.WorkspaceId {
				return w.Name
			}
		}
	}
	return t(frame.Saying(ctx, vocabularyOf(shell, p)), "{a workspace}")
}

// audienceWord is who sees a post.
func audienceWord(ctx context.Context, shell query.Shell, p query.PostCard) string {
	switch p.Audience {
	case query.PostAudienceEveryone:
		return t(ctx, "Everyone")
	case query.PostAudienceOrganization:
		if o := organizationOf(shell, p); o != nil {
			return o.Name
		}
		return t(ctx, "Its organization")
	}
	return frame.SentenceCase(spaceWord(ctx, shell, p))
}

// madeOfPost is the page of what a post was made of, and of the copies of it.
func madeOfPost(kind query.PostKind, id string) string {
	switch kind {
	case query.PostKindWorkflow:
		return "/workflows/" + id
	case query.PostKindApp:
		return "/apps/" + id
	case query.PostKindPreset:
		return "/presets/" + id
	case query.PostKindVoice:
		return "/voices/" + id
	case query.PostKindPipeline:
		return "/studio/pipelines/" + id
	}
	return "/library/" + string(kind) + "s/" + id
}
