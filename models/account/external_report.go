package account

import (
	"cmp"
	"context"
	"slices"
	"time"

	"atelier/models"
)

// SignInOverview is how people sign in here, for operators.
type SignInOverview struct {
	LinkExisting, ExternalOnly bool
	Methods                    []string
	SSOLabel                   *string
	BillingAccount             *string
	Providers                  []*SignInReport
}

// SignInReport is how sign-ins through a provider went.
type SignInReport struct {
	Origin, Provider, Label, Kind string
	// HandsOver tells of an SSO provider of the kind oidc whether one of OIDC_PROVIDERS has its id.
	HandsOver  bool
	Configured bool
	// Address is what the provider has to know; nil without one.
	Address       *string
	LastSuccessAt *time.Time
	// ClockOffsetMillis is the provider's clock less ours at the last sign-in that told it.
	ClockOffsetMillis *int
	Accounts          int
	Counts            []*SignInCount
}

// SignInCount is how often sign-ins ended with a code.
type SignInCount struct {
	Code   string
	Count  int
	LastAt time.Time
}

const (
	// maxReports is how many providers are reported.
	maxReports = 50
	// maxCounts bounds the rows behind the report: codes of providers.
	maxCounts  = 50 * maxReports
	reportDays = 30
	signInOK   = "ok"
)

// Report is how sign-ins through identity providers went (platform
// operator): of those that are configured, and of those that only the counts of
// earlier days, or accounts that are connected with them, know. It tells no secret, no claim and no address of a person.
func (s SSO) Report(ctx context.Context) (*SignInOverview, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	x := s.account.External
	o := &SignInOverview{LinkExisting: x.LinkExisting, ExternalOnly: x.Only, Methods: x.Methods}
	if x.SSOLabel != "" {
		o.SSOLabel = &x.SSOLabel
	}
	if s.account.Payer != "" {
		o.BillingAccount = &s.account.Payer
	}
	reports := s.account.configuredReports()
	if err := s.account.addCounts(ctx, reports); err != nil {
		return nil, err
	}
	if err := s.account.addAccounts(ctx, reports); err != nil {
		return nil, err
	}
	o.Providers = reports.list[:min(len(reports.list), maxReports)]
	return o, nil
}

// signInReports finds a report by its provider, and makes those that are missing.
type signInReports struct {
	list []*SignInReport
	by   map[[2]string]*SignInReport
}

func (r *signInReports) add(report *SignInReport) *SignInReport {
	report.Counts = []*SignInCount{}
	r.list = append(r.list, report)
	r.by[[2]string{report.Origin, report.Provider}] = report
	return report
}

func (r *signInReports) of(origin, provider string) *SignInReport {
	if report, ok := r.by[[2]string{origin, provider}]; ok {
		return report
	}
	return r.add(&SignInReport{Origin: origin, Provider: provider, Label: provider})
}

// configuredReports are those of the providers that the configuration names, in its order.
func (s *Service) configuredReports() *signInReports {
	reports := &signInReports{by: map[[2]string]*SignInReport{}}
	for _, p := range s.External.Providers {
		report := reports.add(&SignInReport{Origin: OriginSSO, Provider: p.ID, Label: p.Label, Kind: p.Kind, Configured: true})
		switch p.Kind {
		case "assertion":
			address := s.PublicURL + "/v1/sso/" + p.ID
			report.Address = &address
		case "oidc":
			report.HandsOver = slices.ContainsFunc(s.External.OIDC, func(o OIDCProvider) bool { return o.ID == p.ID })
		}
	}
	for _, p := range s.External.OIDC {
		address := s.PublicURL + "/auth/oidc/" + p.ID + "/callback"
		reports.add(&SignInReport{Origin: OriginOIDC, Provider: p.ID, Label: p.Label, Kind: "oidc", Configured: true, Address: &address})
	}
	return reports
}

// addCounts adds what was counted: in the last 30 days by code, and when the last one succeeded.
func (s *Service) addCounts(ctx context.Context, reports *signInReports) error {
	var rows []struct {
		Origin, Provider, Code string
		Count                  int
		LastAt                 time.Time
		OffsetMillis           *int
		OffsetAt               *time.Time
	}
	since := s.DB.Clock.Now().UTC().AddDate(0, 0, 1-reportDays).Format(time.DateOnly)
	err := s.DB.Read(ctx).Raw(`
		SELECT origin, provider, code, coalesce(sum(count) FILTER (WHERE day >= ?), 0) AS count, max(last_at) AS last_at,
			(array_agg(clock_offset_ms ORDER BY last_at DESC) FILTER (WHERE clock_offset_ms IS NOT NULL))[1] AS offset_millis,
			max(last_at) FILTER (WHERE clock_offset_ms IS NOT NULL) AS offset_at
		FROM external_sign_ins GROUP BY origin, provider, code
		ORDER BY max(last_at) DESC LIMIT ?`, since, maxCounts).Scan(&rows).Error
	told := map[*SignInReport]time.Time{}
	for _, row := range rows {
		report := reports.of(row.Origin, row.Provider)
		if row.Code == signInOK {
			report.LastSuccessAt = &row.LastAt
		}
		if row.OffsetAt != nil && row.OffsetAt.After(told[report]) {
			report.ClockOffsetMillis, told[report] = row.OffsetMillis, *row.OffsetAt
		}
		if row.Count > 0 {
			report.Counts = append(report.Counts, &SignInCount{Code: row.Code, Count: row.Count, LastAt: row.LastAt})
		}
	}
	for _, report := range reports.list {
		slices.SortStableFunc(report.Counts, func(a, b *SignInCount) int {
			return cmp.Or(-cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code))
		})
	}
	return err
}

// rank puts what succeeded before what was refused.
func rank(c *SignInCount) int {
	if c.Code == signInOK {
		return 1
	}
	return 0
}

// addAccounts adds how many accounts are connected with each provider.
func (s *Service) addAccounts(ctx context.Context, reports *signInReports) error {
	var rows []struct {
		Origin, Provider string
		Accounts         int
	}
	err := s.DB.Read(ctx).Raw(`
		SELECT origin, provider, count(*) AS accounts FROM external_identities
		GROUP BY origin, provider ORDER BY accounts DESC LIMIT ?`, 2*maxReports).Scan(&rows).Error
	for _, row := range rows {
		reports.of(row.Origin, row.Provider).Accounts = row.Accounts
	}
	return err
}
