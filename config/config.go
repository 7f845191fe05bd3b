// Package config holds every setting: read once from the environment, checked,
// documented.
package config

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// Editions of an install; on EditionSelfHosted the credits and organization
// routes answer 404.
const (
	EditionHosted     = "hosted"
	EditionSelfHosted = "self_hosted"
)

// Who may make an account by themselves. SignUpInvited needs an open invitation.
const (
	SignUpOpen    = "open"
	SignUpInvited = "invited"
	SignUpClosed  = "closed"
)

// Ways in which credit packs are paid.
const (
	PaymentsManual = "manual"
	PaymentsStripe = "stripe"
)

// Config is everything that an operator can set, read once at start. The
// variables that fill it, with their defaults and help, stand in the files of
// their subjects and nowhere else.
type Config struct {
	ListenAddr      string
	PublicURL       string         // without a trailing slash
	DatabaseURL     string         // empty: a PostgreSQL of its own under DataDir
	DatabaseReadURL string         // a standby of DatabaseURL, for reports; empty: none
	DataDir         string         // absolute
	TimeZone        *time.Location // of readers whose own no one knows; nil is UTC
	TrustedProxies  []netip.Prefix

	Edition        string
	Organizations  bool
	OrgAutoApprove bool
	SignUp         string
	SignupCredits  models.Credits

	// EncryptionKeys are 32 bytes each; the first encrypts, all decrypt.
	// Empty: hosted generates one under DataDir, self_hosted has none.
	EncryptionKeys [][]byte
	SessionKey     []byte // empty: generated under DataDir
	OperatorCode   string // empty: made under DataDir

	// OperatorEmails are PLATFORM_OPERATOR_EMAILS, or PLATFORM_OWNER_EMAIL when
	// those are empty, in the form of models.ParseEmail.
	OperatorEmails      []string
	BillingAccountEmail string
	SSOProviders        []SSOProvider
	SSOLinkExisting     bool
	OIDCProviders       []OIDCProvider
	SurfaceProfile      SurfaceProfile

	SMTPURL    *url.URL // nil: no mail provider
	MailFrom   string
	StorageURL string // empty: files under DataDir

	// AccountQuota is what an account may keep in its personal space,
	// WorkspaceQuota what a workspace may.
	AccountQuota, WorkspaceQuota space.Quota
	// DiskFloor is how many bytes of the disk stay free: below it no file is taken.
	DiskFloor int64
	// RetentionRuns is for how many months behind the current one runs are kept; 0 is for ever.
	RetentionRuns int

	Payments            string
	StripeSecretKey     string
	StripeWebhookSecret string
	StripeAPIBase       string
	CreditPacks         []CreditPack

	EgressAllow     []netip.Prefix
	DeliveryBackoff []time.Duration // N waits mean N+1 attempts
	DeliveryRest    [2]time.Duration

	OpenAIBaseURL     string
	OpenAIAPIKey      string // empty: not offered
	ReplicateBaseURL  string
	ReplicateAPIToken string // empty: not offered
	// ProviderModels are what the providers are used for; of a provider that
	// they do not name, the built-in ones are.
	ProviderModels []kit.Model

	LogFormat   string // text or json
	LogLevel    slog.Level
	MetricsAddr string // empty: no metrics
	Traces      Traces
	// BackupPassphrase opens backups; empty: none is made.
	BackupPassphrase string
	// BackupStamp is a file that is touched by every backup; empty: not known.
	BackupStamp string
	// Development shows pages for developers to everyone.
	Development bool

	// Warnings are worth a log line at start and stop nothing: unknown keys in JSON values.
	Warnings []string

	ownerEmails []string
}

// Error lists every malformed variable, one line each.
type Error []string

func (e Error) Error() string {
	return "configuration:\n  " + strings.Join(e, "\n  ")
}

// Load reads every variable through lookup (os.LookupEnv in the
// program). An empty value counts as unset. All problems are reported at once,
// each naming its variable; no secret is repeated in them.
func Load(lookup func(string) (string, bool)) (Config, error) {
	c := Config{}
	var problems Error
	for _, group := range groups {
		for _, v := range group.Variables {
			value, _ := lookup(v.Name)
			if value = strings.TrimSpace(value); value == "" {
				value = v.Preset
			}
			if value == "" {
				continue
			}
			if err := v.set(&c, value); err != nil {
				problems = append(problems, prefixLines(v.Name, err)...)
			}
		}
	}
	c.Traces.complete()
	if len(problems) == 0 {
		problems = c.checkTogether()
	}
	if len(problems) > 0 {
		return Config{}, problems
	}
	if len(c.OperatorEmails) == 0 {
		c.OperatorEmails = c.ownerEmails
	}
	return c, nil
}

// checkTogether finds variables that only make sense with another one.
func (c *Config) checkTogether() Error {
	var problems Error
	if problem := c.Traces.problem(); problem != "" {
		problems = append(problems, problem)
	}
	if c.DatabaseReadURL != "" && c.DatabaseURL == "" {
		problems = append(problems, "DATABASE_READ_URL: needs DATABASE_URL: the database that the service runs has no standby")
	}
	if c.SMTPURL != nil && c.MailFrom == "" {
		problems = append(problems, "MAIL_FROM: must be set when SMTP_URL is")
	}
	if c.Payments == PaymentsStripe {
		if c.StripeSecretKey == "" {
			problems = append(problems, "STRIPE_SECRET_KEY: must be set when PAYMENTS is stripe")
		}
		if c.StripeWebhookSecret == "" {
			problems = append(problems, "STRIPE_WEBHOOK_SECRET: must be set when PAYMENTS is stripe")
		}
		for i, pack := range c.CreditPacks {
			if pack.Currency == "isk" || pack.Currency == "ugx" {
				problems = append(problems, fmt.Sprintf("CREDIT_PACKS: [%d].currency: Stripe counts %s in hundredths that the currency has not; name another one", i, pack.Currency))
			}
		}
	}
	return problems
}

// prefixLines names the variable in front of each problem that err holds.
func prefixLines(name string, err error) []string {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		lines[i] = fmt.Sprintf("%s: %s", name, line)
	}
	return lines
}

// DataPath is a path below DATA_DIR.
func (c *Config) DataPath(parts ...string) string {
	return filepath.Join(append([]string{c.DataDir}, parts...)...)
}
