package frame

import (
	"context"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"atelier/web/locale"
)

// The service speaks to programs: it names the fields of its schema, and says workspace, member and admin. Here, and
// nowhere else, that becomes a sentence for people: with a subject, in the words of the organization, with what to do
// next.

// saying is what one refusal says to people. In braces stand words of the place, see placeWords; $1 and so on are parts
// of what the service said. The pattern is compiled when a refusal is looked up first: most processes meet few.
type saying struct {
	said func() pattern
	say  string
}

// pattern is a pattern of messages, with a text that all messages hold which fit it: without the text none is looked
// through letter by letter, for messages of others may be long.
type pattern struct {
	*regexp.Regexp
	holds string
}

func sayings(pairs ...string) (out []saying) {
	for i := 0; i < len(pairs); i += 2 {
		compile := func() pattern { return pattern{regexp.MustCompile(`^` + pairs[i] + `\.?$`), heldBy(pairs[i])} }
		out = append(out, saying{sync.OnceValue(compile), pairs[i+1]})
	}
	return out
}

// heldBy is the longest text that stands in an expression as it is, outside of its groups and choices; "" where none does.
func heldBy(expression string) (longest string) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	among := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		among = parsed.Sub
	}
	for _, one := range among {
		if one.Op == syntax.OpLiteral && one.Flags&syntax.FoldCase == 0 && len(string(one.Rune)) > len(longest) {
			longest = string(one.Rune)
		}
	}
	return longest
}

