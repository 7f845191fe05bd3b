package run

import (
	"path"
	"strings"
	"time"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes"
)

// ResultKind is what a run has made, by how it is shown.
type ResultKind string

const (
	ImageResult ResultKind = "image"
	VideoResult ResultKind = "video"
	AudioResult ResultKind = "audio"
	TextResult  ResultKind = "text"
	FileResult  ResultKind = "file"
)

// Result is the main result of a completed run.
type Result struct {
	ExecutionID models.ID `gorm:"primaryKey"`
	AccountID   models.ID
	WorkspaceID *models.ID
	NodeID      string
	Kind        ResultKind
	// Address is that of the file; a text has none, of which Excerpt is the beginning.
	Address *string
	Excerpt *string
	// ArchivedAt is when its run was put into the archive.
	ArchivedAt *time.Time
	// SharedAt is when it was shared with the workspace, ShareID its place among
	// what is shared there.
	SharedAt  *time.Time
	ShareID   *models.ID
	CreatedAt time.Time
	// Shard is that of the space; see models.ShardOf.
	Shard int `gorm:"->:false;<-:create"`

	// Of its run, read along.
	OrganizationID *models.ID `gorm:"->"`
	AppID          *models.ID `gorm:"->"`
	WorkflowID     *models.ID `gorm:"->"`
	Subject        *string    `gorm:"->"`
}

func (Result) TableName() string { return "results" }

// maxInExcerpt bounds the beginning of a text, in characters.
const maxInExcerpt = 280

// resultKeys are the output keys that hold an address, in the order in which
// clients try them (contract 1, "Published app endpoints", rule 5).
var resultKeys = []string{"url", "imageUrl", "videoUrl", "audioUrl", "resultUrl"}

// made is what a completed node of a run put out, as far as results go.
type made struct {
	nodeID, jobType string
	index           int
	key, address    string // of a file
	text            string // its beginning
}

func (m made) empty() bool { return m.address == "" && strings.TrimSpace(m.text) == "" }

// kind tells how it is shown: as its node's type says, else by the key or the
// ending of the address.
func (m made) kind() ResultKind {
	if m.address == "" {
		return TextResult
	}
	if node, ok := nodes.Find(m.jobType); ok {
		switch kind := ResultKind(node.OutputType); kind {
		case ImageResult, VideoResult, AudioResult:
			return kind
		}
	}
	if name, ok := strings.CutSuffix(m.key, "Url"); ok && name != "result" {
		return ResultKind(name)
	}
	name, _, _ := strings.Cut(m.address, "?")
	ending := strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")
	switch kind := ResultKind(mediatype.KindOf(ending)); kind {
	case ImageResult, VideoResult, AudioResult:
		return kind
	}
	return FileResult
}

// mainResult is what a run is about: what the named node made; where no node is
// named, the last one that nothing follows, files before texts. nil when there
// is nothing to show.
func mainResult(all []made, named *string, ends func(nodeID string) bool) *made {
	var best *made
	rank := func(m *made) (rank int) {
		if ends(m.nodeID) {
			rank = 2
		}
		if m.address != "" {
			rank++
		}
		return rank
	}
	for i := range all {
		m := &all[i]
		switch {
		case m.empty():
		case named != nil:
			if m.nodeID == *named {
				return m
			}
		case best == nil, rank(m) > rank(best), rank(m) == rank(best) && m.index > best.index:
			best = m
		}
	}
	return best
}
