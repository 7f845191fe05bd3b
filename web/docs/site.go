package docs

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"

	source "atelier/docs"
	"atelier/web/apidoc"
	"atelier/web/assets"

	"github.com/a-h/templ"
	"github.com/gorilla/mux"
)

const (
	// Prefix is where the site is.
	Prefix = "/docs"
	// SearchAddress is where it is searched; all else is ready to be sent.
	SearchAddress = Prefix + "/" + searchPath
)

// Config is what the site needs of its surroundings.
type Config struct {
	// Reference is what the document of the API says.
	Reference func() (*apidoc.Reference, error)
	// Document is the document itself; the files have it, too.
	Document func() ([]byte, error)
	// PublicURL is the address that examples call.
	PublicURL string
	// Apart is set where the pages are files of their own, without the program around them.
	Apart bool
}

// Site is all pages. None is made before it is asked for, and each is made once.
type Site struct {
	Config
	// contents are the sections with what is made.
	contents func() ([]Section, error)
	// index is what is searched.
	index func() ([]entry, error)
	codes func() ([]errorCode, error)
	// made has the maker of each address that there is; each makes once.
	made func() (map[string]func() (*assets.Packed, error), error)
	// searching is held by the one search that is at work: a flood of them takes no more than one processor.
	searching chan struct{}
	// recent are the answers to the last queries; only the search at work touches them.
	recent map[string]*assets.Packed
}

// New makes a site.
func New(c Config) *Site {
	c.Reference = sync.OnceValues(c.Reference)
	s := &Site{Config: c, searching: make(chan struct{}, 1), recent: map[string]*assets.Packed{}}
	s.contents = sync.OnceValues(s.allSections)
	s.codes = sync.OnceValues(readErrorCodes)
	s.index = sync.OnceValues(s.makeIndex)
	s.made = sync.OnceValues(s.makers)
	return s
}

// pack makes a page, or a file, ready to be sent.
func pack(kind string, body []byte, level int) *assets.Packed {
	sum := sha256.Sum256(body)
	return assets.Pack(kind, hex.EncodeToString(sum[:8]), body, level)
}

const (
	htmlKind = "text/html; charset=utf-8"
	jsonKind = "application/json"
	// caching lets everyone keep a page for a while, and ask after that whether it has changed.
	caching = "public, max-age=300"
	// policy is that of every page: nothing in them is written by users, so their scripts are the program's files.
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

// Routes registers the site.
func (s *Site) Routes(router *mux.Router) {
	for _, address := range []string{Prefix, SearchAddress, Prefix + "/{page:.*}"} {
		router.Handle(address, s).Methods(http.MethodGet, http.MethodHead)
	}
}

// ServeHTTP sends a page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	at := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, Prefix), "/")
	if trimmed := strings.TrimRight(at, "/"); trimmed != at || strings.HasSuffix(r.URL.Path, "/") {
		http.Redirect(w, r, addressOf(path.Clean("/" + trimmed)[1:]), http.StatusPermanentRedirect)
		return
	}
	page, status, err := s.answer(r.Context(), at, r.URL.Query().Get("q"))
	switch {
	case err == nil:
		h.Set("Content-Language", "en")
		page.Serve(w, r, status, caching)
	case r.Context().Err() == nil:
		panic(err) // the pages are part of the program, and a test has made each of them
	}
}

// answer is what stands at a path of the site, and the status that it is sent with.
func (s *Site) answer(ctx context.Context, at, query string) (*assets.Packed, int, error) {
	if at == searchPath && query != "" {
		page, err := s.searched(ctx, query)
		return page, http.StatusOK, err
	}
	page, err := s.page(at)
	if err != nil || page != nil && at != missing {
		return page, http.StatusOK, err
	}
	page, err = s.page(missing)
	return page, http.StatusNotFound, err
}

// missing is the path of the page for addresses that lead nowhere.
const missing = "!"

// page is what stands at a path, nil where nothing does.
func (s *Site) page(at string) (*assets.Packed, error) {
	made, err := s.made()
	if err != nil || made[at] == nil {
		return nil, err
	}
	return made[at]()
}

// makers are the makers of everything that the site sends but what was searched for.
func (s *Site) makers() (map[string]func() (*assets.Packed, error), error) {
	paths, err := s.Paths()
	if err != nil {
		return nil, err
	}
	out := map[string]func() (*assets.Packed, error){indexPath: sync.OnceValues(s.indexFile)}
	for _, at := range append(paths, searchPath, missing) {
		out[at] = sync.OnceValues(func() (*assets.Packed, error) {
			v, err := s.view(at)
			if err != nil {
				return nil, err
			}
			return s.render(v, gzip.BestCompression)
		})
	}
	files, err := handedOut()
	for at, text := range files {
		out[at] = sync.OnceValues(func() (*assets.Packed, error) {
			return pack("text/plain; charset=utf-8", text, gzip.BestCompression), nil
		})
	}
	return out, err
}

