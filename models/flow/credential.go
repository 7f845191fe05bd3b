package flow

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/egress"
	"atelier/nodes/kit"
)

// CredentialKind says in which runs a credential may be sent, and where to.
type CredentialKind string

const (
	// PlainCredential goes to any address, in runs that its owner starts personally.
	PlainCredential CredentialKind = "plain"
	// LockedCredential goes to one address, in every run.
	LockedCredential CredentialKind = "locked"
)

// Credential is a header name and a key that outbound nodes send with
// (contract 2, "Credential"). The key is never shown.
type Credential struct {
	ID         models.ID `gorm:"primaryKey"`
	AccountID  models.ID
	Name       string
	HeaderName string
	KeySealed  string
	Kind       CredentialKind
	// LockedURL is where a locked one is sent; nil for a plain one.
	LockedURL     *string
	AllowSubpaths bool
	CreatedAt     time.Time
	UpdatedAt     time.Time

	// Uses are some of the workflows that send with it, the newest first; UseCount is how many there are.
	Uses     []*CredentialUse `gorm:"-"`
	UseCount int              `gorm:"-"`
}

func (Credential) TableName() string { return "credentials" }

// CreateCredentialInput keeps a key.
type CreateCredentialInput struct {
	Name, HeaderName, Key string
	Kind                  CredentialKind
	LockedURL             *string
	AllowSubpaths         *bool
}

// UpdateCredentialInput changes a credential; what is not sent stays.
type UpdateCredentialInput struct {
	Name, HeaderName, Key models.Opt[string]
	Kind                  models.Opt[CredentialKind]
	LockedURL             models.Opt[string]
	AllowSubpaths         models.Opt[bool]
}

// MaxCredentials is how many credentials an account may have.
const MaxCredentials = 50

const (
	maxHeaderName = 100
	maxKey        = kit.MaxSecretHeader // in bytes
)

// credentialChanges are the creations, changes and deletions of an account, refused ones too.
var credentialChanges = models.Limit{Name: "credential-change", Max: 30, Per: time.Minute}

// admitToCredentials lets a signed-in person at their own credentials: every
// token is in_app_only, whatever else is wrong (contract 2, "Webhook-output node
// and credentials" 2). Without a vault no one gets further: encryption_key_missing.
func (s *Service) admitToCredentials(ctx context.Context) (models.Actor, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireAccount(models.Unscoped); err != nil {
		return actor, err
	}
	if actor.Kind != models.BySession {
		return actor, models.Err(models.CodeInAppOnly, "Credentials are managed in the web app alone, signed in; no token may see or change them")
	}
	if s.Vault == nil {
		return actor, models.Err(models.CodeEncryptionKeyMissing, "SERVICE_ENCRYPTION_KEY is not set on this install")
	}
	return actor, nil
}

func (s *Service) admitToChangeCredentials(ctx context.Context) (models.Actor, error) {
	actor, err := s.admitToCredentials(ctx)
	if err != nil || ctx.Value(countedCredentialKey{}) != nil {
		return actor, err
	}
	return actor, s.DB.CountCall(ctx, credentialChanges, actor.UserID.String())
}

type countedCredentialKey struct{}

// Admit and AdmitChange judge the caller of a credential's
// route before the form of the input is looked at; a change counts then, and once.
func (s Credentials) Admit(ctx context.Context) (context.Context, error) {
	_, err := s.flow.admitToCredentials(ctx)
	return ctx, err
}

// AdmitChange counts a creation, change or deletion.
func (s Credentials) AdmitChange(ctx context.Context) (context.Context, error) {
	_, err := s.flow.admitToChangeCredentials(ctx)
	return context.WithValue(ctx, countedCredentialKey{}, true), err
}

var errNoCredential = models.NotFound("Credential")

// List are the account's credentials, newest first; at most MaxCredentials.
func (s Credentials) List(ctx context.Context) ([]*Credential, error) {
	actor, err := s.flow.admitToCredentials(ctx)
	if err != nil {
		return nil, err
	}
	all := []*Credential{}
	if err := s.flow.DB.Read(ctx).Where("account_id = ?", actor.UserID).Order("id DESC").Find(&all).Error; err != nil {
		return nil, err
	}
	return all, fillUses(s.flow.DB.Read(ctx), all...)
}

// Choices are what the nodes of a workflow may send with: the account's
// credentials when it made the workflow; else, or where no keys can be kept, none.
func (s Credentials) Choices(ctx context.Context, workflowID models.ID) ([]*Credential, error) {
	all := []*Credential{}
	actor, err := s.flow.admitToCredentials(ctx)
	if models.HasCode(err, models.CodeEncryptionKeyMissing) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	return all, s.flow.DB.Read(ctx).Order("id DESC").Where(`account_id = ? AND EXISTS (
		SELECT FROM workflows w WHERE w.id = ? AND w.owner_id = credentials.account_id AND w.deleted_at IS NULL)`,
		actor.UserID, workflowID).Find(&all).Error
}