// refusalSayings are looked through in order; what none fits is made a sentence by its words alone.
var refusalSayings = sayings(
	// Who may.
	`This needs a higher role in the workspace than .*`, "Only {admins} of {here} may do this.",
	`This needs a higher role in the organization than .*`, "Only the owner and admins of {org} may do this.",
	`Only owner and admins of the organization invite here`, "Only the owner and admins of {org} invite people here.",
	`Only owner and admins of the organization, and admins of a workspace for that one, may do this`,
	"Only the owner and admins of {org} may do this, and the {admins} of {a workspace} for that one.",
	`Only owner and admins invite admins of the organization`, "Only the owner and admins of {org} invite further admins.",
	`Only admins may create projects in this workspace`, "Only {admins} make projects in {here}.",
	`Only the project's creator and the workspace's admins may change it`, "Only the person who made the project, and the {admins} of {here}, may change it.",
	`Only the workflow's creator, or an admin who may edit members' work, may do this`,
	"Only the person who made the workflow may do this, or {an admin} who may change the work of {members}.",
	`Only the workflow's creator, admins who may edit members' work, and editors where the settings allow it may share it`,
	"Only the person who made the workflow may share it, or {an admin} who may change the work of {members}.",
	`You are not a member where this workflow lives: you may look at it, but not change or run it`,
	"You do not belong to the {workspace} of this workflow: you may look at it, but neither change nor run it.",
	`You may look at this workflow, but not change or run it`, "You may look at this workflow, but neither change nor run it. The person who shared it with you can let you.",
	`You cannot select this workspace: .*`, "You cannot work in this {workspace}: you do not belong to it, or not any more, or {org} is not active.",
	`The person who started this run is no longer a member of the workspace`, "The person who started this run does not belong to {here} any more.",
	`Your membership is suspended\. An admin of the organization can lift that`, "You are suspended. The owner or an admin of {org} can lift that.",
	`Your organization closed the personal space\. Select a workspace`, "{org} closed the personal space. Choose {a workspace} to work in.",
	`The token may not be used for this workflow`, "This access token may not be used for this workflow.",
	`Your address is not an operator's: .*`, "Only operators of this install may do this.",
	`Only a platform operator may do this`, "Only operators of this install may do this.",
	`Members see their own runs alone`, "{Members} see their own runs alone.",
	`Only admins of the workspace see what everyone made`, "Only {admins} of {here} see what everyone made.",
	`Only the workflow's creator sees its triggers, .*`, "Only the person who made the workflow sees its triggers: anyone who knows their addresses can run it.",
	`Only its creator may move a workflow into the personal space`, "Only the person who made the workflow may move it into the personal space.",
	`Only who started a run may retry it`, "Only the person who started a run may run it again.",
	`Only who made something may share it`, "Only the person who made something may share it.",
	`Only who made it, and admins of the workspace, may take it back`, "Only the person who made it, and the {admins} of {here}, may take it back.",
	`Only who made this \w+, or an admin who may edit members' work, may do this`,
	"Only the person who made this may do that, or {an admin} who may change the work of {members}.",
	`You may look at this \w+, but not change it`, "You may look at this, but not change it.",
	`You may look at this production, but not render it`, "You may look at this production, but not render it.",
	`In a school only admins of the workspace may show a shot to everyone`, "In a school only {admins} may show a shot to everyone.",
	`Only who may edit this .*, or is the person .*, may take it along`, "Only people who may change this, and the person whom it is of, may take it along.",
	`Members of a school keep faces and voices of people in its workspaces, not in the personal space`,
	"In a school, faces and voices of people are kept in {workspaces}, not in the personal space.",
	`In a school, only the workspace's admins may confirm that an adult agreed`, "In a school only {admins} may confirm that an adult agreed.",
	`Only admins of a workspace may confirm the consent for a minor`, "Only {admins} may confirm the consent for a minor.",
	`Only admins of the workspace may change the consent for a minor`, "Only {admins} may change the consent for a minor.",
	`Only the person who is depicted and the workspace's admins may answer for this consent`,
	"Only the person who is shown, and the {admins} of {here}, may answer for this consent.",
	`Only who made this, or an admin of its workspace, may post it`, "Only the person who made this, or {an admin}, may post it.",
	`Members of a school post in its workspaces, not to everyone`, "In a school, {members} post in their {workspaces}, not to everyone.",
	`Only the owner and the admins of a school post to everyone`, "Only the owner and the admins of a school post to everyone.",
	`Only who posted this may change it`, "Only the person who posted this may change it.",
	`Only who posted this, or a moderator, may delete it`, "Only the person who posted this, or a moderator, may delete it.",
	`You no longer belong to the workspace of this post`, "You do not belong to the {workspace} of this post any more.",
	`Only an admin of its workspace or organization decides about a post`,
	"Only {admins} of the {workspace}, and the owner and admins of the organization, decide about a post.",
	`This is an operator's account: .*`, "This is an operator's account. Take its address out of the operators in the configuration first.",
	`A connected app registered this endpoint; you may only delete it`, "A connected app added this endpoint: all that you can do is delete it.",

	// How something stands.
	`The organization is pending: .*`, "{org} waits for the approval of an operator. Until then it is read-only.",
	`The organization is suspended: .*`, "An operator suspended {org}. Everything can be read, and nothing can change.",
	`The organization is (\w+), not (\w+)`, "It is not $2 any more, but $1: another change came first. Open it again to see its state now.",
	`The workspace is archived\..*`, "{here} is archived. The owner or an admin of {org} can bring it back.",
	`Archive every workspace first; 1 are not archived`, "Archive every {workspace} first: one is not archived yet.",
	`Archive every workspace first; (\d+) are not archived`, "Archive every {workspace} first: $1 are not archived yet.",
	`Take back the credits of every workspace first; 1 still hold some`, "Take back the credits first: one {workspace} still has some.",
	`Take back the credits of every workspace first; (\d+) still hold some`, "Take back the credits first: $1 {workspaces} still have some.",
	`The owner cannot leave\. Transfer the ownership first`, "The owner cannot leave. Hand over the ownership first.",
	`Already a member of the workspace`, "This person belongs to {here} already.",
	`This person is not an active member of the organization`, "This person does not belong to {org}, or is suspended there. Invite them first.",
	`The workspace has no default project: .*`, "{here} has no project to put this into: choose one.",
	`The project still holds workflows \(1\): .*`, "The project still holds one workflow: move or delete it first.",
	`The project still holds workflows \((\d+)\): .*`, "The project still holds $1 workflows: move or delete them first.",
	`The workflow was changed meanwhile: it is at version (\d+)`, "The workflow was changed meanwhile; it is at version $1 now. Open it again before you change it.",
	`The (?:execution|job|delivery) has ended already`, "It has ended already.",
	`SERVICE_ENCRYPTION_KEY is not set on this install`, "This install cannot keep secrets yet. Ask its operator to set the key for them.",
	`The address no longer passes the rules; change url first`, "The address does not pass the rules any more: change it first.",
	`The endpoint has no signing secret; rotate the secret first`, "The endpoint has no signing secret: make a new one first.",

	// What starts by itself, and cannot.
	`The account that it runs as has (\d+) schedules already: pause or delete another one`, "The account that it runs as has $1 schedules already: pause or delete another one.",
	`A workflow may have (\d+) triggers on its canvas, and this is one more: remove another one`, "A workflow may have $1 triggers on its canvas, and this is one more: remove another one.",
	`It has no rule yet: add when it runs`, "It has no rule yet: add when it runs.",
	`The rules are not a list: write them again`, "The rules are not a list: write them again.",
	`It has more than (\d+) rules: remove some`, "It has more than $1 rules: remove some.",
	`Rule (\d+) cannot be read: write it again`, "Rule $1 cannot be read: write it again.",

	// Money.
	`The workspace's budget does not cover this run, which may cost 1 credits?`, "{Here} has too few credits left for this run, which may cost 1 credit. Ask {an admin} for more.",
	`The workspace's budget does not cover this run, which may cost ([\d.,]+) credits`, "{Here} has too few credits left for this run, which may cost $1 credits. Ask {an admin} for more.",
	`Your credit limit in this workspace does not cover this run, which may cost 1 credits?`, "Your cap in {here} does not cover this run, which may cost 1 credit. Ask {an admin} for a higher one.",
	`Your credit limit in this workspace does not cover this run, which may cost ([\d.,]+) credits`, "Your cap in {here} does not cover this run, which may cost $1 credits. Ask {an admin} for a higher one.",
	`Your credits do not cover this run, which may cost 1`, "You have too few credits for this run, which may cost 1 credit.",
	`Your credits do not cover this run, which may cost ([\d.,]+)`, "You have too few credits for this run, which may cost $1 credits.",
	`delta takes back more than the workspace has left, which is ([\d.,]+)`, "{Here} has only $1 left to take back.",
	`delta is more than the pool holds, which is ([\d.,]+)`, "The pool holds only $1. Give less, or have credits added to the pool first.",
	`delta must be a number of credits other than 0`, "Say how many credits, and more than 0.",
	`credits is more than is left of the purchase, which is ([\d.,]+)`, "Only $1 of this purchase can be refunded still.",
	`credits must be more than 0`, "The amount must be more than zero.",
	`packId names none of the packs that can be bought here`, "This pack is not offered any more. Choose another.",
	`id is of a purchase whose payment the provider itself confirms`, "The payment provider confirms this payment itself.",
	`id is of a purchase that is not paid: there is nothing to refund`, "This purchase is not paid, so there is nothing to refund.",
	`currentPassword is not your password`, "The old password is wrong.",
	`amount must be more than 0, or left out`, "The amount must be more than 0. Leave it empty to name none.",
	`creditCap must be 0 or more, or null for none`, "The cap must be 0 or more. Leave it empty for none.",
	`creditCap cannot be set: the settings switch caps off`, "Caps are switched off in the settings of {here}.",
	`There is no default cap to give: set one first`, "There is no cap for new members yet. Save one first.",
	`creditCap cannot be set on an organization admin`, "No cap binds the owner or an admin of {org}.",
	`organizationId or userId must be given, and not both`, "Choose who gets the credits: an organization or a person.",
	`This install sends no mail: ask an admin of the workspace in person`, "This install sends no mail: ask {an admin} in person.",

	// People and names.
	`A school needs acceptTerms: true`, "Confirm that you may set this up for the school: tick the box.",
	`The slug (\S+) is taken`, "The short name $1 is taken. Choose another.",
	`slug must be 1 to (\d+) lower-case letters, digits and hyphens`, "The short name may have 1 to $1 lower-case letters, digits and hyphens.",
	`userId or email is needed`, "Name a person, or an address.",
	`userId and email exclude each other: send one`, "Name a person or an address, not both.",
	`userId names yourself: .*`, "Another person has to change what you may do.",
	`userId names the workflow's creator, .*`, "This person made the workflow, and may do everything with it anyway.",
	`userId names the owner, whose membership cannot change`, "The owner cannot be changed. Hand over the ownership first.",
	`userId must name an active admin of the organization`, "Only an admin of {org} who is not suspended can become its owner.",
	`status cannot be suspended for the organization's owner`, "The owner cannot be suspended.",
	`userIds must name 1 to 200 people`, "Choose 1 to 200 people.",
	`emails must hold 1 to (\d+) addresses`, "Write 1 to $1 addresses.",
	`(?:role|workspaceRole|orgRole) must be (?:admin or member|viewer or editor)`, "Choose a role.",
	`workspaceRole needs a workspaceId`, "Choose {a workspace} for this role.",
	`The organization no longer admits addresses of this domain`,
	"The address belongs to no domain that {org} lets in. Add its domain under Settings, Domains, or invite another address.",
	`The organization admits confirmed addresses of its own domains alone`,
	"{org} lets in confirmed addresses of its own domains alone. Use such an address, or ask the person who invited you.",
	`No workspace can be joined with this code\. .*`, "This code does not open anything. Check it, or ask for a new one.",
	`An organization sends at most (\d+) invitations a day \(UTC\)\. Nothing was sent`, "{org} can send $1 invitations a day, and that is used up. Nothing was sent; go on tomorrow.",
	`Every mail of this call got through, or is still on its way`, "Every mail got through, or is still on its way.",
	`workflowIds names \S+, which is no workflow that you may see`, "One of these workflows is gone, or you may not see it.",

	// Forms of values.
	`\S+ must be a UUID.*`, "{Subject} was not recognized. Choose it from the list.",
	`maxRunsPerUserPerDay must be at least 1, or null for no limit`, "The runs a day must be at least 1. Leave the field empty for as many as people like.",
	`closesAt must lie within the next seven days`, "The code can stay open for up to seven days. Choose an earlier time.",
	`action disable needs a join code, and there is none`, "There is no join code that could be switched off.",
	`settings\.(?:allowed_email_domains) must hold domains such as example\.com: "?(.*?)"? is none`, "Write domains such as example.com, separated by commas: “$1” is none.",
	`(?:workflowIds|models|ids|allowedEmbedDomains|actions|searchActions|presentationSettings\.inputItems) must be at most (\d+)`, "{Subject} may have at most $1 entries.",
	`visibility must be private in the personal space`, "In your personal space a workflow is for yourself alone.",
	`operatorCode (.*)`, "The operators' code $1.",
	`events must (?:name at least one event|be out of .*)`, "Choose at least one event.",
	`url must be a complete URL such as (\S+)`, "The address must be complete, such as $1.",
	`(\w+) must not hold control characters`, "{Subject} must not hold invisible control characters.",

	// The studio.
	`replace must be true: .*`, "Shots are there already. Tick the box to replace those that are not locked, or cancel.",
	`shotIds leave nothing to render: (.*)`, "There is nothing to render: $1",
	`shotIds must name all shots of the production, each once`, "A shot was added or deleted meanwhile. Open the page again, then move it.",
	`maxCredits is ([\d.,]+), and this would cost up to ([\d.,]+)`, "It may cost up to $2 credits, which is more than the $1 that you allow. Allow more, or render less.",
	`(?:castIds|characterIds|creatureIds|objectIds)\[\d+\] names no (?:\w+) that this production may use`, "One of those that you chose is gone, or may not be used here. Choose again.",
	`script must not be empty: .*`, "There is no script. Write one first.",

	// What came first, and what else is said of no field.
	`email has an account already`, "The address has an account already.",
	`Already a member of the organization`, "This person belongs to {org} already.",
	`Ownership was transferred meanwhile`, "The ownership was handed over meanwhile.",
	`The workspace's budget does not cover this run`, "{Here} has too few credits left for this run. Ask {an admin} for more.",
	`The run was started already`, "The run was started already.",
	`Shared with this person already`, "It is shared with this person already.",
	`The production is being rendered already`, "The production is being rendered already.",
	`This sign-in was connected with an account meanwhile`, "This sign-in was connected with an account meanwhile.",
	`The account was connected with a sign-in meanwhile`, "The account was connected with a sign-in meanwhile.",
	`The text holds a character that cannot be stored .*`, "The text holds a character that cannot be stored.",
	`The endpoint is off; turn it on first`, "The endpoint is off: turn it on first.",
	`The export could not be recorded in the audit log, so it was refused`, "The export could not be recorded in the audit log, so it was refused.",
	`Confirm that it is you: you signed in more than an hour ago`, "Confirm that it is you: you signed in more than an hour ago.",
	`consent\.confirmed must be true`, "Tick the box: without the consent it cannot be kept.",
	`prompt is required, or scene(?:, or imageUrl)?`, "Write a prompt, or give a scene.",

	// What is gone.
	`(?:Member|Account|Collaborator) not found`, "This person is not there any more.",
	`Workspace not found`, "This {workspace} does not exist, or you do not belong to it.",
	`Organization not found`, "This organization does not exist, or you do not belong to it.",
	`(?:Call|Version|Storage|Execution) not found`, "This is not there any more.",
	`([A-Z][\w ]*) not found`, "The {noun} is not there any more, or you may not see it.",
)

