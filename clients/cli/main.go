// Command atelierctl works with an install of Atelier from a terminal and from scripts, by the public API alone.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is that of this program; runs that it starts have cli/<version> as their source.
const version = "1.0.0"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv}
	err := p.command().ExecuteContext(ctx)
	interrupted := ctx.Err() != nil
	stop()
	if err == nil {
		return
	}
	code := exitCode(err)
	if interrupted && errors.Is(err, context.Canceled) {
		fmt.Fprintln(p.err, "interrupted")
		os.Exit(exitInterrupted)
	}
	p.complain(err)
	os.Exit(code)
}
