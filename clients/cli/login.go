package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// standardScopes are what the commands of the program need.
const standardScopes = "workflows:execute jobs:read workspaces:read"

// consentTime is how long a sign-in in the browser may take.
const consentTime = 10 * time.Minute

func (p *program) loginCommand() *cobra.Command {
	var token string
	var scopes []string
	var quiet bool
	c := &cobra.Command{
		Use: "login [address]", Short: "Sign in at an install", Args: cobra.MaximumNArgs(1),
		Long: "Sign in at an install, and keep the token in a profile that only you may read.\n\n" +
			"The browser asks you what this program may do; the token that comes of it lasts 90 days and sees the runs and jobs\n" +
			"that it started itself. A personal token (svc_…, page \"API tokens\") sees all of yours: --token - reads one from the\n" +
			"terminal or a pipe, without leaving it in the shell's history.",
		RunE: func(c *cobra.Command, args []string) error {
			kept, err := p.readConfig()
			if err != nil {
				return err
			}
			name := p.profileName(kept)
			address := p.url
			if len(args) == 1 {
				address = args[0]
			}
			old := kept.Profiles[name]
			if old == nil {
				old = &profile{}
			}
			for _, known := range []string{p.getenv("ATELIER_URL"), old.URL} {
				if address == "" {
					address = known
				}
			}
			if address == "" {
				return usagef("which install? atelierctl login https://atelier.example.org")
			}
			if !strings.Contains(address, "://") {
				address = "https://" + address
			}
			next := &profile{URL: strings.TrimRight(address, "/")}
			if old.URL == next.URL {
				next.ClientID, next.Workspace = old.ClientID, old.Workspace
			}
			if p.workspace != "" {
				next.Workspace = p.workspace
			}
			if token != "" {
				next.ClientID = ""
				if next.Token, err = p.readToken(token); err != nil {
					return err
				}
			} else if err := p.signIn(c.Context(), next, strings.Join(append(strings.Fields(standardScopes), scopes...), " "), !quiet); err != nil {
				return err
			}
			client, err := newClient(next.URL, next.Token)
			if err != nil {
				return err
			}
			me, err := client.API.GetMe(c.Context(), nil)
			if err != nil {
				return err
			}
			if next.Workspace == "none" {
				next.Workspace = ""
			}
			if next.Workspace != "" {
				if next.Workspace, err = workspaceID(c.Context(), client, next.Workspace); err != nil {
					return err
				}
			}
			kept.Profiles[name] = next
			if kept.Current == "" || p.profile != "" {
				kept.Current = name
			}
			if err := p.writeConfig(kept); err != nil {
				return err
			}
			if p.json {
				return p.printJSON(map[string]any{"profile": name, "url": next.URL, "user": me.Data})
			}
			fmt.Fprintf(p.err, "Signed in at %s as %s <%s>, profile %s.\n", next.URL, printable(me.Data.DisplayName), printable(me.Data.Email), name)
			return nil
		},
	}
	c.Flags().StringVar(&token, "token", "", "a personal token in place of the browser; - reads it from the input")
	c.Flags().StringSliceVar(&scopes, "scope", nil, "ask for more than "+standardScopes+", such as workspaces:write")
	c.Flags().BoolVar(&quiet, "no-browser", false, "print the address in place of opening a browser")
	return c
}

// readToken takes a token from the command line or, for -, from the input, unseen where that is a terminal.
func (p *program) readToken(given string) (string, error) {
	if given != "-" {
		return given, nil
	}
	if file, ok := p.in.(*os.File); ok && isTerminal(file) {
		fmt.Fprint(p.err, "Token: ")
		secret, err := term.ReadPassword(int(file.Fd()))
		fmt.Fprintln(p.err)
		return strings.TrimSpace(string(secret)), err
	}
	line, err := bufio.NewReader(p.in).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" {
		return "", usagef("no token came: %v", err)
	}
	return line, nil
}

// server is what an install says of how programs get tokens (RFC 8414).
type server struct {
	Issuer    string `json:"issuer"`
	Authorize string `json:"authorization_endpoint"`
}

