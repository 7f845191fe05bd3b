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

// JoinRan joins the app, as a, and the workflow, as w, that rows of e name by app_id and workflow_id, the workflow where it lies
// in the row's workspace_id.
const JoinRan = `LEFT JOIN apps a ON a.id = e.app_id
	LEFT JOIN workflows w ON w.id = e.workflow_id AND w.workspace_id = e.workspace_id`

// JoinRanFor is JoinRan that has the workflows of other spaces too that are of the row's account_id or shared with it.
const JoinRanFor = `LEFT JOIN apps a ON a.id = e.app_id
	LEFT JOIN workflows w ON w.id = e.workflow_id
		AND (w.workspace_id = e.workspace_id OR w.owner_id = e.account_id
			OR EXISTS (SELECT FROM workflow_collaborators c WHERE c.workflow_id = w.id AND c.user_id = e.account_id))`

// JoinAppVersion joins the version of an app, as v, that rows of r name by app_id and version.
const JoinAppVersion = "JOIN app_versions v ON v.app_id = r.app_id AND v.version = r.version"

// WorkspacesOfApps is the workspaces in which the apps live whose ids are its one value.
const WorkspacesOfApps = `SELECT DISTINCT workspace_id FROM workflows
	WHERE workspace_id IS NOT NULL AND id IN (SELECT workflow_id FROM apps WHERE id IN ?)`
