package library

// Fragments for the statements of higher areas.

// NotRemoved is the condition that the organization whose id a column holds is not one that was
// deleted, whose things RemoveGone is about to remove.
func NotRemoved(column string) string {
	return "NOT EXISTS (SELECT FROM library_removals gone WHERE gone.organization_id = " + column + ")"
}
