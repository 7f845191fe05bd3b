//go:build soak

package main

import "time"

const (
	floodClients = 500
	floodTime    = 2 * time.Minute
)
