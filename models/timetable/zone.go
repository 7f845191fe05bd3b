package timetable

import (
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the zones, also where the system brings none
)

// zones are those that were asked for; reading one takes a while, and there are
// a few hundred.
var zones sync.Map

// ForgetZones lets the rules of zones be read again, where the system's have
// changed while the program runs.
func ForgetZones() { zones.Clear() }

// LoadZone is a zone by its name in the IANA database. Names that mean the
// machine's own clock, another way to count seconds, or a file elsewhere are
// none.
func LoadZone(name string) (*time.Location, bool) {
	if zone, known := zones.Load(name); known {
		return zone.(*time.Location), true
	}
	if !zoneName(name) {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		return nil, false
	}
	zones.Store(name, zone)
	return zone, true
}

// zoneName tells whether a name may be one of the database's.
func zoneName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	switch name {
	case "Local", "localtime", "posixrules", "Factory", "leapseconds", "tzdata":
		return false
	}
	for i, part := range strings.Split(name, "/") {
		if part == "" || i > 2 || i == 0 && (part == "posix" || part == "right" || part == "SystemV") {
			return false
		}
		for _, c := range part {
			switch {
			case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '+':
			default:
				return false
			}
		}
	}
	return true
}
