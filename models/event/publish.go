package event

import (
	"encoding/json"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/lane"
)

// JobEvent is a job that reached an end.
type JobEvent struct {
	// Type is JobCompleted or JobFailed.
	Type  string
	JobID models.ID
	// At is when the job reached this state.
	At time.Time
	// Job is the job as GET /v1/jobs/:id shows it.
	Job json.RawMessage
	// AppID is the connected app that submitted the job itself; nil for every
	// other job, those of workflow runs that an app started included.
	AppID *models.ID
}

// PublishJob writes one delivery of each event for each active endpoint of the
// account that subscribed to it, within the transaction that ended the jobs.
func (s *Service) PublishJob(tx *models.Tx, accountID models.ID, events ...JobEvent) error {
	return s.PublishJobs(tx, map[models.ID][]JobEvent{accountID: events})
}

// PublishJobs is PublishJob for the jobs of several accounts.
func (s *Service) PublishJobs(tx *models.Tx, events map[models.ID][]JobEvent) error {
	accounts := make([]models.ID, 0, len(events))
	for id, of := range events {
		if len(of) > 0 {
			accounts = append(accounts, id)
		}
	}
	if len(accounts) == 0 {
		return nil
	}
	// The lock keeps an endpoint from being deleted before its delivery is there.
	endpoints, err := models.Rows(tx.Context(), s.DB, func(e *Endpoint) []any { return []any{&e.ID, &e.AccountID, &e.AppID, &e.Events, &e.Approved} }, `
		SELECT id, account_id, app_id, events, `+approved+` FROM webhook_endpoints
		WHERE account_id = ANY($1::uuid[]) AND is_active ORDER BY id FOR KEY SHARE OF webhook_endpoints`, accounts)
	if err != nil {
		return err
	}
	byAccount := map[models.ID][]Endpoint{}
	for _, e := range endpoints {
		byAccount[e.AccountID] = append(byAccount[e.AccountID], e)
	}
	var deliveries []*Delivery
	for id, of := range byAccount {
		for _, j := range events[id] {
			for _, endpoint := range of {
				d, err := s.jobDelivery(tx, id, endpoint, j)
				if err != nil {
					return err
				}
				if d != nil {
					deliveries = append(deliveries, d)
				}
			}
		}
	}
	return queue(tx, 0, deliveries...)
}

// jobDelivery is the delivery of an event to an endpoint; nil when the endpoint
// does not get it.
func (s *Service) jobDelivery(tx *models.Tx, accountID models.ID, endpoint Endpoint, j JobEvent) (*Delivery, error) {
	if !slices.Contains(endpoint.Events, j.Type) || !endpoint.Approved || !endpoint.getsJobsOf(j.AppID) {
		return nil, nil
	}
	d := newDelivery(tx, accountID, endpoint.ID, j.Type)
	d.JobID = &j.JobID
	var err error
	d.RequestBody, err = jobBody(d.ID, j)
	return d, err
}

// getsJobsOf tells whether an endpoint gets the jobs that an app submitted, nil for
// those of no one's: a person's gets every job, a connected app's only those that
// the app submitted itself (contract 2, "Event endpoints" 7).
func (e *Endpoint) getsJobsOf(submittedBy *models.ID) bool {
	return e.AppID == nil || submittedBy != nil && *submittedBy == *e.AppID
}

func newDelivery(tx *models.Tx, accountID, endpointID models.ID, kind string) *Delivery {
	now := tx.Now
	return &Delivery{
		ID: tx.NewID(), EndpointID: endpointID, AccountID: accountID, Event: kind,
		Status: DeliveryPending, NextAttemptAt: &now, CreatedAt: now,
	}
}

// queue writes deliveries with their lane items. A priority above zero is sent
// also while the endpoint rests.
func queue(tx *models.Tx, priority int, deliveries ...*Delivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	var (
		ids, endpoints, accounts []models.ID
		jobs                     []*models.ID
		events                   []string
		bodies                   [][]byte
		items                    = make([]lane.Item, len(deliveries))
	)
	for i, d := range deliveries {
		ids, endpoints, accounts = append(ids, d.ID), append(endpoints, d.EndpointID), append(accounts, d.AccountID)
		jobs, events, bodies = append(jobs, d.JobID), append(events, d.Event), append(bodies, d.RequestBody)
		items[i] = lane.Item{ID: d.ID, LaneID: d.EndpointID, OwnerID: d.AccountID, Priority: priority}
	}
	_, err := tx.Run(`
		INSERT INTO webhook_deliveries (id, endpoint_id, account_id, job_id, event, request_body, status, next_attempt_at, created_at)
		SELECT *, 'pending', $7::timestamptz, $7::timestamptz
		FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bytea[])`,
		ids, endpoints, accounts, jobs, events, bodies, tx.Now)
	if err != nil {
		return err
	}
	return lane.Add(tx, Lane, items...)
}
