package org

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// auditFormat writes lines of an audit log; first is true before the first line.
type auditFormat func(out io.Writer, form sheet, lines []query.AuditLine, org string, first bool) error

// excelFormat is what the form calls CSV for Excel; the log knows it as CSV.
const excelFormat = "csv-excel"

var auditFormats = map[string]auditFormat{"csv": auditCSV, "jsonl": auditJSONL, "ocsf": auditOCSF}

func (c Pages) sendAudit(w http.ResponseWriter, r *http.Request, filter query.AuditFilter, format string, write auditFormat) error {
	slug, form := "", sheetOf(r)
	return download(w, r, func() file { return c.exportFile(slug, "audit", format) }, func(after *string, out io.Writer) (query.PageEnd, error) {
		res, err := query.AuditPart(r.Context(), c.Client, frame.PathID(r), filter, after)
		if err != nil {
			return query.PageEnd{}, err
		}
		slug = res.Organization.Slug
		return res.Organization.Audit.PageInfo, write(out, form, res.Organization.Audit.Nodes, frame.PathID(r), after == nil)
	})
}

func auditCSV(out io.Writer, form sheet, lines []query.AuditLine, _ string, first bool) error {
	var rows [][]string
	if first {
		rows = append(rows, []string{"id", "createdAt", "action", "actorUserId", "actorDisplayName", "workspaceId", "targetType", "targetId", "targetName", "details", "device", "place"})
	}
	for _, l := range lines {
		actor := frame.Value(l.Actor)
		rows = append(rows, []string{
			l.Id, l.CreatedAt.UTC().Format(time.RFC3339Nano), l.Action, actor.UserId, actor.DisplayName,
			frame.Value(l.WorkspaceId), l.TargetType, frame.Value(l.TargetId), frame.Value(l.TargetName), string(l.Details),
			frame.Value(l.Device), frame.Value(l.Place),
		})
	}
	return form.write(out, first, rows...)
}

// auditJSONL writes each entry as the API shows it, one a line.
func auditJSONL(out io.Writer, _ sheet, lines []query.AuditLine, _ string, _ bool) error {
	encoder := json.NewEncoder(out)
	for _, l := range lines {
		entry := map[string]any{
			"id": l.Id, "workspaceId": l.WorkspaceId, "action": l.Action, "targetType": l.TargetType, "targetId": l.TargetId,
			"targetName": l.TargetName, "details": l.Details, "createdAt": l.CreatedAt.UTC(), "actor": l.Actor, "device": l.Device, "place": l.Place,
		}
		if err := encoder.Encode(entry); err != nil {
			return err
		}
	}
	return nil
}

// The parts of the Open Cybersecurity Schema Framework, version 1.3.0, that an entry is written in: class Entity
// Management (3004) of the category Identity & Access Management.
const (
	ocsfVersion  = "1.3.0"
	ocsfCategory = 3
	ocsfClass    = 3004
)

// ocsfActivity is what was done to the entity: Create, Read, Update, Delete, or Other for a verb that is new.
func ocsfActivity(action string) (id int, name string) {
	_, verb, _ := strings.Cut(action, ".")
	switch verb {
	case "created", "added", "joined", "sent", "published", "granted":
		return 1, "Create"
	case "exported":
		return 2, "Read"
	case "deleted", "removed", "left", "revoked":
		return 4, "Delete"
	case "updated", "renamed", "moved", "archived", "unarchived", "suspended", "reinstated", "approved", "role_changed", "cap_changed",
		"transferred", "allocated", "rotated", "enabled", "disabled", "resent", "accepted":
		return 3, "Update"
	}
	return 99, "Other"
}

// auditOCSF writes each entry as an OCSF event, one a line.
func auditOCSF(out io.Writer, _ sheet, lines []query.AuditLine, org string, _ bool) error {
	encoder := json.NewEncoder(out)
	for _, l := range lines {
		activity, name := ocsfActivity(l.Action)
		actor := map[string]any{"app_name": "Atelier"} // the system
		if l.Actor != nil {
			actor = map[string]any{"user": map[string]any{"uid": l.Actor.UserId, "name": l.Actor.DisplayName, "type_id": 1}}
		}
		event := map[string]any{
			"category_uid": ocsfCategory, "category_name": "Identity & Access Management", "class_uid": ocsfClass, "class_name": "Entity Management",
			"activity_id": activity, "activity_name": name, "type_uid": ocsfClass*100 + activity, "severity_id": 1, "severity": "Informational",
			"status_id": 1, "status": "Success", "time": l.CreatedAt.UnixMilli(), "message": l.Action, "actor": actor,
			"metadata": map[string]any{"version": ocsfVersion, "uid": l.Id, "event_code": l.Action, "tenant_uid": org,
				"product": map[string]any{"name": "Atelier", "vendor_name": "Atelier"}},
			"entity":   map[string]any{"type": l.TargetType, "uid": frame.Value(l.TargetId), "name": frame.Value(l.TargetName)},
			"unmapped": map[string]any{"details": l.Details, "workspace_uid": l.WorkspaceId, "device": l.Device, "place": l.Place},
		}
		if err := encoder.Encode(event); err != nil {
			return err
		}
	}
	return nil
}
