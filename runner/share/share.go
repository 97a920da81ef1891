// Package share is the share service: it stores links under short ids. It is an http.Handler over a
// Store, which `newt serve` and a Cloudflare Worker both serve. Payloads are untrusted: they are
// decoded by package link, and never run.
//
//	POST   /api/share[?days=N]  a payload → 201 {id, url, key, expires}; 200 without a key if it is stored already
//	GET    /api/share/{id}      the payload
//	DELETE /api/share/{id}      with the author's key as a bearer token → 204
//	GET    /s/{id}              a page for previews, with a link to the playground
//	GET    /s/{id}/card.png     the preview's picture
//
// Problems are JSON {code, message} below /api and a page below /s.
package share

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/newtlab/newt/runner/clientaddr"
	"github.com/newtlab/newt/runner/share/link"
)

// Options configure the service.
type Options struct {
	Store Store
	// Title names a puzzle of newt's own, in English and in Chinese.
	Title func(number int) (en, zh string, ok bool)

	// The rest may be left out.

	Base    string                     // "https://newt.example", as visitors see it; "" takes it from each request
	Trusted []string                   // origins besides the service's own that may post
	Limiter Limiter                    // nil: 20 requests at once and one every 3 s, counted in memory
	Client  func(*http.Request) string // names a client to the Limiter; nil: by address, see clientaddr
	Timeout time.Duration              // of a store's answer; 0 means 3 s
	Now     func() time.Time           // nil means time.Now
	Report  func(error)                // told what a store says is wrong; nil keeps quiet
}

type service struct {
	Options
	origins *http.CrossOriginProtection
	// These bound how many links are decoded and cards drawn at once, and so the memory for it. Drawing is far slower,
	// so it has slots of its own.
	decodeSlots, drawSlots semaphore
	cards                  pictureCache
}

// New returns the service. It panics if an origin in o.Trusted is invalid or o.Store is nil.
func New(o Options) http.Handler {
	if o.Store == nil {
		panic("share.New: no Store")
	}
	s := &service{Options: withDefaults(o), origins: http.NewCrossOriginProtection()}
	s.decodeSlots, s.drawSlots = make(semaphore, 2*runtime.GOMAXPROCS(0)), make(semaphore, runtime.GOMAXPROCS(0))
	for _, origin := range o.Trusted {
		if err := s.origins.AddTrustedOrigin(origin); err != nil {
			panic("share.New: " + err.Error())
		}
	}
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.pattern, s.handleRoute(r))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		mux.ServeHTTP(w, r)
	})
}

func withDefaults(o Options) Options {
	if o.Title == nil {
		o.Title = func(int) (string, string, bool) { return "", "", false }
	}
	if o.Limiter == nil {
		o.Limiter = NewBuckets(20, 3*time.Second)
	}
	if o.Client == nil {
		o.Client = clientaddr.Of
	}
	if o.Timeout == 0 {
		o.Timeout = 3 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Report == nil {
		o.Report = func(error) {}
	}
	return o
}

// route is a pattern, the handler of each method, and the form of its problems.
type route struct {
	pattern string
	allow   string
	methods map[string]func(*service, http.ResponseWriter, *http.Request) error
	refuse  func(*problem, http.ResponseWriter, *http.Request)
}

type actions = map[string]func(*service, http.ResponseWriter, *http.Request) error

var routes = []route{
	{"/api/share", "POST", actions{"POST": (*service).create}, (*problem).json},
	{"/api/share/{id}", "DELETE, GET, HEAD", actions{"GET": (*service).open, "HEAD": (*service).open, "DELETE": (*service).remove}, (*problem).json},
	{"/s/{id}", "GET, HEAD", actions{"GET": (*service).page, "HEAD": (*service).page}, (*problem).page},
	{"/s/{id}/card.png", "GET, HEAD", actions{"GET": (*service).card, "HEAD": (*service).card}, (*problem).page},
	{"/api/share/", "", actions{}, (*problem).json},
	{"/s/", "", actions{}, (*problem).page},
}

// headers are the security headers of every response: nothing in it may be run or framed.
var headers = map[string]string{
	"Content-Security-Policy":      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

func (s *service) handleRoute(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.dispatch(rt, w, r); err != nil {
			p := toProblem(err)
			// What a client does wrong is not worth a line of the log.
			if p.status >= 500 {
				s.Report(err)
			}
			rt.refuse(p, w, r)
		}
	})
}

func (s *service) dispatch(rt route, w http.ResponseWriter, r *http.Request) error {
	if len(rt.methods) == 0 {
		return ErrNotFound
	}
	action := rt.methods[r.Method]
	if action == nil {
		w.Header().Set("Allow", rt.allow)
		return &problem{
			status: http.StatusMethodNotAllowed, code: "share-method", args: []any{method(r.Method), rt.allow},
		}
	}
	return action(s, w, r)
}

// method truncates a method name, which is untrusted text, for a message.
func method(name string) string { return name[:min(len(name), 16)] }

// storeContext returns the context of one call of the store, or of one wait for a slot.
func (s *service) storeContext(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), s.Timeout)
}

// semaphore bounds concurrency by its capacity.
type semaphore chan struct{}

// acquire runs f when a slot is free, or returns the error of ctx if that ends first.
func (t semaphore) acquire(ctx context.Context, f func() error) error {
	select {
	case t <- struct{}{}:
		defer func() { <-t }()
		return f()
	case <-ctx.Done():
		return ErrBusy
	}
}

// decodeLink decodes a link when a slot is free.
func (s *service) decodeLink(r *http.Request, text string) (state link.State, err error) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	err = s.decodeSlots.acquire(ctx, func() error {
		state, err = link.Decode(text)
		return err
	})
	return state, err
}

// baseURL returns the service's address as this client sees it, without a trailing slash; "" if the request does not
// say.
func (s *service) baseURL(r *http.Request) string {
	if s.Base != "" {
		return strings.TrimSuffix(s.Base, "/")
	}
	const inHost = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.:[]"
	// The host goes into pages and links: no character that HTML or an address would read otherwise.
	if r.Host == "" || strings.Trim(r.Host, inHost) != "" {
		return ""
	}
	if r.TLS != nil || r.URL.Scheme == "https" || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
