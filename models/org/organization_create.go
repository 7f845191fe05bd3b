package org

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/notice"
)

// creations is how many organizations an account may make (open points,
// "Organizations").
var creations = models.Limit{Name: "organizations.create", Max: 5, Per: time.Hour}

// CreateOrganization makes an organization that the caller owns; it is pending
// until an operator approves it, unless the install approves by itself.
// terms_required for a school without accepted terms, name_taken for a sent
// slug (contract 3, "Organizations").
func (s *Service) CreateOrganization(ctx context.Context, in CreateOrganizationInput) (*Organization, error) {
	actor, err := writer(ctx)
	if err != nil {
		return nil, err
	}
	o, err := newOrganization(in)
	if err != nil {
		return nil, err
	}
	if err := s.checkSlugFree(ctx, in.Slug); err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, creations, actor.UserID.String()); err != nil {
		return nil, err
	}
	return o, s.DB.Write(ctx, func(tx *models.Tx) error { return s.insertOrganization(tx, o, in) })
}

// newOrganization checks the input's form.
func newOrganization(in CreateOrganizationInput) (*Organization, error) {
	name, err := models.CleanName("name", in.Name)
	if err != nil {
		return nil, err
	}
	if in.Kind != School && in.Kind != Team {
		return nil, models.Invalid("kind", "must be school or team")
	}
	if err := CheckSlug(in.Slug); err != nil {
		return nil, err
	}
	settings, _, err := mergeSettings(organizationKeys, nil, in.Settings)
	if err != nil {
		return nil, err
	}
	if in.Kind == School && (in.AcceptTerms == nil || !*in.AcceptTerms) {
		return nil, models.Err(models.CodeTermsRequired, "A school needs acceptTerms: true")
	}
	return &Organization{Name: name, Kind: in.Kind, Settings: settings}, nil
}

// checkSlugFree refuses a sent slug before the creation counts; a race for it
// is decided by the index.
func (s *Service) checkSlugFree(ctx context.Context, slug *string) error {
	if slug == nil {
		return nil
	}
	var taken int64
	err := s.DB.Read(ctx).Table("organizations").Where("slug = ? AND deleted_at IS NULL", *slug).Count(&taken).Error
	if err == nil && taken > 0 {
		return models.Err(models.CodeNameTaken, "The slug %s is taken", *slug)
	}
	return err
}

func (s *Service) insertOrganization(tx *models.Tx, o *Organization, in CreateOrganizationInput) error {
	o.ID, o.CreatedBy, o.CreatedAt, o.UpdatedAt = tx.NewID(), tx.Actor.UserID, tx.Now, tx.Now
	o.Status = Pending
	if s.AutoApprove {
		o.Status = Active
	}
	if in.AcceptTerms != nil && *in.AcceptTerms {
		o.TermsAcceptedAt = &tx.Now
	}
	taken := tx.Table("organizations").Where("deleted_at IS NULL")
	if err := InsertWithSlug(tx, o, &o.Slug, in.Slug, DeriveSlug(o.Name, string(o.Kind)), taken); err != nil {
		return err
	}
	role, status := Owner, MemberActive
	o.Role, o.MemberStatus = &role, &status
	owner := OrganizationMember{
		OrganizationID: o.ID, UserID: tx.Actor.UserID, Role: Owner, Status: MemberActive, JoinedAt: tx.Now, UpdatedAt: tx.Now,
	}
	if err := tx.Create(&owner).Error; err != nil {
		return err
	}
	for _, hook := range s.hooks.created {
		if err := hook.Do(tx, o); err != nil {
			return hook.Failed(err)
		}
	}
	err := tx.Audit(o.ID, "organization.created", o.target(), models.Fields{
		"name": {To: o.Name}, "kind": {To: o.Kind}, "slug": {To: o.Slug}, "status": {To: o.Status},
	})
	if err != nil || o.Status != Pending {
		return err
	}
	operators, err := s.Accounts.ListOperators(tx)
	if err != nil {
		return err
	}
	waits := notice.OfWaiting(notice.OrganizationWaits, o.ID, notice.Facts{Organization: o.Name, Person: tx.Actor.DisplayName})
	if err := s.Notices.Tell(tx, waits, operators...); err != nil {
		return err
	}
	return s.tellStatus(tx, o, string(Pending), "")
}

// target is the organization as the audit log names it.
func (o *Organization) target() models.Target { return models.Target{Type: "organization", ID: o.ID} }
