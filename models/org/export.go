package org

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// ExportKind is what is written to a file.
type ExportKind string

const (
	ExportAudit   ExportKind = "audit"
	ExportMembers ExportKind = "members"
	ExportLedger  ExportKind = "ledger"
)

// RecordExportInput tells what is about to be written, and how.
type RecordExportInput struct {
	Kind   ExportKind
	Format string // csv, jsonl or ocsf
	// Filter says in words what was left of the list; empty for all of it.
	Filter *string
}

// ExportsPerUser bounds the exports of a person (contract 3, "Limits").
var ExportsPerUser = models.Limit{Name: "exports", Max: 10, Per: time.Minute}

var exportFormats = map[ExportKind][]string{ExportAudit: {"csv", "jsonl", "ocsf"}, ExportMembers: {"csv"}, ExportLedger: {"csv"}}

// RecordExport writes down that the caller takes a list out of the
// organization, before the first line of it leaves. When that cannot be
// written the export is refused: audit_unavailable. What the caller may not
// read it may not export; a refused export does not count.
func (s Audit) RecordExport(ctx context.Context, organizationID models.ID, in RecordExportInput) error {
	if _, err := reader(ctx); err != nil {
		return err
	}
	may := map[ExportKind]Permission{ExportAudit: ReadAudit, ExportMembers: ReadMembers, ExportLedger: ReadCredits}
	if may[in.Kind] == "" {
		return models.Invalid("kind", "must be audit, members or ledger")
	}
	if !slices.Contains(exportFormats[in.Kind], in.Format) {
		return models.Invalid("format", "must be one of %v", exportFormats[in.Kind])
	}
	filter, err := models.CleanText("filter", models.Deref(in.Filter), 500)
	if err != nil {
		return err
	}
	o, err := s.org.readable(ctx, organizationID, may[in.Kind])
	if err != nil {
		return err
	}
	if err := s.org.DB.CountCall(ctx, ExportsPerUser, models.ActorFrom(ctx).UserID.String()); err != nil {
		return err
	}
	fields := models.Fields{"format": {To: in.Format}}
	if filter != "" {
		fields["filter"] = models.Change{To: filter}
	}
	err = s.org.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Audit(o.ID, string(in.Kind)+".exported", o.target(), fields)
	})
	return unrecorded(err)
}

// unrecorded is the refusal of an export that could not be written down.
func unrecorded(err error) error {
	var refusal *models.Error
	if err == nil || errors.As(err, &refusal) {
		return err
	}
	return fmt.Errorf("%w (%w)", models.Err(models.CodeAuditUnavailable, "The export could not be recorded in the audit log, so it was refused"), err)
}

// RecordTakeout writes down that the owner takes along everything that is stored of the organization, before any of it leaves.
// It asks for a session that was confirmed within the hour. When it cannot be written the archive is refused: audit_unavailable.
func (s Audit) RecordTakeout(ctx context.Context, organizationID models.ID) error {
	actor, err := writer(ctx)
	if err == nil {
		err = actor.RequireSession()
	}
	if err != nil {
		return err
	}
	o, err := s.org.readable(ctx, organizationID, DeleteOrganization)
	if err != nil {
		return err
	}
	if err := actor.RequireConfirmed(s.org.DB.Clock.Now()); err != nil {
		return err
	}
	if err := s.org.DB.CountCall(ctx, account.TakeoutsPerUser, actor.UserID.String()); err != nil {
		return err
	}
	return unrecorded(s.org.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Audit(o.ID, "organization.exported", o.target(), models.Fields{"format": {To: "zip"}})
	}))
}