// Find is one credential of the account.
func (s Credentials) Find(ctx context.Context, id models.ID) (*Credential, error) {
	actor, err := s.flow.admitToCredentials(ctx)
	if err != nil {
		return nil, err
	}
	c, err := models.First[Credential](s.flow.DB.Read(ctx).Where("id = ? AND account_id = ?", id, actor.UserID), errNoCredential)
	if err != nil {
		return nil, err
	}
	return c, fillUses(s.flow.DB.Read(ctx), c)
}

// Create keeps a key. Refusals: validation_error, reauthentication_required
// where the session was not confirmed within the hour, limit_reached.
func (s Credentials) Create(ctx context.Context, in CreateCredentialInput) (*Credential, error) {
	actor, err := s.flow.admitToChangeCredentials(ctx)
	if err != nil {
		return nil, err
	}
	c := &Credential{
		AccountID: actor.UserID, Name: in.Name, HeaderName: in.HeaderName, Kind: in.Kind,
		LockedURL: in.LockedURL, AllowSubpaths: in.AllowSubpaths != nil && *in.AllowSubpaths,
	}
	if err := c.check(s.flow.Events.AllowCIDRs); err != nil {
		return nil, err
	}
	if err := checkKey(in.Key); err != nil {
		return nil, err
	}
	if err := actor.RequireConfirmed(s.flow.DB.Clock.Now()); err != nil {
		return nil, err
	}
	err = s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		if err := account.LockUser(tx, actor.UserID); err != nil {
			return err
		}
		var count int64
		if err := tx.Model(&Credential{}).Where("account_id = ?", actor.UserID).Count(&count).Error; err != nil {
			return err
		}
		if count >= MaxCredentials {
			return models.Err(models.CodeLimitReached, "An account may have %d credentials; delete one first", MaxCredentials)
		}
		c.ID, c.CreatedAt, c.UpdatedAt = tx.NewID(), tx.Now, tx.Now
		if err := s.flow.sealKey(c, in.Key); err != nil {
			return err
		}
		return tx.Create(c).Error
	})
	return c, err
}

// Update changes a credential. A key that was typed for one address
// goes nowhere else without being typed again: anyone who finds an open session
// could send it to themselves otherwise. Whatever else than its name changes needs a
// session that was confirmed within the hour: reauthentication_required.
func (s Credentials) Update(ctx context.Context, id models.ID, in UpdateCredentialInput) (*Credential, error) {
	actor, err := s.flow.admitToChangeCredentials(ctx)
	if err != nil {
		return nil, err
	}
	var c *Credential
	err = s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		found, err := lockCredential(tx, actor.UserID, id)
		if err != nil {
			return err
		}
		c = found
		before := *c
		if err := c.change(in); err != nil {
			return err
		}
		if err := c.check(s.flow.Events.AllowCIDRs); err != nil {
			return err
		}
		if _, typed := in.Key.ValueOK(); typed || c.sendsOtherwise(&before) {
			if err := actor.RequireConfirmed(tx.Now); err != nil {
				return err
			}
		}
		if key, sent := in.Key.ValueOK(); sent {
			if err := s.flow.sealKey(c, *key); err != nil {
				return err
			}
		} else if c.reachesBeyond(&before) {
			return models.Invalid("key", "must be sent again when the key may go to another address than before")
		}
		c.UpdatedAt = tx.Now
		if err := tx.Save(c).Error; err != nil {
			return err
		}
		return fillUses(tx.DB, c)
	})
	return c, err
}

// Delete deletes a credential; nodes that send with it fail from now on.
func (s Credentials) Delete(ctx context.Context, id models.ID) error {
	actor, err := s.flow.admitToChangeCredentials(ctx)
	if err != nil {
		return err
	}
	return s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		c, err := lockCredential(tx, actor.UserID, id)
		if err != nil {
			return err
		}
		return tx.Delete(c).Error // and what it says of nodes, see credential_nodes
	})
}

func lockCredential(tx *models.Tx, accountID, id models.ID) (*Credential, error) {
	return models.First[Credential](tx.Where("id = ? AND account_id = ?", id, accountID).Clauses(clause.Locking{Strength: "UPDATE"}), errNoCredential)
}

// change lays an input over the credential. Of null, lockedUrl alone takes it.
func (c *Credential) change(in UpdateCredentialInput) error {
	for _, f := range []struct {
		name string
		sent models.Opt[string]
		to   *string
	}{{"name", in.Name, &c.Name}, {"headerName", in.HeaderName, &c.HeaderName}, {"key", in.Key, new(string)}} {
		text, sent, err := models.Required(f.name, f.sent)
		if err != nil {
			return err
		}
		if sent {
			*f.to = text
		}
	}
	if key, sent := in.Key.ValueOK(); sent {
		if err := checkKey(*key); err != nil {
			return err
		}
	}
	kind, sent, err := models.Required("kind", in.Kind)
	if err != nil {
		return err
	}
	if sent && kind != c.Kind {
		c.Kind = kind
		if kind == PlainCredential { // what was locked goes
			c.LockedURL, c.AllowSubpaths = nil, false
		}
	}
	if address, sent := in.LockedURL.ValueOK(); sent {
		c.LockedURL = address
	}
	subpaths, sent, err := models.Required("allowSubpaths", in.AllowSubpaths)
	if sent {
		c.AllowSubpaths = subpaths
	}
	return err
}

