package models

import (
	"crypto/rand"
	"encoding/binary"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// ID names a row: a UUIDv7, so that ids sort by the time they were made and
// tables partitioned by id are partitioned by month.
type ID = uuid.UUID

// NewID makes the id of something that came to be at t. The twelve bits after
// the milliseconds hold the fraction of the millisecond, so that ids keep the
// order of their times to a quarter of a microsecond.
func NewID(t time.Time) ID { return idAt(ticksOf(t)) }

// ticksOf counts quarters of a microsecond.
func ticksOf(t time.Time) int64 { return t.UnixMicro() * 4 }

func idAt(ticks int64) ID {
	var id ID
	rand.Read(id[8:])
	milliseconds, fraction := ticks/4000, ticks%4000
	binary.BigEndian.PutUint64(id[:8], uint64(milliseconds)<<16|0x7000|uint64(fraction))
	id[8] = id[8]&0x3f | 0x80
	return id
}

// idSource makes ids that sort in the order in which a process made them, also
// when several are made within one tick of the clock.
type idSource struct{ last atomic.Int64 }

// next is an id at t, or right behind the last one. A clock that was set back
// by more than a second is believed.
func (s *idSource) next(t time.Time) ID {
	for {
		last, ticks := s.last.Load(), ticksOf(t)
		if ticks <= last && last-ticks < 4_000_000 {
			ticks = last + 1
		}
		if s.last.CompareAndSwap(last, ticks) {
			return idAt(ticks)
		}
	}
}

// FirstID is the smallest id of the time t: the lower bound of a partition.
func FirstID(t time.Time) ID {
	var id ID
	binary.BigEndian.PutUint64(id[:8], uint64(t.UnixMilli())<<16|0x7000)
	id[8] = 0x80
	return id
}

// TimeOf is when an id was made, to the millisecond.
func TimeOf(id ID) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16))
}

// ParseID reads a client's id; a malformed one is a validation error naming field.
func ParseID(field, s string) (ID, error) {
	id, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		return ID{}, Invalid(field, "must be a UUID")
	}
	return id, nil
}

// knowIDs has a connection send ids as the sixteen bytes that they are; otherwise each is written as a text, which
// is read again to make these bytes of it.
func knowIDs(conn *pgx.Conn) {
	types := conn.TypeMap()
	types.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{asBytes}, types.TryWrapEncodePlanFuncs...)
}

func asBytes(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	if id, ok := value.(ID); ok {
		return &idPlan{}, [16]byte(id), true
	}
	return nil, nil, false
}

// idPlan hands on the bytes of an id.
type idPlan struct{ next pgtype.EncodePlan }

func (p *idPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *idPlan) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode([16]byte(value.(ID)), buf)
}
