// Package server puts the rooms together: install, wiring, serving, the chain
// that every request passes, metrics and the demo.
package server

import (
	"context"
	"io"

	"atelier/config"
)

// Serve runs the service until the context ends, with the background workers
// or without.
func Serve(ctx context.Context, c config.Config, workers bool, out io.Writer) error {
	return withInstall(ctx, c, alone, out, func(i *install) error { return i.serve(ctx, workers) })
}

// Work runs the background workers until the context ends.
func Work(ctx context.Context, c config.Config, out io.Writer) error {
	return withInstall(ctx, c, beside, out, func(i *install) error { return i.work(ctx) })
}

// RunJob does the node job whose lease is on in; see JobCommand.
func RunJob(ctx context.Context, c config.Config, in io.Reader, out io.Writer) error {
	return withInstall(ctx, c, beside, out, func(i *install) error { return i.job(in) })
}

// Keys compares the keys with those of the database, or accepts them as its.
func Keys(ctx context.Context, c config.Config, args []string, out io.Writer) error {
	return withInstall(ctx, c, beside, out, func(i *install) error { return i.keys(ctx, args) })
}

// Demo fills an empty install with a believable demo.
func Demo(ctx context.Context, c config.Config, out io.Writer) error {
	return withInstall(ctx, c, beside, out, func(i *install) error { return i.demo(ctx) })
}
