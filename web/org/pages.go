// Package org is the pages of organizations and their workspaces: people, credits, join codes, invitations, settings
// and the audit log.
package org

import "atelier/web/frame"

// Pages are the pages of organizations and their workspaces.
type Pages struct{ *frame.Console }