// signIn sends the person's browser to the install and waits for what comes back, on a loopback address.
func (p *program) signIn(ctx context.Context, next *profile, scope string, openIt bool) error {
	visitor, err := newClient(next.URL, "")
	if err != nil {
		return err
	}
	var where server
	if err := visitor.JSON(ctx, "GET", "/.well-known/oauth-authorization-server", nil, nil, &where); err != nil {
		return fmt.Errorf("%s: %w", next.URL, err)
	}
	asks, err := url.Parse(where.Authorize)
	if err != nil || asks.Scheme != "https" && asks.Scheme != "http" {
		return fmt.Errorf("%s names no page to sign in at", next.URL)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	back := "http://" + listener.Addr().String() + "/back"
	if next.ClientID == "" {
		if next.ClientID, err = register(ctx, visitor); err != nil {
			return err
		}
	}
	code, verifier, err := p.consent(ctx, listener, asks, where.Issuer, next.ClientID, back, scope, openIt)
	if err != nil {
		return err
	}
	made, err := visitor.API.PostOauthToken(ctx, api.TokenParameters{
		GrantType: "authorization_code", Code: code, RedirectURI: &back, CodeVerifier: verifier, ClientID: &next.ClientID,
	})
	if err != nil {
		return err
	}
	next.Token = made.AccessToken
	return nil
}

// register makes this program known to an install (RFC 7591). It keeps no secret; PKCE is in its place.
func register(ctx context.Context, visitor *atelier.Client) (string, error) {
	name, method, scope := "atelierctl", "none", standardScopes+" workspaces:write"
	if host, err := os.Hostname(); err == nil {
		name += " on " + host
	}
	made, err := visitor.API.PostOauthRegister(ctx, api.Registration{
		ClientName: &name, RedirectUris: []string{"http://127.0.0.1/back"}, TokenEndpointAuthMethod: &method, Scope: &scope,
	})
	if err != nil {
		return "", err
	}
	return made.ClientID, nil
}

// consent has the person asked in their browser, and answers with the code that comes back.
func (p *program) consent(ctx context.Context, listener net.Listener, page *url.URL, issuer, clientID, back, scope string, openIt bool) (code, verifier string, err error) {
	verifier, state := rand.Text()+rand.Text(), rand.Text()
	sum := sha256.Sum256([]byte(verifier))
	asks := page.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": clientID, "redirect_uri": back, "scope": scope, "state": state,
		"code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256",
	} {
		asks.Set(name, value)
	}
	page.RawQuery = asks.Encode()
	type outcome struct {
		code string
		err  error
	}
	came := make(chan outcome, 1)
	answers := &http.Server{ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if r.Method != http.MethodGet || r.URL.Path != "/back" || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
			http.NotFound(w, r) // not from the page that this sign-in opened
			return
		}
		var o outcome
		switch {
		case q.Get("iss") != issuer:
			o.err = fmt.Errorf("the answer comes from %q and not from %s", q.Get("iss"), issuer)
		case q.Get("error") == "access_denied":
			o.err = errors.New("you did not allow it")
		case q.Get("error") != "":
			o.err = fmt.Errorf("%s: %s", q.Get("error"), q.Get("error_description"))
		default:
			o.code = q.Get("code")
		}
		told := "You are signed in. Go back to the terminal; this page can be closed."
		if o.err != nil {
			told = "The sign-in did not work: " + o.err.Error()
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "<!doctype html><html lang=en><meta name=viewport content=\"width=device-width\"><title>atelierctl</title><p>%s</p>", html.EscapeString(told))
		select {
		case came <- o:
		default:
		}
	})}
	go func() { _ = answers.Serve(listener) }()
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_ = answers.Shutdown(ending) // the page is delivered first
	}()
	if openIt && openBrowser(page.String()) == nil {
		fmt.Fprintln(p.err, "Your browser asks you to sign in. If it does not open, go to:")
	} else {
		fmt.Fprintln(p.err, "Sign in at:")
	}
	fmt.Fprintln(p.err, page)
	wait, cancel := context.WithTimeout(ctx, consentTime)
	defer cancel()
	select {
	case o := <-came:
		return o.code, verifier, o.err
	case <-wait.Done():
		if ctx.Err() != nil {
			return "", "", ctx.Err()
		}
		return "", "", fmt.Errorf("no sign-in within %v", consentTime)
	}
}

