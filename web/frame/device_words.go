package frame

import (
	"context"
	"strings"

	"atelier/web/locale"
)

// The service names devices and networks in English, see models/device.go.

// programs are clients that are no browser.
var programs = map[string]string{
	"A Python program": locale.Mark("A Python program"), "A Go program": locale.Mark("A Go program"), "A Node program": locale.Mark("A Node program"),
	"An unknown device": locale.Mark("An unknown device"),
}

// DeviceIn is what a session is used with, in the reader's language.
func DeviceIn(ctx context.Context, device string) string {
	client, system, on := strings.Cut(device, " on ")
	switch {
	case on && client == "A browser":
		return t(ctx, "A browser on %s", system)
	case on:
		return t(ctx, "%s on %s", DeviceIn(ctx, client), system)
	case programs[device] != "":
		return t(ctx, programs[device])
	}
	return device
}

// PlaceIn is the network of a session, in the reader's language.
func PlaceIn(ctx context.Context, place string) string {
	switch place {
	case "":
		return t(ctx, "an unknown network")
	case "this machine":
		return t(ctx, "this machine")
	}
	return place
}
