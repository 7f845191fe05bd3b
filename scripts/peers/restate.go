package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"

	restate "github.com/restatedev/sdk-go"
	"github.com/restatedev/sdk-go/server"
)

// Peer is a service of Restate, whose steps it writes to its log one by one.
type Peer struct{}

// Run makes a run of so many steps.
func (Peer) Run(ctx restate.Context, n int) (out string, err error) {
	for i := 0; err == nil && i < n; i++ {
		out, err = restate.Run(ctx, func(restate.RunContext) (string, error) { return "x" + strconv.Itoa(i), nil }, restate.WithName(stepName(i)))
	}
	return out, err
}

// serveRestate serves it to Restate's server.
func serveRestate(ctx context.Context, listen string) error {
	return server.NewRestate().WithLogger(slog.DiscardHandler, false).Bind(restate.Reflect(Peer{})).Start(ctx, listen)
}

// startRestate starts Restate's server with an empty folder, and the service that it calls.
func startRestate(ctx context.Context, program string) (stop func(), ingress string, err error) {
	dir, err := os.MkdirTemp("/var/tmp", "peers-restate-")
	if err != nil {
		return nil, "", err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	service := freeAddress()
	handlers := exec.Command(self, "serve", "Restate", service, "-")
	if err := handlers.Start(); err != nil {
		return nil, "", err
	}
	ingress, admin, node := freeAddress(), freeAddress(), freeAddress()
	server := exec.Command(program, "--base-dir", dir, "--node-name", "peers", "--no-logo")
	server.Env = append(os.Environ(), "RESTATE_INGRESS__BIND_ADDRESS="+ingress, "RESTATE_ADMIN__BIND_ADDRESS="+admin, "RESTATE_BIND_ADDRESS="+node,
		"RESTATE_ADVERTISED_ADDRESS=http://"+node, "RESTATE_LOG_FILTER=off", "DO_NOT_TRACK=1", "RESTATE_AUTO_PROVISION=true")
	halt, err := start(server, "http://"+admin+"/health")
	stop = func() {
		if halt != nil {
			halt()
		}
		_ = handlers.Process.Kill()
		_ = handlers.Wait()
		os.RemoveAll(dir)
	}
	if err != nil {
		stop()
		return nil, "", err
	}
	r, err := post("http://"+admin+"/deployments", map[string]string{"uri": "http://" + service})
	if err == nil {
		_, err = send(r.WithContext(ctx))
	}
	if err != nil {
		stop()
		return nil, "", fmt.Errorf("the service is not known to Restate: %w", err)
	}
	return stop, "http://" + ingress, nil
}
