// Package backup writes everything that an install has into one file while it serves - its database, its files and its
// keys, as they were at one moment - and makes an empty install of such a file what the first one was.
//
// The file is encrypted by a passphrase in the format age-encryption.org/v1 (scrypt, then ChaCha20-Poly1305 in chunks of
// 64 KiB, of which the last one says so). Inside is a tar archive:
//
//	backup.json                        which program, when, which schema
//	keys.json                          the keys of the install
//	database/<table>/<number>.copy.gz  rows as COPY writes them, in parts that belong one behind the other
//	files/<sha256>                     contents of files
//	end.json                           how much of everything there is
//
// so that `age -d` and `tar` open it without this program.
package backup

import (
	"fmt"
	"regexp"
	"time"

	"filippo.io/age"

	"atelier/migrations"
)

// format is the version of what is inside.
const format = 1

// partBytes is how much of a table is in one part, before it is packed.
const partBytes = 4 << 20

// maxDescription is how long an entry of JSON may be.
const maxDescription = 16 << 20

// workFactor is the logarithm of scrypt's cost, which takes 256 MiB and about a second; maxWorkFactor is what is accepted
// from a file. The first is lower in tests.
var workFactor = 18

const maxWorkFactor = 20

// About says what a backup holds.
type About struct {
	Format    int                 `json:"format"`
	Program   string              `json:"program"`
	PublicURL string              `json:"publicUrl"`
	MadeAt    time.Time           `json:"madeAt"`
	Database  string              `json:"database"` // version of the server
	Versions  migrations.Versions `json:"versions"`

	Tables     []Table          `json:"tables"`
	Partitions []Partition      `json:"partitions"`
	Sequences  map[string]int64 `json:"sequences"`
}

// Table is a table with the columns that are in the backup.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// Partition is a part of a table with its bounds in SQL.
type Partition struct {
	Name  string `json:"name"`
	Of    string `json:"of"`
	Bound string `json:"bound"`
}

// bounds are the only ones that partitions have.
var bounds = regexp.MustCompile(`^(DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$`)

// Keys are those of an install.
type Keys struct {
	Session      []byte   `json:"session"`
	Encryption   [][]byte `json:"encryption"`
	OperatorCode string   `json:"operatorCode"`
}

// End says how much there is.
type End struct {
	Rows      map[string]int64 `json:"rows"`
	Files     int64            `json:"files"`
	FileBytes int64            `json:"fileBytes"`
	// RowBytes are those of the rows as COPY writes them.
	RowBytes int64 `json:"rowBytes"`
	// Missing are contents that files refer to and that were not there, Damaged those that were not what their name says:
	// the first Named of each.
	Missing []string `json:"missing,omitempty"`
	Damaged []string `json:"damaged,omitempty"`
	// MissingCount and DamagedCount are how many there are.
	MissingCount int64 `json:"missingCount,omitempty"`
	DamagedCount int64 `json:"damagedCount,omitempty"`
}

// named is how many contents are named.
const named = 1000

// AllRows is the number of rows of all tables.
func (e *End) AllRows() (n int64) {
	for _, rows := range e.Rows {
		n += rows
	}
	return n
}

func (e *End) note(list *[]string, count *int64, name string) {
	if *count++; len(*list) < named {
		*list = append(*list, name)
	}
}

var (
	partName    = regexp.MustCompile(`^database/([a-z_0-9]+)/(\d{6,})\.copy\.gz$`)
	contentName = regexp.MustCompile(`^files/([0-9a-f]{64})$`)
)

func recipient(passphrase string) (age.Recipient, error) {
	r, err := age.NewScryptRecipient(passphrase)
	if err == nil {
		r.SetWorkFactor(workFactor)
	}
	return r, err
}

func identity(passphrase string) (age.Identity, error) {
	i, err := age.NewScryptIdentity(passphrase)
	if err == nil {
		i.SetMaxWorkFactor(maxWorkFactor)
	}
	return i, err
}

// size is a number of bytes in words.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
