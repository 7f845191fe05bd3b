package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	atelier "atelier/clients/go"

	"github.com/google/uuid"
)

// config is what the program remembers: where people sign in, and their tokens. Only its owner may read the file.
type config struct {
	Current  string              `json:"current,omitempty"`
	Profiles map[string]*profile `json:"profiles"`
}

// profile is one sign-in.
type profile struct {
	URL   string `json:"url"`
	Token string `json:"token,omitempty"`
	// Workspace is the one that commands act in.
	Workspace string `json:"workspace,omitempty"`
	// ClientID is the connected app that the token was made for, and its registration at the install.
	ClientID string `json:"clientId,omitempty"`
}

func (c *config) names() []string {
	var names []string
	for name := range c.Profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// configPath is where the file lies: ATELIER_CONFIG, else in the person's folder for such files.
func (p *program) configPath() (string, error) {
	if path := p.getenv("ATELIER_CONFIG"); path != "" {
		return path, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the configuration: set ATELIER_CONFIG: %w", err)
	}
	return filepath.Join(dir, "atelierctl", "config.json"), nil
}

// readConfig reads the file; none is an empty one.
func (p *program) readConfig() (*config, error) {
	c := &config{Profiles: map[string]*profile{}}
	path, err := p.configPath()
	if err != nil {
		return c, err
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(content, c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if c.Profiles == nil {
		c.Profiles = map[string]*profile{}
	}
	return c, nil
}

// writeConfig replaces the file in one step, readable by its owner alone.
func (p *program) writeConfig(c *config) error {
	path, err := p.configPath()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	content, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(path, 0o600, func(w io.Writer) error {
		_, err := w.Write(append(content, '\n'))
		return err
	})
}

// replaceFile writes a file beside its place and moves it there, once it is whole.
func replaceFile(path string, mode fs.FileMode, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".atelierctl-*") // mode 0600
	if err != nil {
		return err
	}
	err = errors.Join(write(file), file.Chmod(mode), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// profileName is the one that is chosen, or the one that a first sign-in gets.
func (p *program) profileName(c *config) string {
	for _, name := range []string{p.profile, p.getenv("ATELIER_PROFILE"), c.Current} {
		if name != "" {
			return name
		}
	}
	return "default"
}

// chosen is the profile to act by, with what flags and variables put in its place.
func (p *program) chosen() (*profile, error) {
	c, err := p.readConfig()
	if err != nil {
		return nil, err
	}
	acts := profile{}
	name := p.profileName(c)
	if kept := c.Profiles[name]; kept != nil {
		acts = *kept
	} else if p.profile != "" {
		return nil, usagef("there is no profile %q: atelierctl profiles", name)
	}
	for _, address := range []string{p.getenv("ATELIER_URL"), p.url} {
		if address != "" && strings.TrimRight(address, "/") != acts.URL {
			// A token goes to the install that it was made at, and to no other.
			acts = profile{URL: strings.TrimRight(address, "/")}
		}
	}
	if token := p.getenv("ATELIER_TOKEN"); token != "" {
		acts.Token = token
	}
	if workspace, ok := p.env("ATELIER_WORKSPACE"); ok {
		acts.Workspace = workspace
	}
	if p.workspace != "" {
		acts.Workspace = p.workspace
	}
	if acts.Workspace == "none" {
		acts.Workspace = ""
	}
	if acts.URL == "" {
		return nil, usagef("no install is known: atelierctl login https://atelier.example.org, or ATELIER_URL")
	}
	return &acts, nil
}

// visitor is a client without a token.
func (p *program) visitor() (*atelier.Client, error) {
	acts, err := p.chosen()
	if err != nil {
		return nil, err
	}
	return newClient(acts.URL, "")
}

// client acts for the person who is signed in, in the chosen workspace.
func (p *program) client(ctx context.Context) (*atelier.Client, error) {
	acts, err := p.chosen()
	if err != nil {
		return nil, err
	}
	if acts.Token == "" {
		return nil, errSignIn
	}
	c, err := newClient(acts.URL, acts.Token)
	if err != nil || acts.Workspace == "" {
		return c, err
	}
	workspace, err := workspaceID(ctx, c, acts.Workspace)
	if err != nil {
		return nil, err
	}
	return c.In(workspace), nil
}

func newClient(address, token string) (*atelier.Client, error) {
	c, err := atelier.New(address, atelier.WithToken(token), atelier.WithClientName("cli/"+version))
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// workspaceID finds a workspace by its id, its slug or its name.
func workspaceID(ctx context.Context, c *atelier.Client, named string) (string, error) {
	if isID(named) {
		return named, nil
	}
	me, err := c.API.GetMe(ctx, nil)
	if err != nil {
		return "", err
	}
	var found []string
	for _, w := range me.Data.Workspaces {
		if w.Slug == named || strings.EqualFold(w.Name, named) {
			found = append(found, w.ID)
		}
	}
	return onlyOne("workspaces", named, found, usagef("there is no workspace %q among yours: atelierctl whoami", named))
}

// onlyOne is what was found by a name, when that is one; none is the error when it is nothing.
func onlyOne(what, named string, found []string, none error) (string, error) {
	switch len(found) {
	case 0:
		return "", none
	case 1:
		return found[0], nil
	}
	return "", usagef("several %s are called %q: choose by id, one of %s", what, named, strings.Join(found, ", "))
}

// isID tells whether a text has the form of an id.
func isID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }
