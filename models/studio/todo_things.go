package studio

import (
	"context"

	"atelier/models"
)

// What is below stands here until it is written, each in a file of its own.

func (s *Service) registerBreakdowns() {}
func (s *Service) registerClosing()    {}

func (s *Service) ListProductions(ctx context.Context, filter *ProductionFilter, page models.Page) (*models.Connection[*Production], error) {
	return nil, errNotWritten
}
func (s *Service) FindProduction(ctx context.Context, id models.ID) (*Production, error) {
	return nil, errNotWritten
}
func (s *Service) CreateProduction(ctx context.Context, in CreateProductionInput) (*Production, error) {
	return nil, errNotWritten
}
func (s *Service) UpdateProduction(ctx context.Context, id models.ID, in UpdateProductionInput) (*Production, error) {
	return nil, errNotWritten
}
func (s *Service) DeleteProduction(ctx context.Context, id models.ID) error { return errNotWritten }
func (s *Service) DuplicateProduction(ctx context.Context, id models.ID) (*Production, error) {
	return nil, errNotWritten
}
func (s *Service) BreakDownScript(ctx context.Context, id models.ID, in BreakDownInput) (*Breakdown, error) {
	return nil, errNotWritten
}
func (s *Service) CreateShot(ctx context.Context, productionID models.ID, in CreateShotInput) (*Shot, error) {
	return nil, errNotWritten
}
func (s *Service) UpdateShot(ctx context.Context, productionID, id models.ID, in UpdateShotInput) (*Shot, error) {
	return nil, errNotWritten
}
func (s *Service) DeleteShot(ctx context.Context, productionID, id models.ID) error {
	return errNotWritten
}
func (s *Service) OrderShots(ctx context.Context, productionID models.ID, shotIDs []models.ID) (*Production, error) {
	return nil, errNotWritten
}
func (s *Service) ShareShot(ctx context.Context, productionID, id models.ID, in ShareShotInput) (*Shot, error) {
	return nil, errNotWritten
}
func (s *Service) FindPublicShot(ctx context.Context, id models.ID) (*PublicShot, error) {
	return nil, errNotWritten
}