func (s *Site) render(v *view, level int) (*assets.Packed, error) {
	var b bytes.Buffer
	if err := document(v).Render(context.Background(), &b); err != nil {
		return nil, err
	}
	return pack(htmlKind, b.Bytes(), level), nil
}

// handedOut are the files that pages link to.
func handedOut() (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, folder := range []string{"monitoring", "examples"} {
		files, err := source.Files.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			at := path.Join(folder, f.Name())
			if out[at], err = source.Files.ReadFile(at); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// addressOf is where a path of the site is.
func addressOf(at string) string {
	if at == "" {
		return Prefix
	}
	return Prefix + "/" + at
}

// address is where a link of a page of docs/ leads on the site: a page, a part of one, a file that is handed out; "" for
// what is in the repository alone.
func address(from, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "mailto:") || strings.HasPrefix(link, Prefix+"/") {
		return link
	}
	file, anchor, _ := strings.Cut(link, "#")
	file = path.Join(path.Dir(from), file)
	if anchor != "" {
		anchor = "#" + anchor
	}
	if to, known := bySource()[file]; known {
		return addressOf(to) + anchor
	}
	switch {
	case file == errorsFile && anchor != "":
		return addressOf(errorsPath + "/" + anchor[1:])
	case file == errorsFile:
		return addressOf(errorsPath)
	case file == "../README.md":
		return Prefix
	case strings.HasPrefix(file, "monitoring/") || strings.HasPrefix(file, "examples/"):
		return addressOf(file)
	}
	return ""
}

// bySource is where the page of a file is.
var bySource = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, section := range written {
		for _, p := range section.Pages {
			out[p.Source] = p.Path
		}
	}
	return out
})

// view is what a page shows.
type view struct {
	*Site
	Page
	Section  string // its title
	Heading  string // the h1
	Crumbs   []Page
	Contents []Heading
	Sections []Section
	Before   *Page
	After    *Page
	Body     templ.Component
	Query    string
}

// allSections are the sections with the pages that are made.
func (s *Site) allSections() ([]Section, error) {
	var out []Section
	for _, section := range written {
		out = append(out, section)
		if section.Title != behind {
			continue
		}
		reference, err := s.referencePages()
		if err != nil {
			return nil, err
		}
		out = append(out, Section{referenceTitle, reference}, Section{errorsTitle, []Page{
			{Path: errorsPath, Title: "Error codes", Says: "Every code that a call can be refused with: what it means, and what to do."},
		}})
	}
	return out, nil
}

// view makes a page, nil where there is none at the path.
func (s *Site) view(at string) (*view, error) {
	sections, err := s.contents()
	if err != nil {
		return nil, err
	}
	v := &view{Site: s, Sections: sections, Page: Page{Path: at}}
	var before *Page
	for _, section := range sections {
		for i := range section.Pages {
			p := &section.Pages[i]
			switch {
			case p.Path == at:
				v.Page, v.Section, v.Before = *p, section.Title, before
			case before != nil && before.Path == at:
				v.After = p
			}
			before = p
		}
	}
	switch {
	case at == "":
		v.home()
	case at == missing:
		v.Heading, v.Body = "There is no such page", missingContent()
	case at == searchPath:
		v.search("", nil)
	case v.Source != "":
		return v, v.article()
	case at == referencePath || strings.HasPrefix(at, referencePath+"/"):
		return v.reference()
	case at == errorsPath || strings.HasPrefix(at, errorsPath+"/"):
		return v.errors()
	default:
		return nil, nil
	}
	return v, nil
}

// home is the first page.
func (v *view) home() {
	v.Heading, v.Title = "Atelier documentation", "Documentation"
	v.Says = "Guides for teachers, admins, operators and developers, the reference of the API, and what every error code means."
	v.After = &v.Sections[0].Pages[0]
	v.Body = homeContent(v.Sections)
}

// article is a page that was written.
func (v *view) article() error {
	a, err := articleAt(v.Source)
	if err != nil {
		return err
	}
	v.Heading, v.Contents, v.Body = a.Title, upTo(a.Contents, 3), templ.Raw(a.HTML)
	return nil
}

func articleAt(file string) (*article, error) {
	text, err := source.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	a, err := readArticle(text, func(link string) string { return address(file, link) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return a, nil
}

// upTo are the headings of a page that its contents name: the first two levels, or one where that is many.
func upTo(all []Heading, level int) (out []Heading) {
	for _, h := range all {
		if h.Level <= level {
			out = append(out, h)
		}
	}
	if len(out) > 24 && level > 2 {
		return upTo(all, level-1)
	}
	return out
}

// titleOf is the title of the document.
func (v *view) titleOf() string {
	if v.Path == "" {
		return "Atelier documentation"
	}
	if v.Section == referenceTitle && v.Path != referencePath {
		return v.Heading + " · API reference · Atelier documentation"
	}
	return cmp.Or(v.Heading, v.Title) + " · Atelier documentation"
}

// within tells whether a page stands below another of the contents: a code below all of them.
func within(at, above string) bool {
	return above == errorsPath && strings.HasPrefix(at, errorsPath+"/")
}
