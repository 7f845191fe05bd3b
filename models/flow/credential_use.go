package flow

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"log/slog"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// credentialField is where an outbound node names a credential. It is one of the
// creator of the workflow that the node lies in, the one who runs it.
const credentialField = "credentialId"

// steeringFields say where an outbound node sends and with what: of these, a
// plain credential goes along only with those that its owner let it go with.
var steeringFields = []string{addressField, "method", headersField, credentialField}

// credentialNode is a node of a workflow's current graph that sends with a
// credential of the workflow's creator.
type credentialNode struct {
	WorkflowID   models.ID `gorm:"primaryKey"`
	NodeID       string    `gorm:"primaryKey"`
	CredentialID models.ID
	// Approved is the digest of a sender as the creator, signed in, wrote it.
	Approved []byte
}

func (credentialNode) TableName() string { return "credential_nodes" }

// sender is what a node that names a credential sends with.
type sender struct {
	node *nodegraph.Node
	// id is zero for a text that names none.
	id models.ID
	// fed: other nodes decide about where it sends; fedID: about the credential.
	fed, fedID bool
	digest     []byte
}

// sendersOf are the nodes of a graph that send with a credential.
func sendersOf(all nodegraph.Nodes, edges nodegraph.Edges) (found []*sender) {
	var feeds []nodegraph.Feed
	for _, node := range all {
		if !namesCredential(node) {
			continue
		}
		if feeds == nil {
			feeds = append(nodegraph.Feeds(all, edges), nodegraph.Feed{})
		}
		if s := senderOf(node, feeds); s.fedID || s.named() != "" {
			found = append(found, s)
		}
	}
	return found
}

// namesCredential tells whether a node's type sends with credentials.
func namesCredential(node *nodegraph.Node) bool {
	kind, ok := nodes.Find(node.Type)
	return ok && slices.Contains(kind.Destinations, credentialField)
}

func senderOf(node *nodegraph.Node, feeds []nodegraph.Feed) *sender {
	s := &sender{node: node}
	s.id, _ = uuid.Parse(s.named())
	for _, feed := range feeds {
		if feed.Target != node.ID {
			continue
		}
		s.fed = s.fed || slices.ContainsFunc(steeringFields, feed.Touches)
		s.fedID = s.fedID || feed.Touches(credentialField)
	}
	said := []any{node.Type, s.fed}
	for _, field := range steeringFields {
		said = append(said, node.Data[field])
	}
	text, _ := json.Marshal(said) // of what was JSON before
	sum := sha256.Sum256(text)
	s.digest = sum[:]
	return s
}

// named is what the node names, which may be no credential at all.
func (s *sender) named() string {
	text, _ := s.node.Data[credentialField].(string)
	return text
}

// checkAddedCredentials refuses that an editor has a workflow send with a key of
// its creator's with which it did not send before.
func checkAddedCredentials(tx *models.Tx, before nodegraph.Nodes, w *Workflow) error {
	if tx.Actor.UserID == w.OwnerID {
		return nil
	}
	known := map[string]bool{}
	for _, s := range sendersOf(before, nil) {
		known[s.named()] = true
	}
	for _, s := range sendersOf(w.Nodes, nil) {
		if !known[s.named()] {
			return models.Invalid(dataField(s.node)+credentialField, "names a credential that this workflow did not send with: only its creator may add one")
		}
	}
	return nil
}