// openBrowser opens a page in the browser that the person has.
func openBrowser(address string) error {
	command, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		command = "open"
	case "windows":
		command, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if chosen := os.Getenv("BROWSER"); chosen != "" {
		command = chosen
	}
	if command == "xdg-open" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("no screen")
	}
	opened := exec.Command(command, args...)
	if err := opened.Start(); err != nil {
		return err
	}
	return opened.Process.Release()
}

func (p *program) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "Revoke the token of a profile, and forget it", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			kept, err := p.readConfig()
			if err != nil {
				return err
			}
			name := p.profileName(kept)
			out := kept.Profiles[name]
			if out == nil {
				return usagef("there is no profile %q", name)
			}
			var gone error
			if out.ClientID != "" && out.Token != "" {
				client, err := newClient(out.URL, "")
				if err != nil {
					return err
				}
				_, gone = client.API.PostOauthRevoke(c.Context(), api.RevokeParameters{Token: out.Token, ClientID: &out.ClientID})
				if refusal := (*atelier.Error)(nil); errors.As(gone, &refusal) && refusal.Status == http.StatusUnauthorized {
					gone = nil // the install has forgotten this program, and its tokens with it
				}
			} else if out.Token != "" {
				fmt.Fprintln(p.err, "The personal token stays valid until you revoke it on the page \"API tokens\".")
			}
			delete(kept.Profiles, name)
			if kept.Current == name {
				kept.Current = ""
			}
			return errors.Join(gone, p.writeConfig(kept))
		},
	}
}

func (p *program) profilesCommand() *cobra.Command {
	list := func(*cobra.Command, []string) error {
		kept, err := p.readConfig()
		if err != nil {
			return err
		}
		rows, out := [][]string{}, []map[string]any{}
		for _, name := range kept.names() {
			at := kept.Profiles[name]
			mark, kind := "", "personal token"
			if name == p.profileName(kept) {
				mark = "*"
			}
			if at.ClientID != "" {
				kind = "browser"
			}
			rows = append(rows, []string{mark, name, at.URL, kind, at.Workspace})
			out = append(out, map[string]any{"name": name, "url": at.URL, "signedInBy": kind, "workspace": at.Workspace, "current": mark != ""})
		}
		if p.json {
			return p.printJSON(out)
		}
		p.table([]string{"", "NAME", "INSTALL", "SIGNED IN BY", "WORKSPACE"}, rows)
		return nil
	}
	c := &cobra.Command{Use: "profiles", Short: "List the sign-ins that are kept; choose one", Args: cobra.NoArgs, RunE: list}
	c.AddCommand(&cobra.Command{
		Use: "use <name>", Short: "Act by this profile from now on; with --workspace, in that workspace", Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			kept, _ := p.readConfig()
			return kept.names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			kept, err := p.readConfig()
			if err != nil {
				return err
			}
			if !slices.Contains(kept.names(), args[0]) {
				return usagef("there is no profile %q: %s", args[0], strings.Join(kept.names(), ", "))
			}
			kept.Current = args[0]
			if at := kept.Profiles[args[0]]; p.workspace == "none" {
				at.Workspace = ""
			} else if p.workspace != "" {
				client, err := newClient(at.URL, at.Token)
				if err != nil {
					return err
				}
				if at.Workspace, err = workspaceID(c.Context(), client, p.workspace); err != nil {
					return err
				}
			}
			return p.writeConfig(kept)
		},
	})
	return c
}

func (p *program) whoamiCommand() *cobra.Command {
	return &cobra.Command{
		Use: "whoami", Short: "Show who is signed in, and their workspaces", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			me, err := client.API.GetMe(c.Context(), nil)
			if err != nil {
				return err
			}
			if p.json {
				return p.printJSON(me.Data)
			}
			fmt.Fprintf(p.out, "%s <%s> at %s\n", printable(me.Data.DisplayName), printable(me.Data.Email), client.BaseURL())
			var rows [][]string
			for _, w := range me.Data.Workspaces {
				mark := ""
				if w.ID == client.Workspace() {
					mark = "*"
				}
				rows = append(rows, []string{mark, w.ID, w.Slug, w.Name, orNone(w.Role)})
			}
			if len(rows) > 0 {
				fmt.Fprintln(p.out)
				p.table([]string{"", "WORKSPACE", "SLUG", "NAME", "ROLE"}, rows)
			}
			return nil
		},
	}
}

func orNone(s *string) string {
	if s == nil {
		return "–"
	}
	return *s
}
