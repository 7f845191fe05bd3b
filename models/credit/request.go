package credit

import (
	"context"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"

	"gorm.io/gorm/clause"
)

// requestsPerDay is how often one person may ask for credits.
var requestsPerDay = models.Limit{Name: "credits.request", Max: 3, Per: 24 * time.Hour}

// maxAsked is how many people one request is told to, maxAnswered how many
// requests one act answers.
const (
	maxAsked    = 20
	maxAnswered = 100
)

// RequestInput asks for credits; a nil Amount leaves it to the one who gives.
type RequestInput struct {
	Amount *models.Credits
	Reason string
}

// Request is a person's wish for credits, and what came of it.
type Request struct {
	ID             models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	WorkspaceID    models.ID
	RequesterID    models.ID
	Amount         *models.Credits
	Reason         string
	CreatedAt      time.Time
	// Answer is given, declined or withdrawn; nil while it is open.
	Answer     *string
	AnsweredAt *time.Time
	AnsweredBy *models.ID

	// CanGive is whether the caller may allocate credits for it; of RequestsByID.
	CanGive bool `gorm:"->"`
	// Cap is the requester's, which bounds them, in lists of open requests; nil
	// where the workspace's budget alone does.
	Cap *models.Credits `gorm:"->"`
}

func (Request) TableName() string { return "credit_requests" }

// RequestCredits tells the workspace's admins and the organization's owner that
// a person asks for credits (members of the workspace). validation_error for a
// bad amount or reason, and when no one else can be asked; rate_limit_exceeded
// beyond three a day.
func (s *Service) RequestCredits(ctx context.Context, workspaceID models.ID, in RequestInput) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesWrite); err != nil {
		return err
	}
	w, err := s.Orgs.Workspaces().FindFor(ctx, actor.UserID, workspaceID)
	if err == nil {
		err = w.Authorize(org.ReadWorkspace)
	}
	if err == nil {
		err = mayRequest(w)
	}
	if err != nil {
		return err
	}
	if in, err = checkRequest(in); err != nil {
		return err
	}
	if err := s.DB.CountCall(ctx, requestsPerDay, actor.UserID.String()); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error { return s.request(tx, w, in) })
}

func mayRequest(w *org.Workspace) error {
	if err := w.Authorize(org.WorkInWorkspace); err != nil {
		return err
	}
	return w.CheckNotArchived(false)
}

func checkRequest(in RequestInput) (RequestInput, error) {
	if in.Amount != nil && (*in.Amount <= 0 || *in.Amount > models.MaxCredits) {
		return in, models.Invalid("amount", "must be more than 0, or left out")
	}
	reason, err := models.CleanText("reason", strings.TrimSpace(in.Reason), 500)
	switch {
	case err != nil:
		return in, err
	case reason == "":
		return in, models.Invalid("reason", "must say what the credits are for")
	}
	in.Reason = reason
	return in, nil
}

// request writes the request down and tells the one who can answer it.
func (s *Service) request(tx *models.Tx, w *org.Workspace, in RequestInput) error {
	if err := org.HoldWorkspace(tx, w.ID); err != nil {
		return err
	}
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), tx.Actor.UserID, w.ID)
	if err == nil {
		err = mayRequest(w)
	}
	if err != nil {
		return err
	}
	asked, err := org.OwnerAndAdmins(tx, w, tx.Actor.UserID, maxAsked)
	if err != nil {
		return err
	}
	if len(asked) == 0 {
		return models.Err(models.CodeValidation, "There is no one else to ask: you give credits here yourself")
	}
	before := []any{w.ID, tx.Actor.UserID} // what was asked for before is replaced
	if _, err := s.answerRequests(tx, w, "withdrawn", 0, "workspace_id = ? AND requester_id = ?", before...); err != nil {
		return err
	}
	tx.Notify("workspace:" + w.ID.String())
	request := Request{
		ID: tx.NewID(), OrganizationID: w.OrganizationID, WorkspaceID: w.ID, RequesterID: tx.Actor.UserID,
		Amount: in.Amount, Reason: in.Reason, CreatedAt: tx.Now,
	}
	if err := tx.Create(&request).Error; err != nil {
		return err
	}
	err = s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.CreditRequest, Needs: notice.Teacher, OrganizationID: &w.OrganizationID, WorkspaceID: &w.ID, SubjectID: &request.ID,
		Facts: notice.Facts{Workspace: w.Name, Person: tx.Actor.DisplayName, Amount: in.Amount, Reason: in.Reason}, Key: request.ID.String(),
	}, asked...)
	if err != nil {
		return err
	}
	return tx.Audit(w.OrganizationID, "budget.requested",
		models.Target{Type: "workspace", ID: w.ID, WorkspaceID: &w.ID}, models.Fields{"amount": {To: in.Amount}, "reason": {To: in.Reason}})
}

// RequestsByID are requests for credits of workspaces that the caller is an admin
// of; others are left out.
func (s *Service) RequestsByID(ctx context.Context, ids []models.ID) (map[models.ID]*Request, error) {
	db, user := s.DB.Read(ctx), models.ActorFrom(ctx).UserID
	var rows []*Request
	err := db.Model(&Request{}).
		Select("credit_requests.*, organization_id IN (?) AS can_give", org.Permitted(db, user, org.AllocateCredits)).
		Where("id IN ? AND workspace_id IN (?)", ids, org.Reached(db, user, org.WorkspaceRoleAdmin)).Find(&rows).Error
	byID := make(map[models.ID]*Request, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	return byID, err
}

// answerRequests answers the open requests that a condition finds, since what
// they ask for was done, and returns who had asked.
func (s *Service) answerRequests(tx *models.Tx, w *org.Workspace, answer string, given models.Credits, condition string, args ...any) ([]models.ID, error) {
	var open []*Request
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("answered_at IS NULL AND "+condition, args...).Order("id").Limit(maxAnswered).Find(&open).Error
	if err != nil {
		return nil, err
	}
	var amount *models.Credits
	if given > 0 {
		amount = &given
	}
	asked := make([]models.ID, len(open))
	for i, request := range open {
		asked[i] = request.RequesterID
		if err := s.answer(tx, w, request, answer, amount); err != nil {
			return nil, err
		}
	}
	return asked, nil
}

func (s *Service) answer(tx *models.Tx, w *org.Workspace, request *Request, answer string, given *models.Credits) error {
	err := tx.Model(&Request{}).Where("id = ?", request.ID).
		Updates(map[string]any{"answer": answer, "answered_at": tx.Now, "answered_by": tx.Actor.UserID}).Error
	if err == nil {
		err = s.Orgs.Notices.Settle(tx, notice.CreditRequest, request.ID)
	}
	if err != nil || request.RequesterID == tx.Actor.UserID {
		return err
	}
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.CreditAnswer, Needs: notice.Member, OrganizationID: &w.OrganizationID, WorkspaceID: &w.ID, SubjectID: &request.ID,
		Facts: notice.Facts{Workspace: w.Name, Person: tx.Actor.DisplayName, Amount: given, Status: answer}, Key: request.ID.String(),
	}, request.RequesterID)
}

// requestsKept is how long requests are kept, answered or not.
const requestsKept = 90 * 24 * time.Hour

// Sweep removes requests for credits that are old.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.DB.SweepRows(ctx, "ledger_comparisons", "created_at < $1", s.DB.Clock.Now().Add(-comparisonsKept)); err != nil {
		return err
	}
	return s.DB.SweepRows(ctx, "credit_requests", "created_at < $1", s.DB.Clock.Now().Add(-requestsKept))
}
