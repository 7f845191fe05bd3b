package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"atelier/models/lane"
)

// JobCommand does one node job whose lease is on standard input: a worker calls
// it for a job with which workers have died, so that no more than this process
// can die with it. No one else has a use for it, so the help leaves it out.
const JobCommand = "job"

// apart bounds how many such processes a worker has.
var apart = make(chan struct{}, 2)

// runApart has a job done by a process of its own, which has the same settings.
func (i *install) runApart(ctx context.Context, lease lane.Lease) error {
	select {
	case apart <- struct{}{}:
		defer func() { <-apart }()
	case <-ctx.Done():
		return ctx.Err()
	}
	input, err := json.Marshal(lease)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, i.program, JobCommand)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	cmd.WaitDelay = 3 * time.Second
	return cmd.Run()
}

// job does the node job whose lease is on in. Anyone who renews the lease ends the
// process too, so signals to the whole group are left to that one. Where memory
// runs out, the kernel is to take this process first.
func (i *install) job(in io.Reader) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // there is none elsewhere
	var lease lane.Lease
	if err := json.NewDecoder(in).Decode(&lease); err != nil {
		return err
	}
	ctx := context.Background()
	s, err := i.build(ctx)
	if err != nil {
		return err
	}
	stopTracing, err := i.startTracing()
	if err != nil {
		return err
	}
	defer stopTracing()
	s.Runs.RunInChild = nil
	return s.Runs.RunJob(ctx, lease)
}
