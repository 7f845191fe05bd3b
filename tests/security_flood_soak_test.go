//go:build soak

package tests

import "time"

const (
	floodClients = 500
	floodTime    = 2 * time.Minute
)
