package org

import "strings"

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// containing is the ILIKE pattern of texts that hold s anywhere.
func containing(s string) string { return "%" + likeEscapes.Replace(s) + "%" }
