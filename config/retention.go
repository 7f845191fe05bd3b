package config

import (
	"errors"
	"strconv"

	"atelier/models"
)

var retentionVariables = Group{"How long is kept", []Variable{
	{"RETENTION_RUNS", unlimited, "for how many whole months behind the current one runs are kept, with their jobs, results and files: 2 or more, or unlimited. What they cost stays",
		into(func(c *Config) *int { return &c.RetentionRuns }, parseMonths)},
}}

// parseMonths reads a number of months; 0 is unlimited.
func parseMonths(s string) (int, error) {
	if s == unlimited {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < models.MinRunMonths || n > 1200 {
		return 0, errors.New("must be a whole number of months, 2 or more, or unlimited")
	}
	return n, nil
}
