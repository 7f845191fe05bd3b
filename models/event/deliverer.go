package event

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/models"
	"atelier/models/lane"
)

// How results are gathered to be written together, and how many transactions of
// single ones there are at once: batches keep a connection of their own.
const (
	gatherMost   = 64
	gatherWait   = 2 * time.Millisecond
	singleAtOnce = 2
)

// Deliverer is Deliver for a dispatcher: what is claimed together is read and
// counted together, and plain results that arrive within a few milliseconds are
// written together, each fenced by its own lease. Whatever asks for more than
// that - a final failure, which may turn the endpoint off, silence, which may
// send it to rest, a refusal - has a transaction of its own, as in Deliver.
type Deliverer struct {
	service *Service
	results *batcher[*outcome]
	singles chan struct{}
	late    lateness
}

// NewDeliverer makes the deliverer of one dispatcher.
func (s *Service) NewDeliverer() *Deliverer {
	d := &Deliverer{service: s, singles: make(chan struct{}, singleAtOnce)}
	d.results = newBatcher(gatherMost, gatherWait, d.write)
	return d
}

// outcome is a plain result that waits to be written.
type outcome struct {
	ctx   context.Context
	lease lane.Lease
	p     *prepared
	r     result
	ended chan error
}

// Begin readies the leases of one claim.
func (d *Deliverer) Begin(ctx context.Context, leases []lane.Lease) (handle func(context.Context, lane.Lease) error) {
	began := time.Now()
	d.late.begin(len(leases))
	ready, err := d.service.prepareAll(ctx, leases)
	if err != nil {
		slog.WarnContext(ctx, "deliveries are read one by one", "error", err)
	}
	return func(ctx context.Context, lease lane.Lease) error {
		sent, err := d.service.attempt(ctx, lease, ready[lease.ID], d)
		d.late.end(time.Since(began) - sent)
		return err
	}
}

