// Package install is what operators set for the whole install: terms, privacy, how to pay, whom to ask, and how it looks.
package install

import (
	"context"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
)

// Bounds of the settings, in characters; of the logo in bytes, once it is small.
const (
	maxPolicy       = 50_000
	maxInstructions = 2_000
	maxContact      = 200
	MaxLogo         = 128 << 10
)

// LogoPath is the beginning of the address of the logo.
const LogoPath = "/install/logo/"

// Service holds the use cases of the install's settings.
type Service struct {
	DB *models.DB

	shown atomic.Pointer[shown]
}

// shown is what every page asks for, and until when it holds.
type shown struct {
	look  Look
	until time.Time
}

// Settings are what operators set; empty is not set.
type Settings struct {
	ID                  bool `gorm:"primaryKey"`
	Terms               string
	Privacy             string
	PaymentInstructions string
	// Contact is whom people ask: an address of mail, or of a page.
	Contact string
	// Accent is a color such as #2f4bd8.
	Accent    string
	LogoKey   *string
	Version   int
	UpdatedAt time.Time
}

func (Settings) TableName() string { return "install_settings" }

// LogoURL is the path of the logo; nil where there is none.
func (s *Settings) LogoURL() *string {
	if s.LogoKey == nil {
		return nil
	}
	path := LogoPath + *s.LogoKey + ".png"
	return &path
}

// Look is what every page needs of the settings.
type Look struct {
	HasTerms, HasPrivacy bool
	Contact              string
	Accent               string
	LogoURL              *string
}

// Change is a change of the settings: who made it, and of which of them.
type Change struct {
	ID        models.ID `gorm:"primaryKey"`
	ActorID   models.ID
	ActorName string
	Changed   models.Strings `gorm:"column:fields"`
	CreatedAt time.Time
}

// Fields are the names of what was changed.
func (c *Change) Fields() []string { return c.Changed }

func (Change) TableName() string { return "install_changes" }

// UpdateInput changes the settings; what is not sent stays. Version is the one that the change was made on.
type UpdateInput struct {
	Terms               *string
	Privacy             *string
	PaymentInstructions *string
	Contact             *string
	Accent              *string
	// RemoveLogo leaves the program's own.
	RemoveLogo *bool
	Version    *int
}

// lookHolds is how long the look of pages may be that of before a change, in other processes.
const lookHolds = 5 * time.Second

// FindSettings reads the settings without the logo's bytes. They are public, except for how to pay: that is empty for
// a visitor without an account.
func (s *Service) FindSettings(ctx context.Context) (*Settings, error) {
	found, err := models.First[Settings](s.DB.Read(ctx).Omit("logo"), nil)
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = &Settings{ID: true, Version: 1}
	}
	if models.ActorFrom(ctx).RequireUser(models.Unscoped) != nil {
		found.PaymentInstructions = ""
	}
	return found, nil
}

// FindLook is what every page needs of the settings; the database is asked every few seconds at most.
func (s *Service) FindLook(ctx context.Context) (Look, error) {
	now := s.DB.Clock.Now()
	if known := s.shown.Load(); known != nil && now.Before(known.until) {
		return known.look, nil
	}
	found, err := s.FindSettings(ctx)
	if err != nil {
		return Look{}, err
	}
	look := Look{HasTerms: found.Terms != "", HasPrivacy: found.Privacy != "", Contact: found.Contact, Accent: found.Accent, LogoURL: found.LogoURL()}
	s.shown.Store(&shown{look, now.Add(lookHolds)})
	return look, nil
}

// ListChanges are the last changes of the settings, newest first (platform operator).
func (s *Service) ListChanges(ctx context.Context) (changes []*Change, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	return changes, s.DB.Read(ctx).Order("id DESC").Limit(20).Find(&changes).Error
}

// UpdateSettings changes the settings (platform operator). validation_error names the field; stale_version where
// another operator was faster.
func (s *Service) UpdateSettings(ctx context.Context, in UpdateInput) (*Settings, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	clean, err := in.clean()
	if err != nil {
		return nil, err
	}
	if err := models.ActorFrom(ctx).RequireConfirmed(s.DB.Clock.Now()); err != nil {
		return nil, err
	}
	err = s.write(ctx, func(found *Settings) (map[string]any, []string, error) {
		if in.Version != nil && *in.Version != found.Version {
			return nil, nil, models.Err(models.CodeStale, "The settings were changed meanwhile: they are at version %d", found.Version)
		}
		columns, fields := map[string]any{}, []string{}
		for _, one := range clean {
			if before := one.of(found); one.value != nil && *one.value != *before {
				columns[one.column], fields = *one.value, append(fields, one.name)
			}
		}
		if in.RemoveLogo != nil && *in.RemoveLogo && found.LogoKey != nil {
			columns["logo"], columns["logo_key"], fields = nil, nil, append(fields, "logo")
		}
		return columns, fields, nil
	})
	if err != nil {
		return nil, err
	}
	return s.FindSettings(ctx)
}

