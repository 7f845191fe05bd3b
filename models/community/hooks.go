package community

// RegisterHooks has the other areas tell the community what goes with an account or an organization.
func (s *Service) RegisterHooks() {
	s.Accounts.OnDelete("community: posts and marks", s.removePostsOf)
	s.Library.OnOrganizationRemoval("community: its posts", s.removePostsIn)
}
