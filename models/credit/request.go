package credit

import (
	"context"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// requestsPerDay is how often one person may ask for credits.
var requestsPerDay = models.Limit{Name: "credits.request", Max: 3, Per: 24 * time.Hour}

// maxAsked is how many people one request is mailed to.
const maxAsked = 20

// RequestInput asks for credits; a nil Amount leaves it to whoever gives.
type RequestInput struct {
	Amount *models.Credits
	Reason string
}

// RequestMail is the job that mails a request to one person.
type RequestMail struct {
	WorkspaceID models.ID       `json:"workspaceId"`
	RequesterID models.ID       `json:"requesterId"`
	RecipientID models.ID       `json:"recipientId"`
	Amount      *models.Credits `json:"amount,omitempty"`
	Reason      string          `json:"reason"`
}

func (RequestMail) Kind() string { return "mail_credit_request" }

// RequestLetter is a request's mail to be written.
type RequestLetter struct {
	Address       string
	Name          string
	RequesterName string
	WorkspaceID   models.ID
	WorkspaceName string
	Amount        *models.Credits
	Reason        string
}

// RequestCredits mails a request for credits to the workspace's admins and the
// organization's owner (members of the workspace). validation_error for a bad
// amount or reason, where the install sends no mail, and when nobody else can
// be asked; rate_limit_exceeded beyond three a day.
func (s *Service) RequestCredits(ctx context.Context, workspaceID models.ID, in RequestInput) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(); err != nil {
		return err
	}
	if err := actor.RequireScope(models.ScopeWorkspacesWrite); err != nil {
		return err
	}
	w, err := s.Orgs.FindWorkspace(ctx, workspaceID)
	if err == nil {
		err = mayRequest(w)
	}
	if err != nil {
		return err
	}
	if in, err = s.checkRequest(in); err != nil {
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

func (s *Service) checkRequest(in RequestInput) (RequestInput, error) {
	if in.Amount != nil && (*in.Amount <= 0 || *in.Amount > models.MaxCredits) {
		return in, models.Invalid("amount", "must be more than 0, or left out")
	}
	reason, err := models.CleanText("reason", strings.TrimSpace(in.Reason), 500)
	switch {
	case err != nil:
		return in, err
	case reason == "":
		return in, models.Invalid("reason", "must say what the credits are for")
	case !s.Orgs.Mail:
		return in, models.Err(models.CodeValidation, "This install sends no mail: ask an admin of the workspace in person")
	}
	in.Reason = reason
	return in, nil
}

// request writes the request down and hands its mails to the queue.
func (s *Service) request(tx *models.Tx, w *org.Workspace, in RequestInput) error {
	if err := org.HoldWorkspace(tx, w.ID); err != nil {
		return err
	}
	w, err := s.Orgs.StandingIn(tx.DB, tx.Actor.UserID, w.ID)
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
		return models.Err(models.CodeValidation, "There is nobody else to ask: you give credits here yourself")
	}
	for _, id := range asked {
		args := RequestMail{WorkspaceID: w.ID, RequesterID: tx.Actor.UserID, RecipientID: id, Amount: in.Amount, Reason: in.Reason}
		if err := tx.Enqueue(args, account.MailOptions()); err != nil {
			return err
		}
	}
	return tx.Audit(w.OrganizationID, "budget.requested",
		models.Target{Type: "workspace", ID: w.ID, WorkspaceID: &w.ID}, models.Fields{"amount": {To: in.Amount}, "reason": {To: in.Reason}})
}

// WriteRequestLetter is the mail of a request; nil when it is needed no more:
// somebody left, or neither of them may act in the workspace any longer.
func (s *Service) WriteRequestLetter(ctx context.Context, args RequestMail) (*RequestLetter, error) {
	people, err := s.Orgs.Accounts.UsersByID(ctx, []models.ID{args.RequesterID, args.RecipientID})
	if err != nil {
		return nil, err
	}
	from, to := people[args.RequesterID], people[args.RecipientID]
	if from == nil || to == nil || to.DeletedAt != nil {
		return nil, nil
	}
	standings, err := s.Orgs.StandingsIn(s.DB.Read(ctx), args.WorkspaceID, []models.ID{from.ID, to.ID})
	if err != nil {
		return nil, err
	}
	asks, gives := standings[from.ID], standings[to.ID]
	if asks == nil || gives == nil || mayRequest(asks) != nil || gives.OrgRole == nil || gives.MemberStatus() != nil && *gives.MemberStatus() != org.MemberActive {
		return nil, nil
	}
	return &RequestLetter{
		Address: to.Email, Name: to.DisplayName, RequesterName: from.DisplayName,
		WorkspaceID: asks.ID, WorkspaceName: asks.Name, Amount: args.Amount, Reason: args.Reason,
	}, nil
}