// SetLogo keeps the logo of the install, a PNG that this program made (platform operator).
func (s *Service) SetLogo(ctx context.Context, png []byte) error {
	if err := s.MaySetLogo(ctx); err != nil {
		return err
	}
	if len(png) == 0 || len(png) > MaxLogo {
		return models.Invalid("logo", "cannot be made small enough; choose another one")
	}
	return s.write(ctx, func(*Settings) (map[string]any, []string, error) {
		return map[string]any{"logo": png, "logo_key": models.NewSecret("", 16)}, []string{"logo"}, nil
	})
}

// MaySetLogo admits a logo that is about to be sent (platform operator), from a session that was confirmed within the hour.
func (s *Service) MaySetLogo(ctx context.Context) error {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return err
	}
	return models.ActorFrom(ctx).RequireConfirmed(s.DB.Clock.Now())
}

// FindLogo are the bytes of the logo whose key an address ends in; public.
func (s *Service) FindLogo(ctx context.Context, name string) ([]byte, error) {
	key, _, _ := strings.Cut(name, ".")
	var rows []struct{ Logo []byte }
	if err := s.DB.Read(ctx).Raw(`SELECT logo FROM install_settings WHERE logo_key = ?`, key).Scan(&rows).Error; err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, models.NotFound("Logo")
	}
	return rows[0].Logo, nil
}

// write changes columns of the row, which is locked, and notes who did it.
func (s *Service) write(ctx context.Context, change func(*Settings) (map[string]any, []string, error)) error {
	defer s.shown.Store(nil)
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := tx.Run(`INSERT INTO install_settings (updated_at) VALUES ($1) ON CONFLICT DO NOTHING`, tx.Now); err != nil {
			return err
		}
		found, err := models.First[Settings](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Omit("logo"), models.NotFound("Settings"))
		if err != nil {
			return err
		}
		columns, fields, err := change(found)
		if err != nil || len(fields) == 0 {
			return err
		}
		columns["version"], columns["updated_at"] = found.Version+1, tx.Now
		if err := tx.Model(&Settings{}).Where("id").Updates(columns).Error; err != nil {
			return err
		}
		entry := Change{ID: tx.NewID(), ActorID: tx.Actor.UserID, ActorName: tx.Actor.DisplayName, Changed: fields, CreatedAt: tx.Now}
		if err := tx.Create(&entry).Error; err != nil {
			return err
		}
		_, err = tx.Run(`DELETE FROM install_changes WHERE id <= (SELECT id FROM install_changes ORDER BY id DESC OFFSET 100 LIMIT 1)`)
		return err
	})
}

// field is one text of the settings: its name, its column, and what it is to become.
type field struct {
	name, column string
	value        *string
	of           func(*Settings) *string
}

var isColor = regexp.MustCompile(`^(#[0-9a-f]{6})?$`)

func (in UpdateInput) clean() ([]field, error) {
	fields := []field{
		{"terms", "terms", in.Terms, func(s *Settings) *string { return &s.Terms }},
		{"privacy", "privacy", in.Privacy, func(s *Settings) *string { return &s.Privacy }},
		{"paymentInstructions", "payment_instructions", in.PaymentInstructions, func(s *Settings) *string { return &s.PaymentInstructions }},
		{"contact", "contact", in.Contact, func(s *Settings) *string { return &s.Contact }},
		{"accent", "accent", in.Accent, func(s *Settings) *string { return &s.Accent }},
	}
	most := map[string]int{"terms": maxPolicy, "privacy": maxPolicy, "paymentInstructions": maxInstructions, "contact": maxContact, "accent": maxContact}
	for i, one := range fields {
		if one.value == nil {
			continue
		}
		text, err := models.CleanText(one.name, strings.TrimSpace(*one.value), most[one.name])
		if err != nil {
			return nil, err
		}
		if one.name == "accent" {
			if text = strings.ToLower(text); !isColor.MatchString(text) {
				return nil, models.Invalid("accent", "must be a colour such as #2f4bd8")
			}
		}
		fields[i].value = &text
	}
	if contact := fields[3].value; contact != nil && *contact != "" && strings.ContainsAny(*contact, "\n\r") {
		return nil, models.Invalid("contact", "must be one line: an address of mail, or of a page")
	}
	return fields, nil
}
