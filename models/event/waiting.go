package event

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/lane"
)

// Waiting is why a delivery has not ended, in one reason: the one that has to
// pass first for it to be sent.
type Waiting struct {
	Reason WaitReason
	// Until is when the reason passes, when that is known.
	Until *time.Time
	// Busy of Slots are taken, where the reason is a cap.
	Busy, Slots *int
}

// WaitReason is a reason for which a delivery waits.
type WaitReason string

const (
	// WaitUnderWay: an attempt is being made.
	WaitUnderWay WaitReason = "under_way"
	// WaitOff: its endpoint is off.
	WaitOff WaitReason = "off"
	// WaitService: trouble on the service's side, which uses no attempt.
	WaitService WaitReason = "service"
	// WaitNextAttempt: the wait after a failed attempt.
	WaitNextAttempt WaitReason = "next_attempt"
	// WaitResting: nothing answered at the endpoint, which is left alone.
	WaitResting WaitReason = "resting"
	// WaitProbe: the rest is over, and one delivery finds out whether a person
	// answers again.
	WaitProbe WaitReason = "probe"
	// WaitEndpointBusy and WaitAccountBusy: as many as may are under way.
	WaitEndpointBusy WaitReason = "endpoint_busy"
	WaitAccountBusy  WaitReason = "account_busy"
	// WaitQueued: nothing is in its way; the next worker takes it.
	WaitQueued WaitReason = "queued"
)

// ExplainWaiting says of each delivery why it waits; nil of those that have
// ended. The deliveries must have been read on the actor's behalf before.
func (s *Service) ExplainWaiting(ctx context.Context, deliveries []*Delivery) (map[*Delivery]*Waiting, error) {
	actor, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	explained := make(map[*Delivery]*Waiting, len(deliveries))
	var ids, endpointIDs []models.ID
	for _, d := range deliveries {
		explained[d] = nil
		if d.Status == DeliveryPending {
			ids, endpointIDs = append(ids, d.ID), append(endpointIDs, d.EndpointID)
		}
	}
	if len(ids) == 0 {
		return explained, nil
	}
	var off []models.ID
	err = visible(s.DB.Read(ctx), actor).Model(&Endpoint{}).Where("id IN ? AND NOT is_active", endpointIDs).Pluck("id", &off).Error
	if err != nil {
		return nil, err
	}
	isOff := make(map[models.ID]bool, len(off))
	for _, id := range off {
		isOff[id] = true
	}
	standings, err := lane.Look(ctx, s.DB, Lane, ids)
	if err != nil {
		return nil, err
	}
	now := s.DB.Clock.Now()
	for _, d := range deliveries {
		if d.Status == DeliveryPending {
			explained[d] = whyWaiting(d, isOff[d.EndpointID], standings[d.ID], now)
		}
	}
	return explained, nil
}

// whyWaiting is the rule. What was sent by hand does not wait for a rest; a
// rest that ends after the delivery is due is what it waits for.
func whyWaiting(d *Delivery, off bool, at lane.Standing, now time.Time) *Waiting {
	resting := at.RestUntil != nil && at.RestUntil.After(now) && at.Priority == 0
	later := at.DueAt.After(now)
	switch {
	case at.Leased:
		return &Waiting{Reason: WaitUnderWay}
	case off && d.Event != Ping:
		return &Waiting{Reason: WaitOff}
	case resting && at.RestUntil.After(at.DueAt):
		return &Waiting{Reason: WaitResting, Until: at.RestUntil}
	case later && d.Error != nil && (*d.Error == errorSigningUnavailable || *d.Error == errorJobUnreadable):
		return &Waiting{Reason: WaitService, Until: &at.DueAt}
	case later:
		return &Waiting{Reason: WaitNextAttempt, Until: &at.DueAt}
	case at.LaneFlying >= Lane.PerLane:
		return busy(WaitEndpointBusy, at.LaneFlying, Lane.PerLane)
	case at.OwnerFlying >= Lane.PerOwner:
		return busy(WaitAccountBusy, at.OwnerFlying, Lane.PerOwner)
	case at.RestLevel > 0 && at.LaneFlying > 0 && at.Priority == 0:
		return &Waiting{Reason: WaitProbe}
	}
	return &Waiting{Reason: WaitQueued}
}

func busy(reason WaitReason, taken, slots int) *Waiting {
	return &Waiting{Reason: reason, Busy: &taken, Slots: &slots}
}
