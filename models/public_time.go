package models

import (
	"encoding/json"
	"time"
)

// PublicTime is a moment as every face writes it: ISO 8601 in UTC with milliseconds.
type PublicTime time.Time

const publicTimeFormat = "2006-01-02T15:04:05.000Z07:00"

func (t PublicTime) String() string { return time.Time(t).UTC().Format(publicTimeFormat) }

func (t PublicTime) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }

// PublicTimeOf is a moment that may be null.
func PublicTimeOf(t *time.Time) *PublicTime { return (*PublicTime)(t) }
