package org

import (
	"context"
	"time"

	"atelier/models"
)

// AuditVerification is what walking through an audit log's chain found.
type AuditVerification struct {
	Intact bool
	// Entries is how many the log must hold.
	Entries int
	// Broken is the first entry that does not fit the one before it; nil also
	// when the end of the log is missing.
	Broken *models.AuditEntry
}

var verifications = models.Limit{Name: "audit.verify", Max: 6, Per: time.Minute}

// Verify tells whether every entry of an organization's audit log is as
// it was written and none is missing (owner and admins; six times a minute).
func (s Audit) Verify(ctx context.Context, organizationID models.ID) (*AuditVerification, error) {
	if _, err := s.org.readable(ctx, organizationID, ReadAudit); err != nil {
		return nil, err
	}
	if err := s.org.DB.CountCall(ctx, verifications, models.ActorFrom(ctx).UserID.String()); err != nil {
		return nil, err
	}
	found := &AuditVerification{}
	entries, ends, err := s.org.DB.AuditEnd(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	found.Entries = entries
	found.Broken, err = s.org.DB.VerifyAudit(ctx, organizationID)
	found.Intact = ends && found.Broken == nil
	return found, err
}
