package community

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// PostKind is what a post is a snapshot of.
type PostKind string

// The kinds of posts; those of elements are the kinds of elements.
const (
	PostWorkflow  PostKind = "workflow"
	PostApp       PostKind = "app"
	PostPreset    PostKind = "preset"
	PostCharacter PostKind = "character"
	PostObject    PostKind = "object"
	PostCreature  PostKind = "creature"
	PostLocation  PostKind = "location"
	PostVoice     PostKind = "voice"
	PostPipeline  PostKind = "pipeline"
)

// PostKinds are all kinds of posts, in the order in which they are shown.
var PostKinds = []PostKind{PostWorkflow, PostApp, PostPreset, PostCharacter, PostObject, PostCreature, PostLocation, PostVoice, PostPipeline}

// isElement tells whether the kind is one of elements.
func (k PostKind) isElement() bool {
	return k == PostCharacter || k == PostObject || k == PostCreature || k == PostLocation
}

// PostCategories are the subjects that a post may be of.
var PostCategories = []string{"language", "science", "maths", "history", "art", "music", "media", "storytelling", "marketing", "other"}

// The licenses of posts. No one copies what is view-only.
const (
	standardLicense = "cc-by"
	viewOnly        = "view-only"
)

// PostLicenses are what authors may allow others.
var PostLicenses = []string{"cc0", standardLicense, "cc-by-sa", viewOnly}

// Audience is who sees a post.
type Audience string

// The audiences: those of the workspace, of its organization, all accounts of the install.
const (
	ToWorkspace    Audience = "workspace"
	ToOrganization Audience = "organization"
	ToEveryone     Audience = "everyone"
)

// PostStatus is whether a post is shown.
type PostStatus string

// The statuses of posts.
const (
	PendingReview PostStatus = "pending_review"
	Visible       PostStatus = "visible"
	Rejected      PostStatus = "rejected"
	Hidden        PostStatus = "hidden"
)

// Post is a snapshot of a thing, shown to an audience: later edits of the thing do
// not change it, and deleting the thing does not remove it.
type Post struct {
	ID             models.ID `gorm:"primaryKey"`
	AuthorID       models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	Kind           PostKind
	SourceID       models.ID
	Title          string
	Description    string
	Category       string
	Tags           models.Strings
	License        string
	Audience       Audience
	Status         PostStatus
	// Reason is what a moderator gave as one.
	Reason  *string
	Content *Snapshot `gorm:"serializer:json"`
	// PictureIDs are private files of the snapshot's own; the one at ShownFileID is the
	// ordinary copy that ImageURL leads to.
	PictureIDs  models.IDs
	ShownFileID *models.ID
	ImageURL    *string
	RemixOf     *models.ID
	Uses        int `gorm:"<-:create"`
	Likes       int `gorm:"<-:create"`
	Popularity  int `gorm:"->"`
	OpenReports int `gorm:"<-:create"`
	// Undecided is set while a report hides it and no moderator has decided yet.
	Undecided   bool
	Version     int
	PublishedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// Author is what readers are told of who made it.
	Author PostAuthor `gorm:"-"`
	// IsOwn and LikedByMe are about the caller.
	IsOwn     bool    `gorm:"-"`
	LikedByMe bool    `gorm:"-"`
	Can       PostCan `gorm:"-"`
	// Reports are those that wait for a decision, for moderators.
	Reports []*Report `gorm:"-"`
	// Requires and EstimatedCredits are worked out of a post that is read by itself.
	Requires         []*Requirement  `gorm:"-"`
	EstimatedCredits *models.Credits `gorm:"-"`
}

func (p *Post) owned() space.Owned {
	return space.Owned{OwnerID: p.AuthorID, WorkspaceID: p.WorkspaceID, OrganizationID: p.OrganizationID}
}

func (Post) TableName() string { return "community_posts" }

// Awaits tells whether the post waits for a moderator before anyone else sees it.
func (p *Post) Awaits() bool { return p.Status == PendingReview || p.Undecided }

// PostAuthor is who made a post; outside of a school it is the school, without an id.
type PostAuthor struct {
	UserID      *models.ID
	DisplayName string
}

// PostCan is what a caller may do with a post.
type PostCan struct{ Use, Edit, Moderate bool }

// Requirement is a node type that the content of a post has, and whether this install offers it.
type Requirement struct {
	NodeType string
	Provider *string
	Offered  bool
}

