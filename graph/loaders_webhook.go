package graph

import (
	"context"

	"atelier/models"
	"atelier/models/event"

	"github.com/vikstrous/dataloadgen"
)

// webhookLoaders gather what stands beside each of a page of deliveries, or of a
// list of endpoints.
type webhookLoaders struct {
	Attempts *dataloadgen.Loader[models.ID, []*event.Attempt]
	Waiting  *dataloadgen.Loader[*event.Delivery, *event.Waiting]
	Days     *dataloadgen.Loader[endpointDays, []*event.Day]
}

func newWebhookLoaders(r *Resolver) webhookLoaders {
	return webhookLoaders{
		Attempts: loader(r.Events.ListAttempts), Waiting: loader(r.Events.ExplainWaiting), Days: loader(r.daysOf),
	}
}

// endpointDays are the last days of an endpoint in a time zone.
type endpointDays struct {
	endpoint models.ID
	days     int
	zone     string
}

// daysOf asks once for all endpoints of which the same days are wanted.
func (r *Resolver) daysOf(ctx context.Context, wanted []endpointDays) (map[endpointDays][]*event.Day, error) {
	alike, found := map[endpointDays][]models.ID{}, make(map[endpointDays][]*event.Day, len(wanted))
	for _, one := range wanted {
		of := endpointDays{days: one.days, zone: one.zone}
		alike[of] = append(alike[of], one.endpoint)
	}
	for of, ids := range alike {
		byEndpoint, err := r.Events.DaysOf(ctx, ids, of.days, of.zone)
		if err != nil {
			return nil, err
		}
		for id, days := range byEndpoint {
			found[endpointDays{id, of.days, of.zone}] = days
		}
	}
	return found, nil
}
