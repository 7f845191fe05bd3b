package trigger

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/notice"
	"atelier/models/org"
)

// toldOfStops is what a person was told of what they automated, the first first.
func (e *engine) toldOfStops(who models.ID) (sentences []string) {
	e.t.Helper()
	var rows []*notice.Notification
	err := e.DB.Read(context.Background()).Where("recipient_id = ? AND kind = ?", who, notice.AutomationStopped).Order("happened_at, id").Find(&rows).Error
	if err != nil {
		e.t.Fatal(err)
	}
	for _, n := range rows {
		sentences = append(sentences, n.Sentence(nil))
	}
	return sentences
}

// A schedule that another person parks by saving is told to its creator, once; who
// parks an own one sees it on the page.
func TestParkedBySomebodyElse(t *testing.T) {
	w := newWorld(t, org.Team)
	node := func(zone string) *nodegraph.Node {
		data := nodegraph.Data{"active": true, "timezone": zone}
		for key, value := range everyMinute() {
			if key != "timezone" {
				data[key] = value
			}
		}
		return &nodegraph.Node{ID: "s", Type: nodegraph.ScheduleTriggerType, Data: data}
	}
	saved := w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{node("UTC"), text("a", "A")})
	save := func(who models.ID, zone string) {
		t.Helper()
		if _, err := w.Flows.UpdateWorkflow(w.In(w.Room, who), saved.ID, flow.UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{node(zone), text("a", "A")})}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		who  models.ID
		zone string
		told int
	}{{w.Ann, "Mars/Olympus", 0}, {w.Ann, "UTC", 0}, {w.Bob, "Mars/Olympus", 1}, {w.Bob, "Mars/Phobos", 1}, {w.Bob, "UTC", 1}, {w.Bob, "Mars/Olympus", 2}} {
		save(c.who, c.zone)
		if told := w.toldOfStops(w.Ann); len(told) != c.told {
			t.Fatalf("told %q, expected %d", told, c.told)
		}
	}
}
