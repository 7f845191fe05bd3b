package event

import (
	"context"
	"net/netip"
	"time"

	"atelier/models"
	"atelier/models/egress"
	"atelier/models/lane"
	"atelier/models/notice"
)

// Service holds the use cases of webhook endpoints and deliveries.
type Service struct {
	DB *models.DB
	// Vault seals signing secrets; nil answers encryption_key_missing.
	Vault *models.Vault
	// Egress is the guarded client that sends; its timeout is the receiver's
	// time to answer.
	Egress *egress.Client
	// AllowCIDRs are the addresses that pass the URL rules although they are
	// not public.
	AllowCIDRs []netip.Prefix
	// Backoff holds the waits after failed attempts: N waits mean N+1
	// attempts. Nil is the contract's table.
	Backoff []time.Duration
	// Cooldown is the first and the longest rest of an endpoint that does not
	// answer at all. Zero is the contract's: a minute and an hour.
	Cooldown [2]time.Duration
	// Jitter is a random number in [0, 1) that varies each wait by up to a
	// tenth either way. Nil is a source of its own.
	Jitter func() float64
	// Observe is told of each attempt; nil counts none.
	Observe func(context.Context, Attempted)
	// Notices tells people that an endpoint was shut off; nil tells it at the console alone.
	Notices *notice.Service
}

// SeesNotice is the condition that what a notification, as n, tells of an endpoint
// is still there for its recipient.
const SeesNotice = `n.kind <> 'endpoint_off' OR EXISTS (
	SELECT FROM webhook_endpoints ne WHERE ne.id = n.subject_id AND ne.account_id = n.recipient_id)`

// Lane is the kind of work that deliveries are: a lane is an endpoint, an
// owner its account (contract 2, "Delivery guarantees" 2).
var Lane = lane.Kind{Name: "delivery", PerLane: 5, PerOwner: 10}

const (
	// silentAttempts in a row without any HTTP answer bring a rest.
	silentAttempts = 5
	// failuresToDisable consecutive final failures turn an endpoint off.
	failuresToDisable = 50
	// Retention is how long deliveries can be read.
	Retention = 30 * 24 * time.Hour
)

func (s *Service) rest() lane.Cooldown {
	rest := lane.Cooldown{After: silentAttempts, First: s.Cooldown[0], Longest: s.Cooldown[1]}
	if rest.Longest == 0 {
		rest.First, rest.Longest = time.Minute, time.Hour
	}
	return rest
}
