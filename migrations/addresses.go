// Migration 11: kept addresses and allowed domains in the form in which they are compared, the domain as an A-label.

package migrations

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/pressly/goose/v3"
	"golang.org/x/net/idna"
)

// addresses gives every address and allowed domain that was kept before the
// form in which they are compared now: the domain as an A-label. A row whose
// new form another person has stays as it is. Sign-ups whose address was not
// plain are forgotten, for their mail went to the address as it was typed.
var addresses = goose.NewGoMigration(11, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
	for _, step := range []func(context.Context, *sql.Tx) error{plainUsers, plainInvitations, plainDomains} {
		if err := step(ctx, tx); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`DELETE FROM sign_ups WHERE octet_length(address) <> char_length(address)`,
		`UPDATE users SET address = email WHERE address <> email`,
		`UPDATE invitations SET address = email WHERE address <> email`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}}, &goose.GoFunc{RunTx: func(context.Context, *sql.Tx) error { return nil }})

func plainUsers(ctx context.Context, tx *sql.Tx) error {
	return eachText(ctx, tx, `SELECT id, email FROM users WHERE octet_length(email) <> char_length(email) AND deleted_at IS NULL`,
		func(id, email string) error {
			_, err := tx.ExecContext(ctx, `UPDATE users SET email = $2 WHERE id = $1
				AND NOT EXISTS (SELECT FROM users u WHERE u.email = $2 AND u.deleted_at IS NULL)`, id, plainAddress(email))
			return err
		})
}

func plainInvitations(ctx context.Context, tx *sql.Tx) error {
	return eachText(ctx, tx, `SELECT id, email FROM invitations WHERE octet_length(email) <> char_length(email)`,
		func(id, email string) error {
			_, err := tx.ExecContext(ctx, `UPDATE invitations i SET email = $2 WHERE id = $1
				AND NOT EXISTS (SELECT FROM invitations o WHERE o.organization_id = i.organization_id AND o.email = $2
					AND o.accepted_at IS NULL AND o.revoked_at IS NULL)`, id, plainAddress(email))
			return err
		})
}

func plainDomains(ctx context.Context, tx *sql.Tx) error {
	return eachText(ctx, tx, `SELECT id, settings ->> 'allowed_email_domains' FROM organizations
		WHERE jsonb_typeof(settings -> 'allowed_email_domains') = 'array'
		AND octet_length(settings ->> 'allowed_email_domains') <> char_length(settings ->> 'allowed_email_domains')`,
		func(id, list string) error {
			var domains []string
			if err := json.Unmarshal([]byte(list), &domains); err != nil {
				return err
			}
			for i, domain := range domains {
				domains[i] = plainDomain(domain)
			}
			slices.Sort(domains)
			plain, err := json.Marshal(slices.Compact(domains))
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `UPDATE organizations SET settings = jsonb_set(settings, '{allowed_email_domains}', $2::jsonb) WHERE id = $1`, id, string(plain))
			return err
		})
}

func plainAddress(email string) string {
	at := strings.LastIndexByte(email, '@')
	return email[:at+1] + plainDomain(email[at+1:])
}

// plainDomain is the A-label form of a domain; one that has none in IDNA 2008,
// such as a picture, stays as it is.
func plainDomain(domain string) string {
	ascii, err := idna.Registration.ToASCII(domain)
	if err != nil || strings.ContainsFunc(domain, func(r rune) bool { return unicode.IsSymbol(r) }) {
		return domain
	}
	return ascii
}

// eachText reads rows of two texts, then changes them one by one.
func eachText(ctx context.Context, tx *sql.Tx, query string, change func(id, text string) error) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var all [][2]string
	for rows.Next() {
		var row [2]string
		if err := rows.Scan(&row[0], &row[1]); err != nil {
			return err
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, row := range all {
		if err := change(row[0], row[1]); err != nil {
			return err
		}
	}
	return nil
}