// Snapshot is what a post holds; which fields it has depends on the kind.
type Snapshot struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// ImageURL is an address that apps and presets have.
	ImageURL string `json:"imageUrl,omitempty"`

	// Of workflows: the graph, and what was taken out of it.
	Nodes   nodegraph.Nodes `json:"nodes,omitempty"`
	Edges   nodegraph.Edges `json:"edges,omitempty"`
	Removed []string        `json:"removed,omitempty"`

	// Of apps.
	Slug string `json:"slug,omitempty"`

	// Of presets.
	NodeType string         `json:"nodeType,omitempty"`
	Settings map[string]any `json:"settings,omitempty"`
	Tags     models.Strings `json:"tags,omitempty"`

	// Of elements.
	Prompt         string             `json:"prompt,omitempty"`
	NegativePrompt string             `json:"negativePrompt,omitempty"`
	Attributes     library.Attributes `json:"attributes,omitempty"`
	Seed           int                `json:"seed,omitempty"`
	Palette        models.Strings     `json:"palette,omitempty"`
	Pictures       []SnapshotPicture  `json:"pictures,omitempty"`

	// Of voices.
	Provider  string  `json:"provider,omitempty"`
	BaseVoice string  `json:"baseVoice,omitempty"`
	Language  *string `json:"language,omitempty"`
	Gender    *string `json:"gender,omitempty"`

	// Of pipelines.
	Stages json.RawMessage `json:"stages,omitempty"`
}

// SnapshotPicture is a picture of an element in a snapshot, under the number of its file.
type SnapshotPicture struct {
	Role      library.ImageRole `json:"role"`
	Caption   string            `json:"caption,omitempty"`
	IsPrimary bool              `json:"isPrimary,omitempty"`
	Palette   models.Strings    `json:"palette,omitempty"`
}

// PostFilter narrows the gallery.
type PostFilter struct {
	Kind     *PostKind
	Category *string
	Tag      *string
	Query    *string
	// Mine leaves those that the caller made.
	Mine *bool
	// From leaves those of the selected workspace, of its organization, or for everyone.
	From *Audience
}

// PostSort is the order of the gallery: recent, or popular.
type PostSort string

// The orders of the gallery.
const (
	RecentPosts  PostSort = "recent"
	PopularPosts PostSort = "popular"
)

// PostInput posts a snapshot of a thing.
type PostInput struct {
	Kind        PostKind
	SourceID    models.ID
	Title       *string
	Description *string
	Category    *string
	Tags        []string
	License     *string
	Audience    *Audience
}

// UpdatePostInput changes a post; what is not sent stays.
type UpdatePostInput struct {
	Title       models.Opt[string]
	Description models.Opt[string]
	Category    models.Opt[string]
	Tags        models.Opt[[]string]
	License     models.Opt[string]
	Audience    models.Opt[Audience]
	// Refresh takes a new snapshot of the thing.
	Refresh *bool
	Version *int
}

// UsePostInput is where a copy goes, and what it is called.
type UsePostInput struct {
	Name      *string
	ProjectID *models.ID
}

// UsedPost is the copy of a post, or the app that it leads to.
type UsedPost struct {
	Kind PostKind
	ID   *models.ID
	Slug *string
}

// ReportInput is why a person reports a post.
type ReportInput struct {
	Reason  string
	Details *string
}

// Report is what a person said about a post.
type Report struct {
	PostID    models.ID
	Reason    string
	Details   string
	CreatedAt time.Time
}

// PostAction is what a moderator does with a post.
type PostAction string

// The actions of moderators.
const (
	ApprovePost PostAction = "approve"
	RejectPost  PostAction = "reject"
	HidePost    PostAction = "hide"
)

// ModeratePostInput is a decision about a post.
type ModeratePostInput struct {
	Action PostAction
	Reason *string
	// Version is that of the post that was looked at; nil takes any.
	Version *int
}

// PostChoices are what posting a thing would be.
type PostChoices struct {
	// WorkspaceID is where the thing lives, and the post will; nil of the personal space.
	WorkspaceID *models.ID
	// Name, Description and Tags are the thing's, for the post to begin with.
	Name        string
	Description string
	Tags        []string
	// Refusal is why it cannot be posted, in a sentence; nil when it can.
	Refusal *string
	// Removed are what is taken out of it, as content.removed will list them.
	Removed   []string
	Audiences []*AudienceChoice
}

// AudienceChoice is an audience that the space has: whether the post would wait for a moderator
// there, or why the caller may not address it.
type AudienceChoice struct {
	Audience Audience
	Waits    bool
	Refusal  *string
}

const postNoun = "post"

var errNoPost = models.NotFound("Post")

// copiedFrom is the source of what was copied out of a post.
type copiedFrom struct {
	PostID  models.ID `json:"postId"`
	Title   string    `json:"title"`
	License string    `json:"license"`
	Author  string    `json:"author"`
}
