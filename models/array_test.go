package models_test

import (
	"fmt"
	"sync"
	"testing"

	"atelier/models"
)

// Lists are written and read by many at once.
func TestArraysAtOnce(t *testing.T) {
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			written, err := models.Strings{"a", `b"`, fmt.Sprint(i)}.Value()
			if err != nil {
				t.Error(err)
				return
			}
			var read models.Strings
			if err := read.Scan(written); err != nil || len(read) != 3 || read[1] != `b"` || read[2] != fmt.Sprint(i) {
				t.Errorf("%v became %q: %v", written, read, err)
			}
		})
	}
	all.Wait()
}
