package ui

import (
	"context"
	"sync"
	"time"

	"atelier/web/locale"
)

// WithZone is the context of a page whose reader lives in that zone; nil when no one knows it.
func WithZone(ctx context.Context, zone *time.Location) context.Context {
	return locale.WithZone(ctx, zone)
}

// ZoneFrom is the zone of a page's reader, nil when no one knows it.
func ZoneFrom(ctx context.Context) *time.Location { return locale.Zone(ctx) }

// zones are those that were asked for; reading one takes a while, and there are a few hundred.
var zones sync.Map

// Zone is a time zone by its name, such as "Europe/Berlin"; nil for a name that is none.
func Zone(name string) *time.Location {
	if zone, known := zones.Load(name); known {
		return zone.(*time.Location)
	}
	if name == "" || name == "Local" || len(name) > 64 {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	zones.Store(name, zone)
	return zone
}

// OrUTC is the zone that stands for an unknown one.
func OrUTC(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}

// DayOf is the day alone, for what has no time, such as a bar of a chart.
func DayOf(t time.Time, zone *time.Location) string {
	return locale.Day(locale.WithZone(noReader, zone), t)
}

// exact is what the title of a time says: the zone that it is shown in, and the same in UTC.
func exact(ctx context.Context, at time.Time) string {
	zone, s := ZoneFrom(ctx), at.UTC().Format("2006-01-02 15:04:05")+" UTC"
	if zone == nil || zone == time.UTC {
		return s
	}
	return t(ctx, "Time in %s · %s", zone.String(), s)
}
