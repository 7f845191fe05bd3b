package org

import "strconv"

// plainNumber writes a number for programs.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
