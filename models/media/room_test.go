package media

import (
	"testing"

	"atelier/models"
)

// A request in which no file arrives gives back nothing; the next one is counted as usual.
func TestRoomIsLeftWithoutAFile(t *testing.T) {
	var all arrivals
	quota := int64(10)
	first := &room{all: &all, account: models.ID{1}, quota: &quota}
	first.leave()
	second := &room{all: &all, account: models.ID{1}, quota: &quota}
	if err := second.take(8); err != nil {
		t.Fatal(err)
	}
	if err := second.take(8); err == nil {
		t.Error("more than the quota was taken")
	}
	second.leave()
	if len(all.of) != 0 {
		t.Errorf("%v is still counted", all.of)
	}
}
