package operator

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// settingsView is what operators set for the whole install.
type settingsView struct {
	Set     query.InstallSettings
	Changes []query.InstallChange
	Logo    bool // a logo can be kept
	Form    frame.Form
}

// Settings is the form of what operators set for the whole install.
func (c Pages) Settings(w http.ResponseWriter, r *http.Request) error {
	res, err := query.InstallSettingsPage(r.Context(), c.Client)
	if err != nil {
		return err
	}
	if !res.Shell.Me.IsOperator {
		return frame.ErrNotFound
	}
	v := settingsView{Set: res.InstallSettings, Changes: res.InstallChanges, Logo: c.Config.Logo != nil, Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Settings of the install"), Section: frame.SectionOperator}, settingsContent(v, c.Now()))
}

// UpdateSettings saves the texts, the contact and the color.
func (c Pages) UpdateSettings(w http.ResponseWriter, r *http.Request) error {
	text := func(name string) *string {
		s := frame.Text(r, name)
		return &s
	}
	in := query.UpdateInstallSettingsInput{
		Terms: text("terms"), Privacy: text("privacy"), PaymentInstructions: text("paymentInstructions"), Contact: text("contact"), Accent: text("accent"),
	}
	if r.PostForm.Get("usual") != "" {
		in.Accent = new(string)
	}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	if _, err := query.UpdateInstallSettings(r.Context(), c.Client, in); err != nil {
		return frame.Again(w, r, err, c.Settings)
	}
	return c.Done(w, "/operator/settings", t(r.Context(), "The settings are saved."))
}

// SetLogo keeps a picture as the logo.
func (c Pages) SetLogo(w http.ResponseWriter, r *http.Request) error {
	if err := c.keepLogo(r); err != nil {
		return frame.Again(w, r, err, c.Settings)
	}
	return c.Done(w, "/operator/settings", t(r.Context(), "The logo is saved."))
}

func (c Pages) keepLogo(r *http.Request) error {
	if c.Config.Logo == nil {
		return frame.ErrNotFound
	}
	file, err := frame.ChosenFile(r, "logo")
	if err != nil {
		return err
	}
	defer file.Close()
	return atField("logo", c.Config.Logo(r.Context(), file))
}

// atField has a refusal of a picture stand at the field of the form.
func atField(name string, err error) error {
	if e, known := frame.Refused(err); known && (e.Field == "picture" || e.Status == http.StatusRequestEntityTooLarge) {
		return frame.Invalid(name, e.Message)
	}
	return err
}

// RemoveLogo leaves the program's own mark.
func (c Pages) RemoveLogo(w http.ResponseWriter, r *http.Request) error {
	yes := true
	if _, err := query.UpdateInstallSettings(r.Context(), c.Client, query.UpdateInstallSettingsInput{RemoveLogo: &yes}); err != nil {
		return frame.Again(w, r, err, c.Settings)
	}
	return c.Done(w, "/operator/settings", t(r.Context(), "The logo is removed."))
}

// changedWords are the names of settings in a sentence.
func changedWords(ctx context.Context, fields []string) string {
	names := map[string]string{
		"terms": tc(ctx, "changed", "the terms"), "privacy": tc(ctx, "changed", "the privacy page"), "paymentInstructions": tc(ctx, "changed", "how to pay"),
		"contact": tc(ctx, "changed", "the contact"), "accent": tc(ctx, "changed", "the colour"), "logo": tc(ctx, "changed", "the logo"),
	}
	out := make([]string, len(fields))
	for i, field := range fields {
		out[i] = frame.Or(names[field], field)
	}
	return strings.Join(out, ", ")
}