// saveCredentialNodes keeps which nodes of a workflow send with credentials of its
// creator. What the creator, signed in, writes of such a node is approved: a plain
// credential is sent with it. What anyone else writes, their own tokens included,
// is not, and does not become so when the creator saves the graph around it.
func saveCredentialNodes(tx *models.Tx, w *Workflow, before nodegraph.Nodes, beforeEdges nodegraph.Edges) error {
	was, is := sendersOf(before, beforeEdges), sendersOf(w.Nodes, w.Edges)
	if len(was) == 0 && len(is) == 0 {
		return nil
	}
	var kept []*credentialNode
	if err := tx.Where("workflow_id = ?", w.ID).Find(&kept).Error; err != nil {
		return err
	}
	own, err := ownCredentials(tx, w.OwnerID, is)
	if err != nil {
		return err
	}
	personal := tx.Actor.Kind == models.BySession && tx.Actor.UserID == w.OwnerID
	var rows []*credentialNode
	for _, s := range is {
		if own[s.id] {
			rows = append(rows, &credentialNode{w.ID, s.node.ID, s.id, s.approval(personal, was, kept)})
		}
	}
	if err := tx.Where("workflow_id = ?", w.ID).Delete(&credentialNode{}).Error; err != nil || len(rows) == 0 {
		return err
	}
	return tx.Create(&rows).Error
}

// approval is what is approved of a node after a save, given what the graph had
// before and what was kept of it.
func (s *sender) approval(personal bool, was []*sender, kept []*credentialNode) []byte {
	same := slices.ContainsFunc(was, func(old *sender) bool {
		return old.node.ID == s.node.ID && subtle.ConstantTimeCompare(old.digest, s.digest) == 1
	})
	if personal && !same {
		return s.digest
	}
	if !personal && s.fed { // by nodes that another person may have changed
		return nil
	}
	for _, row := range kept {
		if row.NodeID == s.node.ID && row.CredentialID == s.id {
			return row.Approved
		}
	}
	return nil
}

// ownCredentials are those among what senders name that belong to an account.
func ownCredentials(tx *models.Tx, accountID models.ID, senders []*sender) (own map[models.ID]bool, err error) {
	ids := make([]models.ID, 0, len(senders))
	for _, s := range senders {
		ids = append(ids, s.id)
	}
	var found []models.ID
	if len(ids) > 0 {
		err = tx.Model(&Credential{}).Where("account_id = ? AND id IN ?", accountID, ids).
			Clauses(clause.Locking{Strength: "KEY SHARE"}).Pluck("id", &found).Error
	}
	own = map[models.ID]bool{}
	for _, id := range found {
		own[id] = true
	}
	return own, err
}

// Why a node does not send with the credential that it names.
var (
	errFedCredential = &kit.Failure{
		Message: "Which credential is sent must be said by the node itself, not by what flows into it",
		Hint:    "Choose the credential in the node's settings, and remove what is connected there.",
	}
	errNotPersonal = &kit.Failure{
		Message: "The credential is sent only in runs that its owner starts personally, and this is none",
		Hint:    "Its owner can lock it to the address that the node sends to: then it is sent in every run.",
	}
	errNotApproved = &kit.Failure{
		Message: "The credential is not sent, for its owner did not write where this node sends",
		Hint:    "Its owner, signed in, can take the credential out of the node, save, look at the address and choose it again; or lock it to the address.",
	}
	errFedAddress = &kit.Failure{
		Message: "The credential is not sent to an address that only flows into this node, which others may write",
		Hint:    "Write an address on the same host in the node itself, signed in as the credential's owner; or lock the credential to it.",
	}
	errUnreadableKey = &kit.Failure{
		Message: "The key of the credential cannot be read on this install",
		Hint:    "Its owner can type it again under Credentials.",
	}
)

// SendingNode is a node at work that sends something.
type SendingNode struct {
	Node *nodegraph.Node
	// Feeds are what flows into it.
	Feeds []nodegraph.Feed
	// Owner is whose graph it lies in.
	Owner models.ID
	// WorkflowID is the workflow that it lies in, nil for a single node, on settings that the caller just sent.
	WorkflowID *models.ID
	// Personal: its owner started the run, signed in, and not by an app.
	Personal bool
}

