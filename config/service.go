package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"time"
	_ "time/tzdata" // the zones, also where the system brings none

	"github.com/jackc/pgx/v5/pgconn"
)

var serviceVariables = Group{"The service", []Variable{
	{"LISTEN_ADDR", "127.0.0.1:8080", "address to listen on",
		into(func(c *Config) *string { return &c.ListenAddr }, parseHostPort)},
	{"PUBLIC_URL", "http://localhost:8080", "base of every link that is printed or mailed: the root of a host, without a path",
		into(func(c *Config) *string { return &c.PublicURL }, parsePublicURL)},
	{"DATABASE_URL", "", "PostgreSQL 15 or later; unset: a PostgreSQL of its own under DATA_DIR",
		into(func(c *Config) *string { return &c.DatabaseURL }, parseDatabaseURL)},
	{"DATABASE_READ_URL", "", "a standby of DATABASE_URL, from which reports, the audit log and exports are read while it has everything; unset: none",
		into(func(c *Config) *string { return &c.DatabaseReadURL }, parseDatabaseURL)},
	{"DATA_DIR", "./data", "embedded database, media files and generated keys",
		into(func(c *Config) *string { return &c.DataDir }, parsePath)},
	{"STORAGE_URL", "", "s3://bucket?... or file:///path; unset: media files under DATA_DIR",
		into(func(c *Config) *string { return &c.StorageURL }, parseStorageURL)},
	{"TIME_ZONE", "", "zone of the times shown to whom neither the account nor the browser names one, such as Europe/Berlin; unset: UTC",
		into(func(c *Config) **time.Location { return &c.TimeZone }, parseTimeZone)},
	{"TRUSTED_PROXIES", "", "CIDRs whose X-Forwarded-For is believed",
		into(func(c *Config) *[]netip.Prefix { return &c.TrustedProxies }, parsePrefixes)},
}}

func parseTimeZone(s string) (*time.Location, error) {
	zone, err := time.LoadLocation(s)
	if err != nil || s == "Local" {
		return nil, errors.New("must be the name of a time zone, such as Europe/Berlin")
	}
	return zone, nil
}

func parsePath(s string) (string, error) { return filepath.Abs(s) }

// parseDatabaseURL takes what pgx takes; its errors hide the password.
func parseDatabaseURL(s string) (string, error) {
	if _, err := pgconn.ParseConfig(s); err != nil {
		return "", fmt.Errorf("must be a PostgreSQL URL: %w", err)
	}
	return s, nil
}

func parseStorageURL(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
	case u.Scheme == "s3" && u.Host != "", u.Scheme == "file" && u.Path != "":
		return s, nil
	}
	return "", errors.New("must be s3://bucket?... or file:///path")
}
