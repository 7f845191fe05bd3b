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

// VerifyAudit tells whether every entry of an organization's audit log is as
// it was written and none is missing (owner and admins; six times a minute).
func (s *Service) VerifyAudit(ctx context.Context, organizationID models.ID) (*AuditVerification, error) {
	if _, err := s.readable(ctx, organizationID, ReadAudit); err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, verifications, models.ActorFrom(ctx).UserID.String()); err != nil {
		return nil, err
	}
	found := &AuditVerification{}
	entries, ends, err := s.DB.AuditEnd(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	found.Entries = entries
	found.Broken, err = s.DB.VerifyAudit(ctx, organizationID)
	found.Intact = ends && found.Broken == nil
	return found, err
}
