package flow

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
)

// scheduleRefusal says a refusal of a config at the field of the form that it is about. Rules that were left out of
// the form do not count, so the service's numbers are found again.
func scheduleRefusal(ctx context.Context, err error, prefix string, values url.Values) error {
	var e *frame.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Field, "config.") {
		return err
	}
	field := strings.TrimPrefix(e.Field, "config.")
	switch inner, isRule := strings.CutPrefix(field, "rules["); {
	case isRule:
		number, place, _ := strings.Cut(inner, "]")
		wanted, _ := strconv.Atoi(number)
		for i := range nodeform.MaxRules {
			name := prefix + "." + strconv.Itoa(i)
			if values.Get(name+".kind") == "" {
				continue
			}
			if wanted--; wanted < 0 {
				return frame.Invalid(name+place, frame.AboutField(ctx, t(ctx, "Rule %d", i+1), e))
			}
		}
	case field == "rules":
		return frame.Invalid(prefix+".0.kind", t(ctx, "Choose at least one rule: when it runs."))
	case field == "timezone":
		return frame.Invalid("timezone", t(ctx, "Write the name of a time zone, such as Europe/Berlin."))
	case field == "maxExecutions":
		return frame.Invalid("maxExecutions", t(ctx, "Write a whole number of runs, from 1 on, or leave it empty."))
	}
	return err
}
