package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// AuditEntry is one line of an organization's audit log. Entries are chained:
// each holds the hash of itself and the one before, so that a changed or
// removed line is found.
type AuditEntry struct {
	ID             ID `gorm:"primaryKey"`
	OrganizationID ID
	WorkspaceID    *ID
	// Action is noun.verb in the past tense, such as workspace.archived.
	Action     string
	TargetType string
	TargetID   *ID
	// Details is what changed: { field: { from, to } }; never a secret.
	Details json.RawMessage `gorm:"type:jsonb"`
	// ActorID and ActorName are null for system actions; the name stays as it was.
	ActorID   *ID
	ActorName *string
	// Device and Place are with what and from which network a person made the change, in the words of Device and Place; nil
	// where no request of theirs did.
	Device    *string
	Place     *string
	CreatedAt time.Time
	Sequence  int64
	Hash      string
}

func (AuditEntry) TableName() string { return "audit_entries" }

// AuditHead is the end of an organization's chain.
type AuditHead struct {
	OrganizationID ID `gorm:"primaryKey"`
	Sequence       int64
	Hash           string
}

func (AuditHead) TableName() string { return "audit_heads" }

// Change is an old and a new value, as audit details show them.
type Change struct {
	From any `json:"from"`
	To   any `json:"to"`
}

// Fields are the details of an audit entry by field name.
type Fields map[string]Change

// Gone are the fields of something that was and is no more.
func (f Fields) Gone() Fields {
	gone := Fields{}
	for name, change := range f {
		gone[name] = Change{From: change.To}
	}
	return gone
}

// Target is what an audit entry is about.
type Target struct {
	Type        string
	ID          ID
	WorkspaceID *ID
}

// Audit writes an entry in the transaction; when it cannot be written, the
// change does not happen. Entries of one organization wait for each other.
func (tx *Tx) Audit(organizationID ID, action string, target Target, fields Fields) error {
	if fields == nil {
		fields = Fields{}
	}
	details, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	entry := AuditEntry{
		ID: tx.NewID(), OrganizationID: organizationID, WorkspaceID: target.WorkspaceID, Action: action,
		TargetType: target.Type, Details: details, CreatedAt: tx.Now,
	}
	if target.ID != (ID{}) {
		entry.TargetID = &target.ID
	}
	if tx.Actor.SignedIn() {
		entry.ActorID, entry.ActorName = &tx.Actor.UserID, &tx.Actor.DisplayName
		entry.setOrigin(tx.Actor)
	}
	// Taking the next number locks the chain, also when it begins.
	var head AuditHead
	err = tx.Raw(`INSERT INTO audit_heads (organization_id, sequence, hash) VALUES (?, 1, '')
		ON CONFLICT (organization_id) DO UPDATE SET sequence = audit_heads.sequence + 1
		RETURNING sequence, hash`, organizationID).Scan(&head).Error
	if err != nil {
		return err
	}
	entry.Sequence = head.Sequence
	entry.Hash = entry.ChainHash(head.Hash)
	if err := tx.Create(&entry).Error; err != nil {
		return err
	}
	return tx.Model(&AuditHead{}).Where("organization_id = ?", organizationID).Update("hash", entry.Hash).Error
}

// setOrigin notes with what and from where the actor makes a change. What a trigger does for its creator comes from someone
// else's machine, or from none. Whole addresses are not kept.
func (e *AuditEntry) setOrigin(actor Actor) {
	if actor.Kind == Automation {
		return
	}
	if actor.UserAgent != "" {
		device := Device(actor.UserAgent)
		e.Device = &device
	}
	if place := Place(actor.IP); place != "" {
		e.Place = &place
	}
}

// Person is who the details name beside the target: the new owner, or whom
// something was shared with; nil when they name no one.
func (e AuditEntry) Person() *ID {
	var named struct {
		Owner, UserID struct{ From, To *ID }
	}
	if json.Unmarshal(e.Details, &named) != nil {
		return nil
	}
	for _, id := range []*ID{named.Owner.To, named.UserID.To, named.UserID.From} {
		if id != nil {
			return id
		}
	}
	return nil
}

// ChainHash is the entry's hash behind previous: SHA-256 in hex over its
// content in a fixed order. Details are compared as JSON values, since the
// database does not keep their spelling.
func (e AuditEntry) ChainHash(previous string) string {
	var details any
	_ = json.Unmarshal(e.Details, &details)
	content := []any{
		previous, e.Sequence, e.ID, e.OrganizationID, e.WorkspaceID, e.Action, e.TargetType, e.TargetID,
		details, e.ActorID, e.ActorName, e.CreatedAt.UTC().Format(time.RFC3339Nano),
	}
	if e.Device != nil || e.Place != nil { // entries from before they were kept have the hash that they had
		content = append(content, e.Device, e.Place)
	}
	body, _ := json.Marshal(content)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// AuditEnd is how many entries an organization's chain must hold, and whether
// the last of them is there. One statement sees the head and the entry that it
// names as of one moment.
func (db *DB) AuditEnd(ctx context.Context, organizationID ID) (entries int, there bool, err error) {
	err = db.Read(ctx).Raw(`
		SELECT h.sequence, EXISTS (SELECT FROM audit_entries e
			WHERE e.organization_id = h.organization_id AND e.sequence = h.sequence AND e.hash = h.hash)
		FROM audit_heads h WHERE h.organization_id = ?`, organizationID).Row().Scan(&entries, &there)
	return entries, there, err
}

// VerifyAudit walks an organization's chain and returns the first entry that
// does not fit, or nil.
func (db *DB) VerifyAudit(ctx context.Context, organizationID ID) (*AuditEntry, error) {
	previous, sequence := "", int64(0)
	for {
		var entries []AuditEntry
		err := db.Read(ctx).Where("organization_id = ? AND sequence > ?", organizationID, sequence).
			Order("sequence").Limit(500).Find(&entries).Error
		if err != nil {
			return nil, err
		}
		for i, entry := range entries {
			if entry.Sequence != sequence+1 || entry.Hash != entry.ChainHash(previous) {
				return &entries[i], nil
			}
			previous, sequence = entry.Hash, entry.Sequence
		}
		if len(entries) < 500 {
			return nil, nil
		}
	}
}