// sendsOtherwise tells whether the credential is sent in other runs, to other addresses
// or in another header than before.
func (c *Credential) sendsOtherwise(before *Credential) bool {
	address := func(c *Credential) string {
		if c.LockedURL == nil {
			return ""
		}
		return *c.LockedURL
	}
	return c.Kind != before.Kind || c.HeaderName != before.HeaderName || c.AllowSubpaths != before.AllowSubpaths || address(c) != address(before)
}

// reachesBeyond tells whether the credential may be sent where it could not be before.
func (c *Credential) reachesBeyond(before *Credential) bool {
	switch {
	case before.Kind == PlainCredential:
		return false
	case c.Kind == PlainCredential, c.AllowSubpaths && !before.AllowSubpaths:
		return true
	}
	return !kit.MatchesLocked(*before.LockedURL, *c.LockedURL, before.AllowSubpaths)
}

// check checks a credential except for its key.
func (c *Credential) check(allow []netip.Prefix) (err error) {
	if c.Name, err = models.CleanName("name", c.Name); err != nil {
		return err
	}
	if err := checkHeaderName(c.HeaderName); err != nil {
		return err
	}
	switch c.Kind {
	case PlainCredential:
		if c.LockedURL != nil {
			return models.Invalid("lockedUrl", "belongs to a locked credential; a plain one has no address")
		}
		if c.AllowSubpaths {
			return models.Invalid("allowSubpaths", "belongs to a locked credential; a plain one has no address")
		}
		return nil
	case LockedCredential:
		if c.LockedURL == nil {
			return models.Invalid("lockedUrl", "must name the address that a locked credential is sent to")
		}
		return checkLockedURL(*c.LockedURL, allow)
	}
	return models.Invalid("kind", "must be plain or locked")
}

// checkLockedURL judges the address of a locked credential as one of an event
// endpoint, and as one that an address can be compared with.
func checkLockedURL(address string, allow []netip.Prefix) error {
	if err := egress.CheckURL(address, allow); err != nil {
		refusal, ok := models.AsError(err)
		if !ok {
			return err
		}
		return models.Invalid("lockedUrl", "%s", strings.TrimPrefix(refusal.Message, "url "))
	}
	if u, err := url.Parse(address); err != nil || u.Fragment != "" {
		return models.Invalid("lockedUrl", "must have no part behind a #, which is never sent")
	}
	if !kit.MatchesLocked(address, address, false) {
		return models.Invalid("lockedUrl", "must have no dot segments and no encoded slashes or dots in its path")
	}
	return nil
}

// refusedHeaders are set by the client alone, say who sends, or are read by what
// lies between; with the prefixes, a receiver could take a request for our own event.
var (
	refusedHeaders = []string{
		"Host", "Content-Length", "Content-Type", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer",
		"Expect", "Date", "User-Agent", "Accept-Encoding", "Idempotency-Key", "Http2-Settings",
	}
	refusedHeaderPrefixes = []string{"service-", "proxy-"}
)

func checkHeaderName(name string) error {
	switch {
	case name == "" || len(name) > maxHeaderName:
		return models.Invalid("headerName", "must have 1 to %d characters", maxHeaderName)
	case !httpguts.ValidHeaderFieldName(name):
		return models.Invalid("headerName", "must be the name of a header: letters, digits and hyphens, without blanks")
	}
	for _, refused := range refusedHeaders {
		if strings.EqualFold(name, refused) {
			return models.Invalid("headerName", "cannot be %s, which the service sets itself", refused)
		}
	}
	for _, prefix := range refusedHeaderPrefixes {
		if strings.HasPrefix(strings.ToLower(name), prefix) {
			return models.Invalid("headerName", "cannot begin with %s: such headers have another meaning", prefix)
		}
	}
	return nil
}

// checkKey checks the value of the header. The refusal repeats nothing of it.
func checkKey(key string) error {
	if key == "" || len(key) > maxKey {
		return models.Invalid("key", "must have 1 to %d characters", maxKey)
	}
	for _, r := range key {
		if r < ' ' || r > '~' {
			return models.Invalid("key", "must be one line of letters, digits and signs of ASCII")
		}
	}
	if strings.TrimSpace(key) != key {
		return models.Invalid("key", "must not begin or end with a blank")
	}
	return nil
}

// sealKey seals the key for this row and its account.
func (s *Service) sealKey(c *Credential, key string) (err error) {
	c.KeySealed, err = s.Vault.Seal(c.purpose(), key)
	return err
}

func (c *Credential) purpose() string {
	return "credential:" + c.ID.String() + ":" + c.AccountID.String()
}