// subjects are the fields of the schema as the labels of forms name them; others are named by their own words.
var subjects = map[string]string{
	"displayName": mark("The name"), "newPassword": mark("The new password"), "currentPassword": mark("The old password"), "avatarUrl": mark("The address of the picture"),
	"imageUrl": mark("The address of the picture"), "idea": mark("The idea"), "presets": mark("The list of presets"),
	"iconUrl": mark("The address of the picture"), "timeZone": mark("The time zone"), "email": mark("The address"), "emails": mark("The addresses"), "url": mark("The address"),
	"slug": mark("The short name"), "delta": mark("The amount"), "creditCap": mark("The cap"), "userId": mark("The person"), "userIds": mark("The people"), "organizationId": mark("The organization"),
	"workspaceId": mark("The {workspace}"), "workflowId": mark("The workflow"), "workflowIds": mark("The list of workflows"), "projectId": mark("The project"), "orgRole": mark("The role"), "workspaceRole": mark("The role"),
	"rateLimit": mark("The number of calls a minute"), "maxRunsPerUserPerDay": mark("The runs a day"), "gracePeriodSeconds": mark("The time for which the old secret goes on"),
	"allowedEmbedDomains": mark("The list of sites"), "closesAt": mark("The closing time"), "inputOverrides": mark("The list of inputs"), "presentationSettings.inputItems": mark("The form"),
	"isActive": mark("The switch"), "holdForReview": mark("The switch"), "first": mark("The number of rows"), "search": mark("The search"), "days": mark("The number of days"),
	"settings.allowed_email_domains": mark("The list of domains"), "settings.vocabulary_overrides": mark("The list of words"),
	"searchActions": mark("The search"), "actions": mark("The filter"), "kind": mark("The kind"), "from": mark("The first day"), "to": mark("The last day"), "tz": mark("The time zone"), "groupBy": mark("What a report is divided by"), "models": mark("The list of models"), "ids": mark("The list"), "edges": mark("The list of connections"),
	"handle": mark("The handle"), "negativePrompt": mark("What it is never with"), "attributes": mark("How it looks"), "tags": mark("The tags"), "imageUrls": mark("The pictures"), "imageIds": mark("The pictures"),
	"sourceId": mark("What is posted"), "category": mark("The category"), "license": mark("The licence"), "audience": mark("The audience"),
	"voiceId": mark("The voice"), "faceId": mark("The face"), "presetId": mark("The preset"), "baseVoiceId": mark("The voice that it is made from"), "views": mark("The choice of pictures"),
	"consent": mark("The consent"), "subject": mark("Who is depicted"), "basis": mark("Where the release lies"), "validUntil": mark("The last day"), "confirmed": mark("The confirmation"),
	"sampleUrl": mark("The recording"), "consentRecordingUrl": mark("The spoken consent"), "answers": mark("The answers"), "place": mark("The place of the face"),
	"characterIds": mark("The characters"), "creatureIds": mark("The creatures"), "objectIds": mark("The objects"), "locationId": mark("The location"),
	"maxCredits": mark("The ceiling"), "secondsPerShot": mark("The length of a shot"), "maxShots": mark("The number of shots"), "replace": mark("The box"), "castIds": mark("The cast"),
	"shots": mark("The shots"), "shotIds": mark("The choice of shots"), "action": mark("What is seen"), "dialogue": mark("What is said"), "duration": mark("The length"), "speakerId": mark("Who speaks"), "ownImageUrl": mark("Your own picture"),
	"pipelineId": mark("The pipeline"), "narratorVoiceId": mark("The narrator"), "aspectRatio": mark("The shape"), "resolution": mark("The size"), "until": mark("The day"), "music": mark("The music"),
	"thumbnailNodeId": mark("The main result"), "headerName": mark("The header"), "lockedUrl": mark("The one address"),
	"password": mark("The password"), "code": mark("The code"), "title": mark("The title"), "text": mark("The text"), "name": mark("The name"), "label": mark("The label"),
	"description": mark("The description"), "reason": mark("The reason"), "prompt": mark("The prompt"), "language": mark("The language"), "logo": mark("The logo"),
	"picture": mark("The picture"), "passkey": mark("The passkey"), "recording": mark("The recording"), "sample": mark("The recording"), "key": mark("The key"),
	"contact": mark("The contact"), "percent": mark("The percentage"), "script": mark("The script"), "seed": mark("The seed"), "confirmation": mark("The confirmation"),
	"credits": mark("The amount"), "amount": mark("The amount"), "role": mark("The role"), "message": mark("The message"), "note": mark("The note"), "file": mark("The file"),
	"expiresAt": mark("The end"), "consent.validUntil": mark("The last day"), "consent.basis": mark("Where the release lies"),
	"redirectUris": mark("The list of addresses"), "allowedOrigins": mark("The list of sites"), "clientId": mark("The client id"), "redirectUri": mark("The redirect URI"),
	"secondFactorToken": mark("The sign-in"), "purpose": mark("The purpose"), "response": mark("The answer of the passkey"), "status": mark("The state"), "sort": mark("The order"),
	"tag": mark("The tag"), "body": mark("The body"), "header": mark("The header"), "accent": mark("The accent colour"), "id": mark("What was chosen"),
	"depictsPerson": mark("The box"), "isPrimary": mark("The main picture"), "model": mark("The model"), "provider": mark("The provider"), "target": mark("The target"),
	"maxQuestions": mark("The number of questions"), "source": mark("The origin"), "gender": mark("The gender"), "inputs": mark("The number of inputs"), "nodes": mark("The number of nodes"),
	"mailed": mark("The list of notifications"), "format": mark("The format"), "names": mark("The list of names"), "keepRunsMonths": mark("The number of months"), "months": mark("The number of months"),
	"limit": mark("The number of rows"), "cursor": mark("The place in the list"), "version": mark("The version"), "visibility": mark("The visibility"), "stages": mark("The choice of stages"),
	"stage": mark("The stage"), "shared": mark("The choice"), "position": mark("The place"), "config": mark("The configuration"), "type": mark("The kind"),
	"count": mark("The number"), "x": mark("The place of the face"), "crop": mark("The place of the face"), "allowSubpaths": mark("The box"), "refresh": mark("The box"),
	"Idempotency-Key": mark("The key of the request"),
}

