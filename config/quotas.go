package config

import (
	"errors"
	"strconv"
	"strings"
)

var quotaVariables = Group{"What may be kept", []Variable{
	{"QUOTA_FILES_ACCOUNT", "5GiB", "files of an account, uploads and results of its personal space; a number of bytes with B, KiB, MiB, GiB or TiB, or unlimited",
		into(func(c *Config) **int64 { return &c.AccountQuota.Files }, parseByteQuota)},
	{"QUOTA_FILES_WORKSPACE", "20GiB", "files of a workspace, the results of its runs",
		into(func(c *Config) **int64 { return &c.WorkspaceQuota.Files }, parseByteQuota)},
	{"QUOTA_OUTPUTS_ACCOUNT", "5GiB", "what ended runs of a personal space took in and put out",
		into(func(c *Config) **int64 { return &c.AccountQuota.Outputs }, parseByteQuota)},
	{"QUOTA_OUTPUTS_WORKSPACE", "20GiB", "the same of a workspace",
		into(func(c *Config) **int64 { return &c.WorkspaceQuota.Outputs }, parseByteQuota)},
	{"QUOTA_GRAPHS_ACCOUNT", "1GiB", "workflows of a personal space with their saved versions",
		into(func(c *Config) **int64 { return &c.AccountQuota.Graphs }, parseByteQuota)},
	{"QUOTA_GRAPHS_WORKSPACE", "5GiB", "the same of a workspace",
		into(func(c *Config) **int64 { return &c.WorkspaceQuota.Graphs }, parseByteQuota)},
	{"QUOTA_WORKFLOWS_ACCOUNT", "2000", "how many workflows a personal space holds, or unlimited",
		into(func(c *Config) **int64 { return &c.AccountQuota.Workflows }, parseCountQuota)},
	{"QUOTA_WORKFLOWS_WORKSPACE", "10000", "the same of a workspace",
		into(func(c *Config) **int64 { return &c.WorkspaceQuota.Workflows }, parseCountQuota)},
	{"DISK_FLOOR", "512MiB", "how much of the disk of DATA_DIR stays free: below it no file is taken; 0B does not look",
		into(func(c *Config) *int64 { return &c.DiskFloor }, parseBytes)},
}}

// unlimited is the value of a quota that has no end.
const unlimited = "unlimited"

var byteUnits = []struct {
	name  string
	shift int
}{{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"B", 0}}

// parseByteQuota reads a whole number of bytes with its unit; nil is unlimited.
func parseByteQuota(s string) (*int64, error) {
	if s == unlimited {
		return nil, nil
	}
	for _, unit := range byteUnits {
		digits, fits := strings.CutSuffix(s, unit.name)
		if !fits {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > 1<<20 && unit.shift >= 40 || n > 1<<62>>unit.shift {
			break
		}
		n <<= unit.shift
		return &n, nil
	}
	return nil, errors.New("must be a whole number with B, KiB, MiB, GiB or TiB, such as 5GiB, or unlimited")
}

// parseBytes reads a whole number of bytes with its unit.
func parseBytes(s string) (int64, error) {
	n, err := parseByteQuota(s)
	if err != nil || n == nil {
		return 0, errors.New("must be a whole number with B, KiB, MiB, GiB or TiB, such as 512MiB")
	}
	return *n, nil
}

// parseCountQuota reads a whole number; nil is unlimited.
func parseCountQuota(s string) (*int64, error) {
	if s == unlimited {
		return nil, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return nil, errors.New("must be a whole number, or unlimited")
	}
	return &n, nil
}
