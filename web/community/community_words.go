package community

import (
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

var postKinds = []ui.Option{
	{Value: "workflow", Text: "Workflows"}, {Value: "app", Text: "Apps"}, {Value: "preset", Text: "Presets"}, {Value: "character", Text: "Characters"},
	{Value: "creature", Text: "Creatures"}, {Value: "object", Text: "Objects"}, {Value: "location", Text: "Locations"}, {Value: "voice", Text: "Voices"},
	{Value: "pipeline", Text: "Pipelines"},
}

var postCategories = []ui.Option{
	{Value: "language", Text: "Language"}, {Value: "science", Text: "Science"}, {Value: "maths", Text: "Maths"}, {Value: "history", Text: "History"},
	{Value: "art", Text: "Art"}, {Value: "music", Text: "Music"}, {Value: "media", Text: "Media"}, {Value: "storytelling", Text: "Storytelling"},
	{Value: "marketing", Text: "Marketing"}, {Value: "other", Text: "Something else"},
}

// postLicenses say in plain words what others may do.
var postLicenses = []ui.Option{
	{Value: "cc-by", Text: "Copy, with your name", Hint: "CC BY: others may copy and change it, and say that it is from you."},
	{Value: "cc-by-sa", Text: "Copy, and share alike", Hint: "CC BY-SA: as before, and what they make of it must be as free as yours."},
	{Value: "cc0", Text: "Anything goes", Hint: "CC0: others may do with it what they like, without naming you."},
	{Value: "view-only", Text: "Look, do not copy", Hint: "Others see it and cannot copy it."},
}

var reportReasons = []ui.Option{
	{Value: "privacy", Text: "It shows something private", Hint: "A name, a face, an address. It is hidden at once until somebody has decided."},
	{Value: "bullying", Text: "It hurts somebody", Hint: "It mocks, threatens or shames. It is hidden at once until somebody has decided."},
	{Value: "sexual", Text: "It is sexual", Hint: "It is hidden at once until somebody has decided."},
	{Value: "violence", Text: "It shows violence"},
	{Value: "copyright", Text: "It is somebody else’s work"},
	{Value: "spam", Text: "It is advertising, or posted again and again"},
	{Value: "other", Text: "Something else"},
}

// kindWord is what a post shows, in a word: "Workflow".
func kindWord(k query.PostKind) string { return frame.SentenceCase(string(k)) }

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
func licenseWord(license string) string {
	switch license {
	case "cc0":
		return "CC0"
	case "cc-by":
		return "CC BY"
	case "cc-by-sa":
		return "CC BY-SA"
	case "view-only":
		return "to look at"
	}
	return license
}

func authorWord(p query.PostCard) string {
	if p.IsOwn {
		return "you"
	}
	return p.Author.DisplayName
}

func countsLine(p query.PostCard) string {
	return "used by " + ui.Count(p.Uses) + " · " + ui.Plural(p.Likes, "like", "likes")
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
func spaceWord(shell query.Shell, p query.PostCard) string {
	if p.WorkspaceId == nil {
		return "a personal space"
	}
	if m := shell.Me.Memberships; m != nil {
		for _, w := range m.Workspaces {
			if w.Id == *p.WorkspaceId {
				return w.Name
			}
		}
	}
	return frame.A(vocabularyOf(shell, p).Workspace)
}

// audienceWord is who sees a post.
func audienceWord(shell query.Shell, p query.PostCard) string {
	switch p.Audience {
	case query.PostAudienceEveryone:
		return "Everyone"
	case query.PostAudienceOrganization:
		if o := organizationOf(shell, p); o != nil {
			return o.Name
		}
		return "Its organization"
	}
	return frame.SentenceCase(spaceWord(shell, p))
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
