//go:build !soak

package main

import "time"

const (
	floodClients = 60
	floodTime    = 3 * time.Second
)