// Open is what a node at work sends with: nil when its workflow's
// creator has no such credential (contract 2, "Webhook-output node and
// credentials" 3). A locked one is held to its address where it is sent, a plain one
// whose address flows in to the host that its owner wrote.
func (s Credentials) Open(ctx context.Context, n SendingNode, named string) (*kit.Credential, error) {
	at := senderOf(n.Node, n.Feeds)
	if at.fedID || at.named() != named {
		return nil, errFedCredential
	}
	c, err := models.First[Credential](s.flow.DB.Read(ctx).Where("id = ? AND account_id = ?", at.id, n.Owner), nil)
	if err != nil || c == nil {
		return nil, err
	}
	if c.Kind == PlainCredential {
		if err := s.flow.checkPersonal(ctx, n, at); err != nil {
			return nil, err
		}
	}
	key, err := s.flow.Vault.Open(c.purpose(), c.KeySealed)
	if err != nil {
		slog.ErrorContext(ctx, "the key of a credential cannot be read", "credential", c.ID, "error", err)
		return nil, errUnreadableKey
	}
	found := &kit.Credential{HeaderName: c.HeaderName, Key: key, AllowSubpaths: c.AllowSubpaths}
	if c.LockedURL != nil {
		found.LockedURL = *c.LockedURL
	} else if at.fed {
		if found.Host = writtenHost(n.Node); found.Host == "" {
			return nil, errFedAddress
		}
	}
	return found, nil
}

// writtenHost is the host (see nodes.HostOf) that an outbound node itself names, whatever
// flows into its address; "" for none.
func writtenHost(node *nodegraph.Node) string {
	address, _ := node.Data[addressField].(string)
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		return ""
	}
	return kit.HostOf(address)
}

// checkPersonal refuses a plain credential but in a run that its owner started
// personally, on a node that its owner wrote.
func (s *Service) checkPersonal(ctx context.Context, n SendingNode, at *sender) error {
	if !n.Personal {
		return errNotPersonal
	}
	if n.WorkflowID == nil {
		return nil
	}
	row, err := models.First[credentialNode](s.DB.Read(ctx).
		Where("workflow_id = ? AND node_id = ? AND credential_id = ?", *n.WorkflowID, at.node.ID, at.id), nil)
	if err != nil {
		return err
	}
	if row == nil || subtle.ConstantTimeCompare(row.Approved, at.digest) != 1 {
		return errNotApproved
	}
	return nil
}

// CredentialUse is a workflow that sends with a credential.
type CredentialUse struct {
	CredentialID models.ID
	WorkflowID   models.ID
	WorkflowName string
	// Nodes is how many of its nodes do.
	Nodes int
	// Workflows is how many workflows send with the credential in all.
	Workflows int
}

// shownUses is how many workflows a credential names.
const shownUses = 10

// fillUses adds which workflows send with the credentials.
func fillUses(db *gorm.DB, all ...*Credential) error {
	ids, byID := make([]models.ID, len(all)), map[models.ID]*Credential{}
	for i, c := range all {
		ids[i], byID[c.ID] = c.ID, c
		c.Uses, c.UseCount = []*CredentialUse{}, 0
	}
	if len(ids) == 0 {
		return nil
	}
	var uses []*CredentialUse
	err := db.Raw(`SELECT * FROM (
			SELECT n.credential_id, w.id AS workflow_id, w.name AS workflow_name, count(*) AS nodes,
				row_number() OVER (PARTITION BY n.credential_id ORDER BY w.id DESC) AS place,
				count(*) OVER (PARTITION BY n.credential_id) AS workflows
			FROM credential_nodes n JOIN workflows w ON w.id = n.workflow_id AND w.deleted_at IS NULL
			WHERE n.credential_id IN ? GROUP BY n.credential_id, w.id, w.name) uses
		WHERE place <= ? ORDER BY credential_id, place`, ids, shownUses).Scan(&uses).Error
	for _, use := range uses {
		c := byID[use.CredentialID]
		c.Uses, c.UseCount = append(c.Uses, use), use.Workflows
	}
	return err
}
