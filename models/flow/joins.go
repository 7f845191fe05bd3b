package flow

// Fragments for the statements of higher areas.

// PersonalWorkflows is the ids of the workflows in the personal space of the account that is its
// one value, deleted ones too.
const PersonalWorkflows = "(SELECT id FROM workflows WHERE owner_id = ? AND workspace_id IS NULL)"

// JoinWorkflow joins the workflows, as w, whose ids a column holds and that are not deleted.
func JoinWorkflow(column string) string {
	return "JOIN workflows w ON w.id = " + column + " AND w.deleted_at IS NULL"
}

// JoinGraph joins them as JoinWorkflow does, and their graphs, as v.
func JoinGraph(column string) string {
	return JoinWorkflow(column) + " JOIN workflow_versions v ON v.workflow_id = w.id AND v.version = w.version"
}

// WorkspaceOf is the workspace of the workflow whose id a column holds, NULL for one of a personal space.
func WorkspaceOf(column string) string {
	return "(SELECT w.workspace_id FROM workflows w WHERE w.id = " + column + ")"
}

// JoinGrant joins what is granted on w to the account whose id a column holds, as g, of which
// g.role may be named; where nothing is, it is NULL.
func JoinGrant(user string) string {
	return "LEFT JOIN workflow_collaborators g ON g.workflow_id = w.id AND g.user_id = " + user
}
