//go:build !soak

package tests

import "time"

const (
	floodClients = 60
	floodTime    = 3 * time.Second
)
