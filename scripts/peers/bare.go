package main

import (
	"context"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func openPool(ctx context.Context, databaseURL string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	config.MaxConns = connections
	return pgxpool.NewWithConfig(ctx, config)
}

// newBare is a run by hand: a transaction that writes the run and its steps, and one for each step. Nothing is queued, leased,
// charged, or told to anyone.
func newBare(ctx context.Context, pool *pgxpool.Pool) (run func(context.Context, int) (string, error), err error) {
	_, err = pool.Exec(ctx, `CREATE TABLE runs (id uuid PRIMARY KEY, done int NOT NULL);
		CREATE TABLE steps (run_id uuid, number int, output text, PRIMARY KEY (run_id, number))`)
	return func(ctx context.Context, n int) (out string, err error) {
		id := uuid.Must(uuid.NewV7())
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `INSERT INTO runs VALUES ($1, 0)`, id); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `INSERT INTO steps SELECT $1, generate_series(1, $2::int)`, id, n)
			return err
		})
		out = "x"
		for i := 1; err == nil && i <= n; i++ {
			err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				var done int
				if err := tx.QueryRow(ctx, `SELECT done FROM runs WHERE id = $1 FOR UPDATE`, id).Scan(&done); err != nil {
					return err
				}
				out = "x" + strconv.Itoa(done)
				if _, err := tx.Exec(ctx, `UPDATE steps SET output = $3 WHERE run_id = $1 AND number = $2`, id, i, out); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, `UPDATE runs SET done = done + 1 WHERE id = $1`, id)
				return err
			})
		}
		return out, err
	}, err
}
