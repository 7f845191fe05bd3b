package org

import (
	"encoding/json"
	"strings"

	"atelier/web/query"
)

func rowOf(rows []query.SettingRow, key string) query.SettingRow {
	for _, row := range rows {
		if row.Key == key {
			return row
		}
	}
	return query.SettingRow{}
}

func sameJSON(raw *json.RawMessage, text string) bool {
	return raw != nil && strings.TrimSpace(string(*raw)) == text
}