// single waits for the turn of a transaction for one delivery.
func (d *Deliverer) single(ctx context.Context, fn func() error) error {
	select {
	case d.singles <- struct{}{}:
		defer func() { <-d.singles }()
		return fn()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// settle has a plain result written with others.
func (d *Deliverer) settle(ctx context.Context, lease lane.Lease, p *prepared, r result) error {
	if !p.plain(r, d.service.attempts()) {
		return d.single(context.WithoutCancel(ctx), func() error { return d.service.settle(ctx, lease, p, r) })
	}
	o := &outcome{ctx: ctx, lease: lease, p: p, r: r, ended: make(chan error, 1)}
	d.results.add(o)
	return <-o.ended
}

// plain tells whether a result changes its delivery alone, and at most ends a
// rest or a count of failures.
func (p *prepared) plain(r result, attempts int) bool {
	return r.answered() && (r.delivered() || p.once() || p.delivery.Attempts < attempts)
}

// write writes results together; where that fails, one by one.
func (d *Deliverer) write(batch []*outcome) {
	written, err := d.service.settleAll(batch)
	for _, o := range batch {
		switch {
		case err != nil:
			go func() {
				o.ended <- d.single(context.Background(), func() error { return d.service.settle(o.ctx, o.lease, o.p, o.r) })
			}()
		case written[o.lease.ID]:
			o.ended <- nil
		default:
			o.ended <- lane.ErrLost
		}
	}
	if err != nil {
		slog.Warn("results of deliveries are written one by one", "error", err)
	}
}

const (
	lockDeliveries = `
		SELECT id, endpoint_id, account_id, event, status, attempts, request_body, finished_at
		FROM webhook_deliveries WHERE id = ANY($1::uuid[]) AND status = 'pending' ORDER BY id FOR NO KEY UPDATE`
	countAttempts = `UPDATE webhook_deliveries SET attempts = attempts + 1 WHERE id = ANY($1::uuid[])`
)

var lockEndpoints = `
		SELECT id, account_id, url, is_active, secret, previous_secret, previous_secret_expires_at, ` + approved + `
		FROM webhook_endpoints WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE OF webhook_endpoints`

// prepareAll is prepare for the leases of a claim, in one transaction. What it
// leaves out, what is not to be sent, has to be prepared by itself.
func (s *Service) prepareAll(ctx context.Context, leases []lane.Lease) (ready map[models.ID]*prepared, err error) {
	conn, err := s.DB.Background(ctx).Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	defer func() {
		if err != nil {
			_, _ = conn.Exec(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	now := s.DB.Clock.Now()
	read, err := readAll(ctx, conn, leases, now)
	if err != nil {
		return nil, err
	}
	ready = make(map[models.ID]*prepared, len(leases))
	counted := make([]models.ID, 0, len(leases))
	for _, lease := range leases {
		p := read.prepared(lease, now)
		if p == nil || s.refusal(p, lease) != "" {
			continue
		}
		if p.secrets, p.trouble = s.readiness(ctx, p); p.trouble != "" {
			continue
		}
		p.delivery.Attempts++
		ready[lease.ID], counted = p, append(counted, lease.ID)
	}
	end := &pgx.Batch{}
	end.Queue(countAttempts, counted)
	end.Queue(`COMMIT`)
	if err := conn.SendBatch(ctx, end).Close(); err != nil {
		return nil, err
	}
	return ready, nil
}

// batchRead is what is known of the leases of a claim.
type batchRead struct {
	endpoints  map[models.ID]*Endpoint
	deliveries map[models.ID]*Delivery
	held       map[models.ID]bool
}

type batchSender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// readAll begins a transaction and locks, in the order that all keep.
func readAll(ctx context.Context, conn batchSender, leases []lane.Lease, now time.Time) (*batchRead, error) {
	read := &batchRead{map[models.ID]*Endpoint{}, map[models.ID]*Delivery{}, map[models.ID]bool{}}
	ids, endpoints := idsOf(leases)
	b := &pgx.Batch{}
	b.Queue(`BEGIN ISOLATION LEVEL READ COMMITTED`)
	b.Queue(lockEndpoints, endpoints).Query(func(rows pgx.Rows) error {
		return eachRow(rows, func() error {
			e := &Endpoint{}
			err := rows.Scan(&e.ID, &e.AccountID, &e.URL, &e.IsActive, &e.Secret, &e.PreviousSecret, &e.PreviousSecretExpiresAt, &e.Approved)
			read.endpoints[e.ID] = e
			return err
		})
	})
	b.Queue(lockDeliveries, ids).Query(func(rows pgx.Rows) error {
		return eachRow(rows, func() error {
			d := &Delivery{}
			err := rows.Scan(&d.ID, &d.EndpointID, &d.AccountID, &d.Event, &d.Status, &d.Attempts, &d.RequestBody, &d.FinishedAt)
			read.deliveries[d.ID] = d
			return err
		})
	})
	lane.QueueHold(b, leases, &now, func(id models.ID) { read.held[id] = true })
	return read, conn.SendBatch(ctx, b).Close()
}

func eachRow(rows pgx.Rows, scan func() error) error {
	for rows.Next() {
		if err := scan(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func idsOf(leases []lane.Lease) (ids, endpoints []models.ID) {
	seen := map[models.ID]bool{}
	for _, l := range leases {
		ids = append(ids, l.ID)
		if !seen[l.LaneID] {
			seen[l.LaneID] = true
			endpoints = append(endpoints, l.LaneID)
		}
	}
	return ids, endpoints
}

// prepared is the attempt of a lease; nil when there is more to it.
func (read *batchRead) prepared(lease lane.Lease, now time.Time) *prepared {
	endpoint, delivery := read.endpoints[lease.LaneID], read.deliveries[lease.ID]
	if !read.held[lease.ID] || endpoint == nil || delivery == nil ||
		endpoint.AccountID != lease.OwnerID || delivery.EndpointID != lease.LaneID {
		return nil
	}
	return &prepared{endpoint: endpoint, delivery: delivery, at: now}
}

// settleAll is settle for plain results, in one transaction; it returns those
// that were written. The others' leases are lost.
func (s *Service) settleAll(batch []*outcome) (written map[models.ID]bool, err error) {
	ctx, cancel := context.WithTimeout(models.ForDeliveries(context.Background()), finishing)
	defer cancel()
	now := s.DB.Clock.Now()
	b, rows, ends := &pgx.Batch{}, &resultRows{}, make([]lane.End, len(batch))
	leases := make([]lane.Lease, len(batch))
	for i, o := range batch {
		leases[i] = o.lease
		ends[i] = rows.add(s, o, now)
	}
	ids, endpoints := idsOf(leases)
	written = make(map[models.ID]bool, len(batch))
	b.Queue(lockFailing, rows.clearing)
	b.Queue(`SELECT FROM webhook_endpoints WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE`, endpoints)
	b.Queue(`SELECT FROM webhook_deliveries WHERE id = ANY($1::uuid[]) AND status = 'pending' ORDER BY id FOR NO KEY UPDATE`, ids)
	lane.QueueHold(b, leases, nil, func(models.ID) {})
	b.Queue(writeResults, rows.arguments(now)...).QueryRow(func(row pgx.Row) error {
		return lane.ScanEnding(row, func(id models.ID) { written[id] = true })
	})
	var woken int64
	lane.QueueEnd(b, Lane, now, ends, func(n int64) { woken = n })
	err = s.DB.Background(ctx).SendBatch(ctx, b).Close()
	if err == nil && woken > 0 {
		s.DB.Bus.Publish(lane.Topic(Lane.Name))
	}
	return written, err
}

const (
	// lockFailing locks the endpoints whose count of failures a success ends.
	lockFailing = `
		SELECT set_config('event.failing', COALESCE(string_agg(id::text, ','), ''), true) FROM (
			SELECT id FROM webhook_endpoints WHERE id = ANY($1::uuid[]) AND consecutive_failures > 0 ORDER BY id FOR NO KEY UPDATE
		) failing`

	writeResults = `
		WITH mine AS (
			SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::bytea[], $6::int[], $7::text[], $8::timestamptz[],
				$9::boolean[], $10::uuid[], $11::int[], $12::text[], $13::text[], $14::int[], $15::int[], $16::timestamptz[], $18::text[])
				AS t(id, endpoint_id, status, response_status, response_body, duration_ms, error, again,
					clears, attempt_id, number, fault, address, dns_ms, connect_ms, began_at, response_header)
			WHERE id = ANY(` + lane.Held + `)
		), done AS (
			UPDATE webhook_deliveries d SET status = m.status, response_status = m.response_status, response_body = m.response_body,
				duration_ms = m.duration_ms, error = m.error, next_attempt_at = m.again,
				finished_at = CASE WHEN m.again IS NULL THEN $17::timestamptz ELSE d.finished_at END,
				request_body = CASE WHEN m.status <> 'delivered' THEN d.request_body END
			FROM mine m
			WHERE d.id = ANY($1::uuid[]) AND d.id = m.id AND d.endpoint_id = m.endpoint_id AND d.status = 'pending'
			RETURNING d.id
		), logged AS (
			INSERT INTO webhook_attempts (id, delivery_id, endpoint_id, number, response_status, response_body, error, address,
				duration_ms, dns_ms, connect_ms, created_at, response_header)
			SELECT m.attempt_id, m.id, m.endpoint_id, m.number, m.response_status, m.response_body, m.fault, m.address,
				m.duration_ms, m.dns_ms, m.connect_ms, m.began_at, m.response_header
			FROM mine m JOIN done ON done.id = m.id
		), cleared AS (
			UPDATE webhook_endpoints e SET consecutive_failures = 0
			WHERE e.id = ANY(string_to_array(NULLIF(current_setting('event.failing', true), ''), ',')::uuid[])
				AND e.id IN (SELECT m.endpoint_id FROM mine m JOIN done ON done.id = m.id WHERE m.clears)
		)
		SELECT ` + lane.SetEnding + ` FROM done`
)

// resultRows are the columns of results, for writeResults.
type resultRows struct {
	ids, endpoints, attempts      []models.ID
	statuses                      []string
	responses, durations, numbers []*int
	bodies                        [][]byte
	errors, faults, addresses     []*string
	heads                         []*string
	again, began                  []*time.Time
	clears                        []bool
	dns, connect                  []*int
	clearing                      []models.ID
}

// add adds a result and says how its lease ends.
func (rows *resultRows) add(s *Service, o *outcome, now time.Time) lane.End {
	final := o.r.delivered() || o.p.once()
	end, status := lane.End{Lease: o.lease, Answered: o.p.delivery.Event != Ping}, DeliveryPending
	switch {
	case o.r.delivered():
		status = DeliveryDelivered
	case final:
		status = DeliveryFailed
	default:
		end.Again = now.Add(s.wait(o.p.delivery.Attempts))
	}
	a := s.attemptOf(s.DB.NewID(now), o.p, o.r)
	clears := o.r.delivered() && o.p.delivery.Event != Ping
	if clears {
		rows.clearing = append(rows.clearing, o.lease.LaneID)
	}
	rows.ids, rows.endpoints = append(rows.ids, o.lease.ID), append(rows.endpoints, o.lease.LaneID)
	rows.attempts, rows.statuses = append(rows.attempts, a.ID), append(rows.statuses, string(status))
	rows.responses, rows.durations = append(rows.responses, a.ResponseStatus), append(rows.durations, &a.DurationMs)
	rows.numbers, rows.bodies = append(rows.numbers, &a.Number), append(rows.bodies, a.ResponseBody)
	rows.errors, rows.faults = append(rows.errors, o.r.error()), append(rows.faults, a.Error)
	rows.heads = append(rows.heads, a.ResponseHeader)
	rows.addresses, rows.clears = append(rows.addresses, a.Address), append(rows.clears, clears)
	rows.dns, rows.connect = append(rows.dns, &a.DNSMs), append(rows.connect, &a.ConnectMs)
	rows.began = append(rows.began, &a.CreatedAt)
	if end.Again.IsZero() {
		rows.again = append(rows.again, nil)
	} else {
		rows.again = append(rows.again, &end.Again)
	}
	return end
}

func (rows *resultRows) arguments(now time.Time) []any {
	return []any{
		rows.ids, rows.endpoints, rows.statuses, rows.responses, rows.bodies, rows.durations, rows.errors, rows.again,
		rows.clears, rows.attempts, rows.numbers, rows.faults, rows.addresses, rows.dns, rows.connect, rows.began, now, rows.heads,
	}
}
