package account

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// notificationsView is what the person was told.
type notificationsView struct {
	All  bool // what is read already, too
	Back string
	Rows []query.Told
	Next string
}

// Notifications lists what the person was told: what is not read yet, or all of it.
func (c Pages) Notifications(w http.ResponseWriter, r *http.Request) error {
	v := notificationsView{All: r.URL.Query().Get("show") == "all", Back: r.URL.RequestURI()}
	res, err := query.Notifications(r.Context(), c.Client, !v.All, frame.After(r), locale.Of(r.Context()).Code)
	if err != nil {
		return err
	}
	v.Rows, v.Next = res.Notifications.Nodes, frame.NextHref(r, res.Notifications.PageInfo)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Notifications")}, notificationsContent(v, c.Now()))
}

// FollowNotification marks a notification as read and leads to where one acts.
func (c Pages) FollowNotification(w http.ResponseWriter, r *http.Request) error {
	res, err := query.FollowNotification(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return frame.SeeOther(w, res.FollowNotification.Path)
}

// ReadNotification marks one as read.
func (c Pages) ReadNotification(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.MarkNotificationsRead(r.Context(), c.Client, []string{frame.PathID(r)}); err != nil {
		return err
	}
	return frame.SeeOther(w, backToNotifications(r))
}

// ReadNotifications marks all as read.
func (c Pages) ReadNotifications(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.MarkAllNotificationsRead(r.Context(), c.Client); err != nil {
		return err
	}
	return c.Done(w, "/notifications", t(r.Context(), "Everything is marked as read."))
}

// DeclineCreditRequest answers a request for credits with no.
func (c Pages) DeclineCreditRequest(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeclineCreditRequest(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, backToNotifications(r), t(r.Context(), "The request is declined. The person who asked is told."))
}

// backToNotifications is the list that a form was on.
func backToNotifications(r *http.Request) string {
	if r.URL.Query().Get("show") == "all" {
		return "/notifications?show=all"
	}
	return "/notifications"
}

// action is the address of a form on the list, which returns to it.
func (v notificationsView) action(path string) string {
	if v.All {
		return path + "?show=all"
	}
	return path
}

func (v notificationsView) tabs(ctx context.Context) []ui.NavItem {
	return []ui.NavItem{
		{Text: t(ctx, "Unread"), Href: "/notifications", Current: !v.All},
		{Text: t(ctx, "All"), Href: "/notifications?show=all", Current: v.All},
	}
}

func (v notificationsView) notice(ctx context.Context, n query.Told) ui.NoticeProps {
	p := ui.NoticeProps{Sentence: n.Sentence, Href: frame.PathOr(n.Path, "/notifications?show=all"), Follow: "/notifications/" + n.Id, At: n.HappenedAt}
	if n.ReadAt == nil {
		p.Read = v.action("/notifications/" + n.Id + "/read")
	}
	if n.CreditRequest == nil {
		return p
	}
	p.Reason = n.CreditRequest.Reason
	switch frame.Value(n.CreditRequest.Answer) {
	case "given":
		p.Tag, p.Tone = t(ctx, "Given"), ui.OK
	case "declined":
		p.Tag, p.Tone = t(ctx, "Declined"), ui.Plain
	}
	return p
}

// giveHref is where one gives what was asked for: the page that allocates, filled in, or the limit of the one who asked.
func giveHref(ctx context.Context, n query.Told) string {
	if !n.CreditRequest.CanGive {
		return "/workspaces/" + frame.Value(n.WorkspaceId) + "/members/" + n.CreditRequest.User.Id
	}
	q := url.Values{"workspace": {frame.Value(n.WorkspaceId)}}
	if amount := n.CreditRequest.Amount; amount != nil {
		q.Set("amount", frame.TypedCredits(ctx, *amount))
	}
	return "/orgs/" + frame.Value(n.OrganizationId) + "/credits/allocate?" + q.Encode()
}

func giveText(ctx context.Context, n query.Told) string {
	switch {
	case !n.CreditRequest.CanGive:
		return t(ctx, "Set their limit")
	case n.CreditRequest.Amount != nil:
		return t(ctx, "Give %s", frame.CreditsIn(ctx, *n.CreditRequest.Amount))
	}
	return t(ctx, "Give credits")
}

func open(n query.Told) bool { return n.CreditRequest != nil && n.CreditRequest.Answer == nil }

// choicesView is what comes to the person by mail.
type choicesView struct {
	Mail    bool // the install sends mail
	Address string
	Choices []query.MailChoice
	Form    frame.Form
}

// NotificationChoices is the page on which one chooses what comes by mail.
func (c Pages) NotificationChoices(w http.ResponseWriter, r *http.Request) error {
	res, err := query.NotificationChoices(r.Context(), c.Client, locale.Of(r.Context()).Code)
	if err != nil {
		return err
	}
	v := choicesView{Mail: res.Install.Mail, Address: res.Shell.Me.Email, Choices: res.NotificationChoices, Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "What comes by mail"), Section: frame.SectionMails}, choicesContent(v))
}

// ChooseNotifications saves it.
func (c Pages) ChooseNotifications(w http.ResponseWriter, r *http.Request) error {
	var mailed []query.NotificationKind
	for _, kind := range r.PostForm["mail"] {
		if !slices.Contains(query.AllNotificationKind, query.NotificationKind(strings.TrimSpace(kind))) {
			return frame.Again(w, r, frame.Invalid("mail", t(r.Context(), "Choose from the list.")), c.NotificationChoices)
		}
		mailed = append(mailed, query.NotificationKind(kind))
	}
	if mailed == nil {
		mailed = []query.NotificationKind{}
	}
	if _, err := query.ChooseNotifications(r.Context(), c.Client, mailed); err != nil {
		return frame.Again(w, r, err, c.NotificationChoices)
	}
	return c.Done(w, "/account/notifications", t(r.Context(), "Saved. Everything stays in your notifications, whatever comes by mail."))
}

func (v notificationsView) noticeAt(ctx context.Context, n query.Told, now time.Time) ui.NoticeProps {
	p := v.notice(ctx, n)
	p.Now = now
	return p
}
