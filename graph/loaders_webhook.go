package graph

import (
	"atelier/models"
	"atelier/models/event"

	"github.com/vikstrous/dataloadgen"
)

// webhookLoaders gather the attempts of a page of deliveries.
type webhookLoaders struct {
	Attempts *dataloadgen.Loader[models.ID, []*event.Attempt]
}

func newWebhookLoaders(r *Resolver) webhookLoaders {
	return webhookLoaders{Attempts: loader(r.Events.ListAttempts)}
}
