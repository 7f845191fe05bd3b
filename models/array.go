package models

import (
	"database/sql/driver"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// arrays know how PostgreSQL writes its arrays. Each remembers what it has seen, and
// so serves one at a time.
var arrays = sync.Pool{New: func() any { return pgtype.NewMap() }}

// withArrays hands one of them out.
func withArrays(use func(*pgtype.Map) error) error {
	m := arrays.Get().(*pgtype.Map)
	defer arrays.Put(m)
	return use(m)
}

// Strings is a text[] column.
type Strings []string

func (s *Strings) Scan(src any) error {
	return withArrays(func(m *pgtype.Map) error { return m.SQLScanner((*[]string)(s)).Scan(src) })
}

func (s Strings) Value() (driver.Value, error) { return encodeArray(pgtype.TextArrayOID, []string(s)) }

// IDs is a uuid[] column.
type IDs []ID

func (s *IDs) Scan(src any) error {
	var texts Strings
	if err := texts.Scan(src); err != nil {
		return err
	}
	ids := make(IDs, len(texts))
	for i, text := range texts {
		id, err := uuid.Parse(text)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	*s = ids
	return nil
}

func (s IDs) Value() (driver.Value, error) {
	texts := make([]string, len(s))
	for i, id := range s {
		texts[i] = id.String()
	}
	return encodeArray(pgtype.TextArrayOID, texts)
}

func encodeArray(oid uint32, texts []string) (driver.Value, error) {
	if texts == nil {
		texts = []string{}
	}
	var written []byte
	err := withArrays(func(m *pgtype.Map) (err error) {
		written, err = m.Encode(oid, pgtype.TextFormatCode, texts, nil)
		return err
	})
	return string(written), err
}
