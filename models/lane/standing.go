package lane

import (
	"context"
	"time"

	"atelier/models"
)

// Standing is how an item stands that waits or is under way.
type Standing struct {
	ID       models.ID
	DueAt    time.Time
	Priority int
	// Leased says that a worker is at it.
	Leased bool
	// RestUntil is the end of its lane's last rest, if it had one; RestLevel is
	// above zero until an answer lifts the rest.
	RestUntil *time.Time
	RestLevel int
	// LaneFlying and OwnerFlying are how many items of its lane and its owner
	// are under way, counted up to the caps.
	LaneFlying, OwnerFlying int
}

// Look says how items of the kind stand, by id, in one statement; those that
// are no more are not among them.
func Look(ctx context.Context, db *models.DB, kind Kind, ids []models.ID) (map[models.ID]Standing, error) {
	var found []Standing
	err := db.Read(ctx).Raw(`
		SELECT i.id, i.due_at, i.priority, i.lease_until IS NOT NULL AS leased, l.rest_until, COALESCE(l.rest_level, 0) AS rest_level,
			(SELECT count(*) FROM (SELECT FROM lane_items f WHERE f.kind = i.kind AND f.lane_id = i.lane_id
				AND f.lease_until IS NOT NULL LIMIT ?) AS flying) AS lane_flying,
			(SELECT count(*) FROM (SELECT FROM lane_items f WHERE f.kind = i.kind AND f.owner_id = i.owner_id
				AND f.lease_until IS NOT NULL LIMIT ?) AS flying) AS owner_flying
		FROM lane_items i LEFT JOIN lanes l ON l.kind = i.kind AND l.id = i.lane_id
		WHERE i.kind = ? AND i.id IN ?`, orUnbounded(kind.PerLane), orUnbounded(kind.PerOwner), kind.Name, ids).Scan(&found).Error
	standings := make(map[models.ID]Standing, len(found))
	for _, s := range found {
		standings[s.ID] = s
	}
	return standings, err
}