// lists are parts of graphs and forms: where a refusal is about one, the page names it itself.
var lists = regexp.MustCompile(`[.\[]`)

// subject is the field of a refusal as the subject of a sentence; "" when the page names it itself.
func subject(field string) string {
	if field == "" {
		return ""
	}
	if known, ok := subjects[field]; ok {
		return known
	}
	if key, isSetting := strings.CutPrefix(field, "settings."); isSetting {
		return "“" + SentenceCase(strings.ReplaceAll(key, "_", " ")) + "”"
	}
	if lists.MatchString(field) {
		return ""
	}
	return "The " + spaced(field)
}

// subjectKnown tells whether the field has a name in every language, or is named by the page.
func subjectKnown(field string) bool {
	_, ok := subjects[field]
	return ok || lists.MatchString(field)
}

// spaced is a name in camel case in the words that it is made of.
func spaced(field string) string {
	var b strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// predicates are what the service says of a field behind its name.
var predicates = regexp.MustCompile(`^(must|may|is|are|was|has|have|cannot|names|would|needs|takes|leads|runs|sets|nests|does|exceeds)\b`)

// About makes a sentence of a label and a refusal that may lack its subject.
func About(label, message string) string {
	if lower := lowerFirst(message); predicates.MatchString(lower) {
		return label + " " + lower
	}
	return label + ": " + message
}

// AboutField is a refusal of a field in the reader's language, about what the page calls the field.
func AboutField(ctx context.Context, label string, e *Error) string {
	if rest, named := strings.CutPrefix(e.Said, e.Field+" "); named && e.Field != "" {
		if said, known := PredicateIn(ctx, rest, label); known {
			return said
		}
	}
	if predicates.MatchString(lowerFirst(e.Message)) {
		return About(label, e.Message)
	}
	return locale.Labelled(ctx, label, e.Message)
}

func lowerFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToLower(first)) + s[size:]
}

