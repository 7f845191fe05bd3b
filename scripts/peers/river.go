package main

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// step is a job of River: one of a run that has so many left.
type step struct {
	Run    uuid.UUID `json:"run"`
	Number int       `json:"number"`
	Left   int       `json:"left"`
}

func (step) Kind() string { return "step" }

// stepper does a step, and inserts the next one in the transaction that ends it.
type stepper struct {
	river.WorkerDefaults[step]
	pool  *pgxpool.Pool
	ended *sync.Map // channels of those who wait, by run
}

func (s *stepper) Work(ctx context.Context, job *river.Job[step]) error {
	out := "x" + strconv.Itoa(job.Args.Number)
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if job.Args.Left > 1 {
			if _, err := river.ClientFromContext[pgx.Tx](ctx).InsertTx(ctx, tx, step{job.Args.Run, job.Args.Number + 1, job.Args.Left - 1}, nil); err != nil {
				return err
			}
		} else if _, err := tx.Exec(ctx, `INSERT INTO ended VALUES ($1, $2)`, job.Args.Run, out); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
	if waits, ok := s.ended.Load(job.Args.Run); ok && err == nil && job.Args.Left == 1 {
		waits.(chan string) <- out
	}
	return err
}

// newRiver is a run as jobs of River, one after another.
func newRiver(ctx context.Context, pool *pgxpool.Pool) (run func(context.Context, int) (string, error), err error) {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, `CREATE TABLE ended (run uuid PRIMARY KEY, output text)`); err != nil {
		return nil, err
	}
	var ended sync.Map
	workers := river.NewWorkers()
	river.AddWorker(workers, &stepper{pool: pool, ended: &ended})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		FetchCooldown: time.Millisecond, FetchPollInterval: 100 * time.Millisecond, // as fast as it lets itself be
		Logger: slog.New(slog.DiscardHandler), Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 100}},
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, n int) (string, error) {
		id, done := uuid.Must(uuid.NewV7()), make(chan string, 1)
		ended.Store(id, done)
		defer ended.Delete(id)
		if _, err := client.Insert(ctx, step{id, 0, n}, nil); err != nil {
			return "", err
		}
		select {
		case out := <-done:
			return out, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}, client.Start(context.WithoutCancel(ctx))
}
