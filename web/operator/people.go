package operator

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// operatorPeopleView is the accounts of the install.
type operatorPeopleView struct {
	List          frame.Listing
	Search, State string
	Counts        query.AccountCounts
	Rows          []query.OperatedPerson
}

// OperatorPeople lists the accounts of the install.
func (c Pages) OperatorPeople(w http.ResponseWriter, r *http.Request) error {
	v := operatorPeopleView{List: frame.ListingOf(r, "/operator/people", 30, query.SortByName, query.SortByCreated)}
	v.Search = strings.TrimSpace(v.List.Values.Get("q"))
	var state *query.PersonState
	if s := query.PersonState(v.List.Values.Get("state")); s == query.PersonStateBanned {
		state, v.State = &s, string(s)
	}
	res, err := query.OperatorPeople(r.Context(), c.Client, state, v.Search, v.List.After(), v.List.Sort)
	if err != nil {
		return err
	}
	list := res.OperatorPeople
	v.List.Loaded(list.PageInfo, len(list.Nodes), list.TotalCount)
	v.Counts, v.Rows = res.OperatorCounts, list.Nodes
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "People"), Section: frame.SectionOperator}, operatorPeopleContent(v, c.Now()))
}

// personView is one account as operators see it.
type personView struct {
	Person query.PersonForOperator
	Self   string
	Form   frame.Form
}

// locked says why an operator cannot act on the account; empty when they can.
func (v personView) locked(ctx context.Context) string {
	switch {
	case v.Person.Id == v.Self:
		return t(ctx, "This is you: your account page changes your own account.")
	case v.Person.IsOperator:
		return t(ctx, "An operator's account. Take its address out of PLATFORM_OPERATOR_EMAILS first.")
	}
	return ""
}

func (c Pages) person(r *http.Request) (query.Shell, personView, error) {
	res, err := query.OperatorPerson(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return query.Shell{}, personView{}, err
	}
	return res.Shell, personView{Person: res.OperatorPerson, Self: res.Shell.Me.Id, Form: frame.FormOf(r)}, nil
}

// OperatorPerson is one account with what operators may do to it.
func (c Pages) OperatorPerson(w http.ResponseWriter, r *http.Request) error {
	shell, v, err := c.person(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, frame.Page{Title: v.Person.DisplayName, Section: frame.SectionOperator}, personContent(v, c.Now()))
}

// AskPerson asks before an account is closed or deleted.
func (c Pages) AskPerson(question func(context.Context, personView) ui.ConfirmProps, refused string) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		shell, v, err := c.person(r)
		if err != nil {
			return err
		}
		q := question(r.Context(), v)
		return c.Page(w, r, shell, frame.Page{Title: q.Title, Section: frame.SectionOperator}, personQuestionContent(q, refused, v.Form))
	}
}

// AskBan asks why an account is closed.
func (c Pages) AskBan(w http.ResponseWriter, r *http.Request) error {
	return c.AskPerson(banQuestion, t(r.Context(), "The account is as it was."))(w, r)
}

// AskDeletePerson says what goes with an account.
func (c Pages) AskDeletePerson(w http.ResponseWriter, r *http.Request) error {
	return c.AskPerson(deletePersonQuestion, t(r.Context(), "The account is as it was."))(w, r)
}

// Ban closes an account.
func (c Pages) Ban(w http.ResponseWriter, r *http.Request) error {
	res, err := query.BanUser(r.Context(), c.Client, frame.PathID(r), frame.TextOrNil(r, "reason"))
	if err != nil {
		return frame.Again(w, r, err, c.AskBan)
	}
	return c.Done(w, "/operator/people/"+frame.PathID(r), t(r.Context(), "The account of %s is closed, everywhere and at once.", res.BanUser.DisplayName))
}

// Unban opens a closed account again.
func (c Pages) Unban(w http.ResponseWriter, r *http.Request) error {
	res, err := query.UnbanUser(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.OperatorPerson)
	}
	return c.Done(w, "/operator/people/"+frame.PathID(r), t(r.Context(), "%s can sign in again.", res.UnbanUser.DisplayName))
}

// DeletePerson deletes an account.
func (c Pages) DeletePerson(w http.ResponseWriter, r *http.Request) error {
	_, v, err := c.person(r)
	if err == nil && !frame.SameName(frame.Text(r, "typed_name"), v.Person.DisplayName) {
		err = frame.Invalid("typed_name", t(r.Context(), "That is not the name."))
	}
	if err != nil {
		return frame.Again(w, r, err, c.AskDeletePerson)
	}
	res, err := query.DeleteUser(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.AskDeletePerson)
	}
	return c.Done(w, "/operator/people", t(r.Context(), "The account of %s is deleted. Its address is free.", res.DeleteUser.DisplayName))
}

// EndSessionsOf signs a person out everywhere.
func (c Pages) EndSessionsOf(w http.ResponseWriter, r *http.Request) error {
	res, err := query.EndSessionsOf(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.OperatorPerson)
	}
	return c.Done(w, "/operator/people/"+frame.PathID(r), t(r.Context(), "%s is signed out everywhere.", res.EndSessionsOf.DisplayName))
}

// ResetSecondFactor takes the second factor off the account of a person who lost it.
func (c Pages) ResetSecondFactor(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.ResetSecondFactor(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.OperatorPerson)
	}
	return c.Done(w, "/operator/people/"+frame.PathID(r), t(
		r.Context(), "%s signs in with the password alone now, and is signed out everywhere.", res.ResetSecondFactor.DisplayName,
	))
}

// ResetLink makes a link to choose a password and shows it, this once.
func (c Pages) ResetLink(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	made, err := query.CreateResetLink(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.OperatorPerson)
	}
	shell, v, err := c.person(r)
	if err != nil {
		return err
	}
	frame.HoldSecret(w)
	at := frame.Page{Title: t(r.Context(), "Link for %s", v.Person.DisplayName), Section: frame.SectionOperator}
	return c.Page(w, r, shell, at, resetLinkContent(v.Person, made.CreateResetLink.Url))
}

// actWord is what an operator did.
func actWord(ctx context.Context, who, action string) string {
	switch action {
	case "user.banned":
		return t(ctx, "%s closed the account", who)
	case "user.unbanned":
		return t(ctx, "%s opened the account again", who)
	case "user.reset_link_made":
		return t(ctx, "%s made a link to choose a new password", who)
	case "user.sessions_ended":
		return t(ctx, "%s ended all sessions", who)
	case "user.second_factor_reset":
		return t(ctx, "%s took the second factor off", who)
	}
	return who + " " + action
}
