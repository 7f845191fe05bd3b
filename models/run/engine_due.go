package run

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/nodes"
)

// A metered node says what it really cost once it is done, and that may be more than
// was held for it. Such a charge is due until its execution is settled: only then is
// it known what the others left of the hold. What hold and headroom cover is charged,
// the platform absorbs the rest (contract 3, "Usage report rules"), and the markup of an
// app comes behind all nodes.

// maxOverrun bounds what a metered node may be charged, as a multiple of what was held
// for it, whatever its provider reports.
const maxOverrun = 20

// dueCharge is a charge that waits for the settlement.
type dueCharge struct {
	// Job is the node whose job it is, Node the charged one: of a component the path
	// of the one inside.
	Job    string `json:"job"`
	Node   string `json:"node"`
	Type   string `json:"type"`
	Model  string `json:"model"`
	Amount int64  `json:"amount"`
}

// dueCharges is a column of them, null for none.
type dueCharges []dueCharge

// GormDataType makes gorm see a column in the list.
func (dueCharges) GormDataType() string { return "jsonb" }

func (d dueCharges) Value() (driver.Value, error) {
	if len(d) == 0 {
		return nil, nil
	}
	b, err := json.Marshal([]dueCharge(d))
	return string(b), err
}

func (d *dueCharges) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*d = nil
		return nil
	case []byte:
		return json.Unmarshal(src, (*[]dueCharge)(d))
	case string:
		return json.Unmarshal([]byte(src), (*[]dueCharge)(d))
	}
	return fmt.Errorf("due charges from %T", src)
}

// of tells whether a node's charge is due.
func (d dueCharges) of(nodeID string) bool {
	for _, c := range d {
		if c.Node == nodeID {
			return true
		}
	}
	return false
}

// takeDue takes what is due out of an execution that is being settled, with the markup
// behind it; nil when nothing is, and then the markup is among its charges.
func (e *Execution) takeDue() (jobs []string, due []credit.NodeCharge) {
	if len(e.Due) == 0 {
		e.chargeMarkup()
		return nil, nil
	}
	base := e.Charged
	for _, c := range e.Due {
		jobs = append(jobs, c.Job)
		due = append(due, nodeCharge(c.Node, c.Type, c.Model, models.Credits(c.Amount)))
		base += models.Credits(c.Amount)
	}
	e.Due = nil
	return jobs, append(due, markupCharge(flow.MarkupOf(base, e.Markup)))
}

// settle ends the hold of an execution whose row is written, and writes what came of
// charges that were due.
func (s *Service) settle(tx *models.Tx, exec *Execution, charges []credit.NodeCharge, jobs []string, due []credit.NodeCharge) error {
	covered, err := s.Credits.SettleMetered(tx, exec.payer(), exec.ID, exec.Hold, exec.Charged, charges, due)
	if err != nil || len(due) == 0 {
		return err
	}
	charged, absorbed := make([]int64, len(jobs)), make([]int64, len(jobs))
	for i, c := range due {
		exec.Charged += covered[i]
		if c.Markup {
			exec.MarkupCharged, exec.MarkupAbsorbed = covered[i], c.Amount-covered[i]
			continue
		}
		exec.Absorbed += c.Amount - covered[i]
		charged[i], absorbed[i] = int64(covered[i]), int64(c.Amount-covered[i])
	}
	first, after := jobIDs(exec.ID)
	_, err = tx.Run(`
		UPDATE jobs j SET credits_charged = coalesce(j.credits_charged, 0) + c.charged, credit_status = 'committed',
			credits_absorbed = coalesce(j.credits_absorbed, 0) + c.absorbed
		FROM (SELECT node_id, sum(charged)::bigint AS charged, sum(absorbed)::bigint AS absorbed
			FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS t(node_id, charged, absorbed) GROUP BY node_id) c
		WHERE j.execution_id = $4 AND j.id >= $5 AND j.id < $6 AND j.node_id = c.node_id AND shard_fits_space(j.shard, $7)`,
		jobs, charged, absorbed, exec.ID, first, after, exec.space())
	if err != nil {
		return err
	}
	exec.Hold = max(exec.Hold, exec.Charged) // with what it took beyond the first hold
	return tx.Model(exec).Where("account_id = ? AND shard_fits_space(shard, ?)", exec.AccountID, exec.space()).
		Select("hold", "charged", "absorbed", "markup_charged", "markup_absorbed").Updates(exec).Error
}

func markupCharge(amount models.Credits) credit.NodeCharge {
	return credit.NodeCharge{What: "App markup", Model: credit.MarkupModel, Amount: amount, Markup: true}
}

// chargeMarkup charges the markup for what the nodes of an execution were charged.
func (e *Execution) chargeMarkup() {
	if amount := flow.MarkupOf(e.Charged, e.Markup); amount > 0 {
		e.charges = append(e.charges, markupCharge(amount))
		e.Charged, e.MarkupCharged = e.Charged+amount, amount
	}
}

// holdMarkup adds the markup to what is held for a new execution.
func (e *Execution) holdMarkup() {
	if amount := flow.MarkupOf(e.Hold, e.Markup); amount > 0 {
		e.parts = append(e.parts, credit.Part{Model: credit.MarkupModel, Amount: amount})
		e.Hold += amount
	}
}

// nodeCharge is the charge of a node by what it does.
func nodeCharge(nodeID, nodeType, model string, amount models.Credits) credit.NodeCharge {
	what := nodeType
	if kind, ok := nodes.Find(nodeType); ok {
		what = kind.Label
	}
	return credit.NodeCharge{NodeID: nodeID, What: what, Model: model, Amount: amount}
}

// jobOfPath is the node whose job does what lies at a path.
func jobOfPath(path string) string {
	job, _, _ := strings.Cut(path, componentBoundary)
	return job
}