// placeWords are what sentences are made with where a refusal is shown.
type placeWords struct {
	Words
	Org       string // its name, "" where it is not known
	Workspace string
}

// inBraces are the words of a place in a saying.
var inBraces = regexp.MustCompile(`\{[^{}]+\}`)

// plainTerms are words of the schema within messages that no saying knows.
var plainTerms = []struct {
	said *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`\bworkspaces\b`), "{workspaces}"}, {regexp.MustCompile(`\ban? workspace\b`), "{a workspace}"}, {regexp.MustCompile(`\bworkspace\b`), "{workspace}"},
	{regexp.MustCompile(`\bslug\b`), "short name"}, {regexp.MustCompile(`\bUUID\b`), "entry of the list"}, {regexp.MustCompile(`, or null for none\b`), ", or left empty"},
	{regexp.MustCompile(`\b1 credits\b`), "1 credit"},
}

// saidTo is what a refusal of the service says to people; the words of the place are still in braces.
func saidTo(ctx context.Context, field, message string) string {
	said, _ := refusalIn(ctx, field, message)
	return said
}

// wholeRefusalIn is what people are told of a refusal whose message is one of those that have words of their own.
func wholeRefusalIn(ctx context.Context, subjectSaid, message string) (said string, known bool) {
	for _, list := range [][]saying{refusalSayings, refusalSentences} {
		if said, known := saidBy(ctx, list, message); known {
			return strings.ReplaceAll(said, "{Subject}", Or(subjectSaid, t(ctx, "This"))), true
		}
	}
	return "", false
}

