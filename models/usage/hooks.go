package usage

// RegisterHooks removes what deleted accounts ran from the reports.
func (s *Service) RegisterHooks() {
	s.Orgs.Accounts.OnDelete("usage: what the account ran, in reports", forget)
}
