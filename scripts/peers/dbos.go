package main

import (
	"context"
	"log/slog"
	"strconv"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/jackc/pgx/v5/pgxpool"
)

// newDBOS is a workflow of DBOS, whose steps it writes down one by one.
func newDBOS(ctx context.Context, pool *pgxpool.Pool) (run func(context.Context, int) (string, error), err error) {
	d, err := dbos.NewContext(ctx, dbos.Config{AppName: "peers", SystemDBPool: pool, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	workflow := func(ctx dbos.Context, n int) (out string, err error) {
		for i := 0; err == nil && i < n; i++ {
			out, err = dbos.RunAsStep(ctx, func(context.Context) (string, error) { return "x" + strconv.Itoa(i), nil })
		}
		return out, err
	}
	dbos.RegisterWorkflow(d, workflow)
	return func(_ context.Context, n int) (string, error) {
		handle, err := dbos.RunWorkflow(d, workflow, n)
		if err != nil {
			return "", err
		}
		return handle.GetResult()
	}, dbos.Launch(d)
}