// refusalIn is saidTo, and whether there are words for all of it.
func refusalIn(ctx context.Context, field, message string) (said string, known bool) {
	subjectSaid := locale.Pattern(ctx, subject(field))
	if said, known := wholeRefusalIn(ctx, subjectSaid, message); known {
		return said, true
	}
	rest, named := strings.CutPrefix(message, field+" ")
	if named && field != "" && rest != "" {
		if said, known := predicateIn(ctx, rest, subjectSaid); known {
			return said, subjectKnown(field) || !strings.Contains(said, subjectSaid)
		}
		if message = SentenceCase(rest); subject(field) != "" {
			message = About(subject(field), rest)
		}
	}
	for _, t := range plainTerms {
		message = t.said.ReplaceAllString(message, t.say)
	}
	return sentenceEnd(SentenceCase(message)), false
}

// sentenceEnd ends a sentence that has no end.
func sentenceEnd(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?…:") {
		return s
	}
	return s + "."
}

// forPeople is the message of a refusal in the words of the page that the context belongs to.
func (c client) forPeople(ctx context.Context, field, message string) string {
	text := saidTo(ctx, field, message)
	if !inBraces.MatchString(text) {
		return text
	}
	at := c.wordsOf(ctx)
	return SentenceCase(locale.Fill(Saying(ctx, at.Words), text, locale.Place{Workspace: at.Workspace, Org: at.Org}))
}

// InWords is what the service says of a field, in the words of the page that the context belongs to: for reasons that
// come as data and not as a refusal.
func (c *Console) InWords(ctx context.Context, field, message string) string {
	return c.Client.forPeople(ctx, field, message)
}
