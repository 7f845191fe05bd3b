// Package jobs is what happens by itself: the dispatchers that hand node jobs
// and deliveries to the areas, and River's workers for housekeeping.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/event"
	"atelier/models/lane"
	"atelier/models/library"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
	"atelier/models/trigger"
	"atelier/models/usage"
	"atelier/nodes/kit"
)

// Config is what the workers work with.
type Config struct {
	DB       *models.DB
	Spaces   *space.Service
	Runs     *run.Service
	Triggers *trigger.Service
	Events   *event.Service
	// Library counts its uses and tidies up; nil where there is none.
	Library *library.Service
	// Studio tidies up; nil where there is none.
	Studio *studio.Service
	// Usage adds up what runs cost; nil where nothing is to be added up.
	Usage *usage.Service
	// Sweepers are the areas whose rows end.
	Sweepers []Sweeper
	// Books are what is compared with the ledger.
	Books Books
	// Drain is how long work may go on once the process is to end; 20 seconds when 0.
	Drain time.Duration
	// Slots overrides how many pieces of work of a kind are done at once.
	Slots map[string]int
	// KeepRuns is for how many months behind the current one runs are kept; 0 keeps all.
	KeepRuns int
	// Observe is told what dispatchers did; nil counts nothing.
	Observe func(context.Context, lane.Did)
	// Mail sends the mails; nil on installs without a mail server.
	Mail *Mail
}

// Jobs are the workers of one process. Any number of processes share the work.
type Jobs struct {
	config      Config
	dispatchers []*lane.Dispatcher
	river       *river.Client[pgxTx]
	late        late
}

// New prepares the workers; Run starts them.
func New(config Config) (*Jobs, error) {
	if config.Drain == 0 {
		config.Drain = 20 * time.Second
	}
	j := &Jobs{config: config}
	for name, slots := range map[kit.Pool]int{
		kit.Cheap: 4 * runtime.NumCPU(), kit.Program: max(4, 2*runtime.NumCPU()), kit.Media: max(1, runtime.NumCPU()), kit.Provider: 64, kit.Import: 16,
	} {
		dispatcher := j.dispatch(run.Pools[name].Kind, slots, 0, config.Runs.RunJob)
		dispatcher.Half = true // of one account, so that no other waits for its long work
		if name == kit.Cheap {
			config.Runs.SpareWorker = dispatcher.Spare
		}
	}
	j.dispatch(run.FollowUps, 8, 0, config.Runs.FollowUp)
	j.late.deliverer, j.late.dispatcher = config.Events.NewDeliverer(), j.dispatch(event.Lane, 256, 64, nil)
	j.late.dispatcher.Begin, j.late.dispatcher.Gather = j.late.deliverer.Begin, deliveriesApart
	for _, dispatcher := range j.dispatchers {
		if dispatcher != j.late.dispatcher {
			dispatcher.Backoff = j.late.backoff
		}
	}

	workers := river.NewWorkers()
	addHousekeeping(workers, config)
	queues := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 10}}
	if config.Mail != nil {
		config.Mail.register(workers)
		queues[account.MailQueue] = river.QueueConfig{MaxWorkers: mailsAtOnce}
	}
	var err error
	j.river, err = river.NewClient(riverpgxv5.New(config.DB.Work), &river.Config{
		Queues:          queues,
		Workers:         workers,
		PeriodicJobs:    periodic(),
		JobTimeout:      10 * time.Minute,
		SoftStopTimeout: config.Drain,
		PollOnly:        config.DB.Pooled, // nothing to listen on
		Middleware: []rivertype.Middleware{river.WorkerMiddlewareFunc(func(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
			return work(models.WithLog(ctx, slog.String("chore", job.Kind), slog.Int64("chore_id", job.ID)))
		})},
		Logger: slog.Default(),
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	return j, nil
}

func (j *Jobs) dispatch(kind lane.Kind, slots, reserve int, handle func(context.Context, lane.Lease) error) *lane.Dispatcher {
	if wanted, ok := j.config.Slots[kind.Name]; ok {
		slots, reserve = wanted, min(reserve, wanted/4)
	}
	dispatcher := &lane.Dispatcher{
		DB: j.config.DB, Kind: kind, Worker: workerName(),
		Slots: slots, Reserve: reserve, Handle: handle, Drain: j.config.Drain, Observe: j.config.Observe,
	}
	j.dispatchers = append(j.dispatchers, dispatcher)
	return dispatcher
}

// scheduleWorkers are how many runs of schedules a process starts at once.
const scheduleWorkers = 4

// deliveriesApart is how long claims of deliveries are apart under load.
const deliveriesApart = 2 * time.Millisecond

// workerName tells processes apart, on whatever machine.
func workerName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// Run works until the context ends, then lets what is under way come to an
// end, for at most Drain, and gives the rest back.
func (j *Jobs) Run(ctx context.Context) error {
	ctx = models.ForWork(ctx)
	if err := j.river.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	var all sync.WaitGroup
	all.Go(func() { lane.KeepBeating(ctx, j.config.DB, workerName()) })
	all.Go(func() { j.config.Triggers.FireSchedules(ctx, scheduleWorkers) })
	if j.config.Usage != nil {
		all.Go(func() { j.config.Usage.KeepFolding(ctx) })
	}
	all.Go(func() { j.late.watch(models.ForDeliveries(ctx), j.config.DB) })
	all.Go(func() { j.runDispatchers(ctx) })
	<-ctx.Done()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), j.config.Drain+10*time.Second)
	defer cancel()
	err := j.river.Stop(limited)
	all.Wait()
	return err
}

// firstLook is how long a dispatcher waits at most for the first look of the one before.
const firstLook = 100 * time.Millisecond

// runDispatchers runs them until the context ends. Their first looks come one after another: seven at once would open seven
// connections, and have PostgreSQL plan the same statements on each.
func (j *Jobs) runDispatchers(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, dispatcher := range j.dispatchers {
		if dispatcher == j.late.dispatcher { // on connections of its own
			all.Go(func() { dispatcher.Run(models.ForDeliveries(ctx)) })
			continue
		}
		looked := make(chan struct{})
		dispatcher.Looked = func() { close(looked) }
		all.Go(func() { dispatcher.Run(ctx) })
		select {
		case <-looked:
		case <-time.After(firstLook):
		}
	}
}
