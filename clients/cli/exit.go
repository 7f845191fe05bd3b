package main

import (
	"encoding/json"
	"errors"
	"fmt"

	atelier "atelier/clients/go"
)

// What a script learns from how the program ends; docs/cli.md lists them.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitSignIn      = 3
	exitRefused     = 4
	exitNotFound    = 5
	exitCredits     = 6
	exitConflict    = 7
	exitRunFailed   = 8
	exitLimited     = 9
	exitUnavailable = 10
	exitInterrupted = 130
)

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errDiffers ends workflows diff when files and service differ; the difference is printed already.
var errDiffers = errors.New("files and service differ")

// errSignIn is a command that needs a token without one.
var errSignIn = errors.New("not signed in: atelierctl login")

func exitCode(err error) int {
	refusal, failed, usage := (*atelier.Error)(nil), (*atelier.RunError)(nil), usageError{}
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, errSignIn):
		return exitSignIn
	case errors.As(err, &failed):
		return exitRunFailed
	case errors.As(err, &refusal):
		return exitCodeOf(refusal.Status)
	case errors.Is(err, atelier.ErrUnreachable):
		return exitUnavailable
	}
	return exitFailed
}

func exitCodeOf(status int) int {
	switch {
	case status == 401:
		return exitSignIn
	case status == 402:
		return exitCredits
	case status == 403:
		return exitRefused
	case status == 404:
		return exitNotFound
	case status == 409:
		return exitConflict
	case status == 429:
		return exitLimited
	case status >= 500:
		return exitUnavailable
	}
	return exitFailed
}

// complain says what went wrong: to people in a line, to programs as JSON.
func (p *program) complain(err error) {
	if errors.Is(err, errDiffers) {
		return
	}
	refusal, failed := (*atelier.Error)(nil), (*atelier.RunError)(nil)
	if p.json {
		told := map[string]any{"message": err.Error()}
		switch {
		case errors.As(err, &refusal):
			told["code"], told["message"] = refusal.Code, refusal.Message
			if refusal.Field != "" {
				told["field"] = refusal.Field
			}
		case errors.As(err, &failed):
			told["code"], told["message"], told["executionId"] = failed.Code, failed.Message, failed.ExecutionID
		}
		_ = json.NewEncoder(p.err).Encode(map[string]any{"error": told})
		return
	}
	fmt.Fprintf(p.err, "atelierctl: %s\n", printable(err.Error()))
	for _, line := range advice(err) {
		fmt.Fprintln(p.err, printable(line))
	}
}

// advice is what to do next, where that is known.
func advice(err error) []string {
	refusal, failed := (*atelier.Error)(nil), (*atelier.RunError)(nil)
	switch {
	case errors.As(err, &failed) && failed.Hint != "":
		return []string{failed.Hint}
	case errors.As(err, &refusal) && refusal.Status == 401:
		return []string{"Sign in again: atelierctl login"}
	case errors.As(err, &refusal) && refusal.MissingScope != "":
		return []string{fmt.Sprintf("The sign-in lacks %s: atelierctl login --scope %s", refusal.MissingScope, refusal.MissingScope)}
	case errors.As(err, new(usageError)):
		return []string{"atelierctl help tells what there is."}
	}
	return nil
}
