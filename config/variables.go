package config

import (
	"fmt"
	"io"
)

// Variable is one environment variable: its default, its line of help, and
// how a value lands in the Config.
type Variable struct {
	Name   string
	Preset string
	Help   string
	set    func(c *Config, value string) error
}

// Group is the variables of one subject.
type Group struct {
	Title     string
	Variables []Variable
}

// Groups are all variables in the order in which they are listed.
func Groups() []Group { return groups }

var groups = []Group{
	serviceVariables, accountVariables, keyVariables, signInVariables, mailVariables,
	quotaVariables, retentionVariables, paymentVariables, outboundVariables, providerVariables, logVariables, traceVariables, backupVariables,
}

// into makes a setter of a field and the parser of its value.
func into[T any](field func(*Config) *T, parse func(string) (T, error)) func(*Config, string) error {
	return func(c *Config, value string) error {
		parsed, err := parse(value)
		if err == nil {
			*field(c) = parsed
		}
		return err
	}
}

// WriteHelp lists every variable with its default, for `atelier serve --help`.
func WriteHelp(w io.Writer) {
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s\n", group.Title)
		for _, v := range group.Variables {
			preset := "unset"
			if v.Preset != "" {
				preset = v.Preset
			}
			fmt.Fprintf(w, "  %s\n      %s\n      default: %s\n", v.Name, v.Help, preset)
		}
	}
}
