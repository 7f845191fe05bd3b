package org

import "strings"

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// containing is the ILIKE pattern of texts that hold s anywhere: the audit log
// is searched by parts of sentences. What has a name is found by models.Found.
func containing(s string) string { return "%" + likeEscapes.Replace(s) + "%" }
