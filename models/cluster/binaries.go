package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldestMajor is the first PostgreSQL that the service works with.
const oldestMajor = 15

// binaries are the programs of one installed PostgreSQL.
type binaries struct {
	dir   string
	major int
}

func (b binaries) program(name string) string { return filepath.Join(b.dir, name) }

// binaryPlaces are where packages put the server programs, which are rarely in PATH.
var binaryPlaces = []string{
	"/usr/lib/postgresql/*/bin",         // Debian, Ubuntu
	"/usr/pgsql-*/bin",                  // PostgreSQL's own RPMs
	"/usr/libexec/postgresql*",          // Alpine
	"/opt/homebrew/opt/postgresql*/bin", // Homebrew
	"/usr/local/opt/postgresql*/bin",
}

// installed lists every PostgreSQL found, newest first.
func installed() []binaries {
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, realDir(path))
	}
	for _, place := range binaryPlaces {
		found, _ := filepath.Glob(place)
		dirs = append(dirs, found...)
	}
	var list []binaries
	for _, dir := range dirs {
		major, err := majorOf(dir)
		known := slices.ContainsFunc(list, func(b binaries) bool { return b.major == major })
		if err == nil && !known {
			list = append(list, binaries{dir, major})
		}
	}
	slices.SortFunc(list, func(a, b binaries) int { return b.major - a.major })
	return list
}

// realDir follows links: initdb looks for postgres beside its own file.
func realDir(program string) string {
	if path, err := filepath.EvalSymlinks(program); err == nil {
		program = path
	}
	return filepath.Dir(program)
}

var versionForm = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

func majorOf(dir string) (int, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return 0, err
	}
	text, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return 0, err
	}
	match := versionForm.FindSubmatch(text)
	if match == nil {
		return 0, fmt.Errorf("%s: unreadable version %q", dir, text)
	}
	return strconv.Atoi(string(match[1]))
}

// chooseBinaries takes the version that made the data directory, or the newest for a new one.
func (c *Cluster) chooseBinaries() (binaries, error) {
	list := installed()
	major, err := c.majorOnDisk()
	if err != nil {
		return binaries{}, err
	}
	if major != 0 {
		return c.chooseMajor(list, major)
	}
	if len(list) == 0 || list[0].major < oldestMajor {
		return binaries{}, fmt.Errorf("no PostgreSQL %d or later is installed (%s found): install the Debian package "+
			"postgresql, or set DATABASE_URL to a server elsewhere", oldestMajor, versions(list))
	}
	return list[0], nil
}

func (c *Cluster) chooseMajor(list []binaries, major int) (binaries, error) {
	if major < oldestMajor {
		return binaries{}, fmt.Errorf("%s was made by PostgreSQL %d, the service needs %d or later: upgrade it with "+
			"pg_upgrade; it was left untouched", c.path(), major, oldestMajor)
	}
	for _, b := range list {
		if b.major == major {
			return b, nil
		}
	}
	return binaries{}, fmt.Errorf("%s was made by PostgreSQL %d, and %s is installed: install the Debian package "+
		"postgresql-%d to go on with it, or move it to the newer version (pg_upgrade, or pg_dumpall from the old "+
		"one into a fresh DATA_DIR); it was left untouched", c.path(), major, versions(list), major)
}

func versions(list []binaries) string {
	if len(list) == 0 {
		return "none"
	}
	words := make([]string, len(list))
	for i, b := range list {
		words[i] = strconv.Itoa(b.major)
	}
	return strings.Join(words, ", ")
}

// majorOnDisk is the version of the data directory, 0 when there is none yet.
// A directory that holds something else is an error.
func (c *Cluster) majorOnDisk() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.path(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(c.path())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		if len(entries) > 0 {
			return 0, fmt.Errorf("%s is not empty and not a PostgreSQL data directory (PG_VERSION is missing); "+
				"it was left untouched", c.path())
		}
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	version, _, _ := strings.Cut(strings.TrimSpace(string(text)), ".")
	major, err := strconv.Atoi(version)
	if err != nil || major < 1 {
		return 0, fmt.Errorf("%s: unreadable PG_VERSION %q; it was left untouched", c.path(), text)
	}
	return major, nil
}
