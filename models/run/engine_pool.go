package run

import (
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// Pool is one family of node jobs: cheap work, users' programs, media programs,
// waiting on a provider and importing videos do not hold each other up. The lane of a job
// is its account.
type Pool struct {
	Kind lane.Kind
	// Timeout ends a single call of a node.
	Timeout time.Duration
}

// Pools are the pools by the name that node types use.
var Pools = map[kit.Pool]Pool{
	kit.Cheap:    {Kind: lane.Kind{Name: "node.cheap"}, Timeout: time.Minute},
	kit.Program:  {Kind: lane.Kind{Name: "node.program", PerLane: maxPrograms}, Timeout: time.Minute},
	kit.Media:    {Kind: lane.Kind{Name: "node.media"}, Timeout: 15 * time.Minute},
	kit.Provider: {Kind: lane.Kind{Name: "node.provider"}, Timeout: 15 * time.Minute},
	kit.Import:   {Kind: lane.Kind{Name: "node.import", PerLane: maxImports}, Timeout: 15 * time.Minute},
}

// WorkApart has this process queue and do jobs under names of its own, which no worker of another process looks for. It is
// for a process that does all its jobs itself, at a clock of its own: at the time of others its leases would have ended long
// ago, and they would take the jobs from it. It is called once, before the service is built.
func WorkApart(name string) {
	for pool, p := range Pools {
		p.Kind.Name = name + "." + p.Kind.Name
		Pools[pool] = p
	}
	FollowUps.Name = name + "." + FollowUps.Name
}

// maxPrograms is how many nodes of the pool for users' programs one account has
// at work at once, in all processes together.
const maxPrograms = 2

// poolOf is the pool of a job. What is unknown fails cheaply; a component may
// hold anything: it begins as media, and changes pools with its nodes.
func (s *Service) poolOf(job *Job) Pool {
	kind, ok := s.Flows.Catalogue.Find(job.JobType)
	if !ok {
		return Pools[kit.Cheap]
	}
	if kind.Type == nodegraph.ComponentType {
		return Pools[kit.Media]
	}
	return Pools[kind.PoolFor(job.InputData)]
}

// poolOfLane is the pool whose workers take a kind of lane item.
func poolOfLane(kind string) Pool {
	for _, pool := range Pools {
		if pool.Kind.Name == kind {
			return pool
		}
	}
	return Pools[kit.Cheap]
}

// queue puts ready jobs, given for each execution, where the workers of their pools find
// them. Inline ones share the item of the first: the one who takes it does all that
// are ready then, and queues what it leaves (see claimJob). So there is always an
// item for one of them, as long as there are any.
func (s *Service) queue(tx *models.Tx, jobs ...[]*Job) error {
	for _, name := range []kit.Pool{kit.Cheap, kit.Program, kit.Media, kit.Provider, kit.Import} {
		var items []lane.Item
		for _, ofOne := range jobs {
			inline := false
			for _, job := range ofOne {
				if s.poolOf(job).Kind != Pools[name].Kind || inline && job.inline() {
					continue
				}
				inline = inline || job.inline()
				items = append(items, lane.Item{ID: job.ID, LaneID: job.AccountID, OwnerID: job.AccountID})
			}
		}
		if err := lane.Add(tx, Pools[name].Kind, items...); err != nil {
			return err
		}
	}
	return nil
}
