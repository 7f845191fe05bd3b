//go:build soak

package timetable_test

import (
	"io/fs"
	"os"
	"testing"

	"atelier/models/timetable"
)

// soak tells whether the long forms of the tests are wanted.
const soak = true

// Every change of clocks of every zone that the machine knows, from 2000 to 2040.
func TestSoakEveryZone(t *testing.T) {
	root := os.DirFS("/usr/share/zoneinfo")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if _, ok := timetable.LoadZone(name); ok {
			t.Run(name, func(t *testing.T) { t.Parallel(); clockChanges(t, name, false) })
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
}
