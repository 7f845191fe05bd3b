// Package mailtest is a mail server on loopback for tests: it takes mails,
// and refuses, puts off or ignores those that it is told to.
package mailtest

import (
	"bufio"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Mail is one that arrived.
type Mail struct {
	To      string
	Subject string
	Header  mail.Header
	Text    string
	HTML    string
	Raw     string
}

var links = regexp.MustCompile(`https?://[^\s"<>]+`)

// Link is the first address of the text that holds part.
func (m Mail) Link(part string) string {
	for _, link := range links.FindAllString(m.Text, -1) {
		if strings.Contains(link, part) {
			return link
		}
	}
	return ""
}

// Server is the mail server.
type Server struct {
	t        testing.TB
	listener net.Listener
	// Answer says what becomes of a recipient: 250 takes the mail, another
	// status answers so, 0 hangs. All are taken when it is nil.
	Answer func(to string, attempt int) int

	mu       sync.Mutex
	mails    []Mail
	attempts map[string]int
	hanging  chan struct{}
	open     map[net.Conn]bool
}

// New starts a server, which ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, listener: listener, attempts: map[string]int{}, hanging: make(chan struct{}), open: map[net.Conn]bool{}}
	go s.serve()
	t.Cleanup(s.Close)
	return s
}

// URL is the server's address as SMTP_URL has it.
func (s *Server) URL() *url.URL {
	return &url.URL{Scheme: "smtp", Host: s.listener.Addr().String()}
}

// Close ends every connection; later ones are refused.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.listener.Close()
	for conn := range s.open {
		_ = conn.Close()
	}
	select {
	case <-s.hanging:
	default:
		close(s.hanging)
	}
}

// Mails are what arrived, in its order.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail{}, s.mails...)
}

// To are the mails to an address.
func (s *Server) To(address string) (all []Mail) {
	for _, m := range s.Mails() {
		if m.To == address {
			all = append(all, m)
		}
	}
	return all
}

// Await waits for the n-th mail to an address.
func (s *Server) Await(address string, n int) Mail {
	s.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		if all := s.To(address); len(all) >= n {
			return all[n-1]
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.t.Fatalf("%s got %d mails, want %d", address, len(s.To(address)), n)
	return Mail{}
}

func (s *Server) serve() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.open[conn] = true
		s.mu.Unlock()
		go func() {
			s.talk(conn)
			_ = conn.Close()
			s.mu.Lock()
			delete(s.open, conn)
			s.mu.Unlock()
		}()
	}
}

// talk holds one conversation.
func (s *Server) talk(conn net.Conn) {
	in := bufio.NewReader(conn)
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 mailtest")
	to := ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
		switch verb {
		case "EHLO":
			say("250-mailtest")
			say("250 SMTPUTF8")
		case "RCPT":
			to = line[strings.Index(line, "<")+1 : strings.Index(line, ">")]
			status := s.decide(to)
			if status == 0 {
				<-s.hanging
				return
			}
			say(fmt.Sprintf("%d decided", status))
		case "DATA":
			say("354 go on")
			body, err := readData(in)
			if err != nil {
				return
			}
			s.keep(to, body)
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (s *Server) decide(to string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts[to]++
	if s.Answer == nil {
		return 250
	}
	return s.Answer(to, s.attempts[to])
}

func readData(in *bufio.Reader) (string, error) {
	var body strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return "", err
		}
		if line == ".\r\n" {
			return body.String(), nil
		}
		body.WriteString(strings.TrimPrefix(line, "."))
	}
}

// keep reads a mail's two forms.
func (s *Server) keep(to, raw string) {
	m := Mail{To: to, Raw: raw}
	message, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		s.t.Errorf("a mail that is none: %v", err)
		return
	}
	m.Header = message.Header
	m.Subject, _ = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	_, params, _ := mime.ParseMediaType(message.Header.Get("Content-Type"))
	parts := multipart.NewReader(message.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err != nil {
			break
		}
		var body io.Reader = part
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			body = quotedprintable.NewReader(part)
		}
		text, _ := io.ReadAll(body)
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			m.HTML = string(text)
		} else {
			m.Text = string(text)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, m)
}
