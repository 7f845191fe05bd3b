package library

import (
	"strings"

	"atelier/web/frame"
)

// settingRefusal makes a refusal of a setting one of its form field, whose name is the prefix and the setting's.
func settingRefusal(err error, prefix string) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	setting, own := strings.CutPrefix(e.Field, "settings.")
	if !own {
		return err
	}
	setting, _, _ = strings.Cut(setting, "[")
	out := *e
	out.Field = prefix + setting
	return &out
}
