package lane

import "atelier/models"

// Fragments for the statements of the areas whose work queues in lanes.

// Join joins the lanes whose ids a column holds; its one value is their kind.
func Join(column string) string { return "LEFT JOIN lanes ON lanes.kind = ? AND lanes.id = " + column }

// RestUntil is the end of a joined lane's rest, null when it had passed at the
// moment that is its one value.
const RestUntil = "CASE WHEN lanes.rest_until > ? THEN lanes.rest_until END"

// Count is how much work waits or is under way in a lane.
func (k Kind) Count(tx *models.Tx, laneID models.ID) (n int, err error) {
	err = tx.Raw(`SELECT count(*) FROM lane_items WHERE kind = ? AND lane_id = ?`, k.Name, laneID).Scan(&n).Error
	return n, err
}
