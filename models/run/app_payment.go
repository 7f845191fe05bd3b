package run

import (
	"context"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/space"
)

// AppPayment is what stands between the caller and a run of an app, where some
// space pays.
type AppPayment struct {
	// CreditsLeft is what the space has left, OwnLeft what is left of the caller's
	// own limit there; nil where runs cost nothing, or where there is no limit.
	CreditsLeft, OwnLeft *models.Credits
	// Refusal is why a run would not start now, with its code; nil when it would.
	// One that changes nothing that costs may start all the same.
	RefusalCode, Refusal *string
}

// Payment tells what a run of an app would meet when the workspace pays, or without
// one the caller's personal space; nil without a sign-in. It asks what Start
// asks, and reserves nothing.
func (s AppRuns) Payment(ctx context.Context, app *flow.App, workspaceID *models.ID) (*AppPayment, error) {
	if space.RequireSomeWorkflows(models.ActorFrom(ctx)) != nil {
		return nil, nil
	}
	return s.run.paymentFor(ctx, workspaceID, app.Price())
}

// paymentFor is what something at a price would meet when the workspace pays, or without one the caller's personal space.
func (s *Service) paymentFor(ctx context.Context, workspaceID *models.ID, price models.Credits) (*AppPayment, error) {
	payment := &AppPayment{}
	viewer, err := s.Spaces.Viewer(ctx, workspaceID)
	if err == nil {
		err = viewer.CheckOpen(true)
	}
	if err != nil {
		return payment, payment.refuse(err)
	}
	if s.Free {
		return payment, nil
	}
	payer := credit.Payer{UserID: models.ActorFrom(ctx).UserID, WorkspaceID: workspaceID}
	allowance, err := s.Credits.AllowanceOf(ctx, payer)
	if err != nil {
		return nil, err
	}
	payment.CreditsLeft, payment.OwnLeft = &allowance.Left, allowance.OwnLeft
	return payment, payment.refuse(allowance.Covers(payer, price))
}

// refuse notes a refusal; anything else that failed stays an error.
func (p *AppPayment) refuse(err error) error {
	refusal, known := models.AsError(err)
	if !known {
		return err
	}
	code := string(refusal.Code)
	p.RefusalCode, p.Refusal = &code, &refusal.Message
	return nil
}
