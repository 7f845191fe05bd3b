package run

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// NodeEstimate is what one run of a single node would cost on given settings, and what it would meet.
type NodeEstimate struct {
	// Credits is what is held when it starts: what it costs at most or, of a Metered one, about.
	Credits models.Credits
	Metered bool
	// Provider does the work, empty where the type has none; Model is its model, nil where this install works.
	Provider string
	Model    *string
	Payment  *AppPayment
}

// Estimate tells what Run would hold for the same settings in the selected space, by the function that charges,
// and what stands in its way; it starts and holds nothing. Settings that are not complete have a price too; what is
// wrong in them is validation_error, an unknown type not_found.
func (s Nodes) Estimate(ctx context.Context, nodeType string, settings map[string]any) (*NodeEstimate, error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return nil, err
	}
	if !IsStandalone(nodeType) {
		return nil, models.NotFound("Node type")
	}
	_, node, err := s.run.singleNode(actor.UserID, nodeType, settings, false)
	if err != nil {
		return nil, err
	}
	request := s.run.singleRequest(actor, node)
	request.askedFor, request.unready = nodeType, true
	request.Payer.UserID, request.Payer.WorkspaceID = actor.UserID, actor.WorkspaceID
	var run *preparedRun
	err = s.run.DB.Write(ctx, func(tx *models.Tx) (err error) {
		run, err = s.run.prepareRun(tx, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	node = run.nodes[0]
	kind, _ := s.run.Flows.Catalogue.Find(node.Type)
	pinned := kind.Pin(node.Data)
	estimate := &NodeEstimate{Credits: sumOf(s.run.jobParts(&request, node, nil)), Provider: kind.ProviderOf(pinned)}
	estimate.Metered = estimate.Credits > 0 && kind.Metered(node.Data)
	if model, _ := pinned["model"].(string); model != "" {
		estimate.Model = &model
	}
	estimate.Payment, err = s.run.paymentFor(ctx, actor.WorkspaceID, estimate.Credits)
	return estimate, err
}
