// Package api serves newt's operations over HTTP: each row of package operation's table is a path below /api/v1, and a
// tool of the Model Context Protocol at /mcp.
//
//	POST /api/v1/NAME           the operation's input as JSON → its Result
//	GET  /api/v1/explain?code=  the same for explain
//	GET  /api/v1/openapi.json   the description of these, which is made of the same table
//
// What is refused is a Problem (RFC 9457). Who may call what, and how much at a time, is the runner's business
// (endpoint.Runner.Admit).
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/operation"
	"github.com/newtlab/newt/runner/share"
)

// Paths of the interface.
const (
	Prefix  = "/api/v1/"
	MCPPath = "/mcp"
)

// Options configure the interface.
type Options struct {
	Runner    *endpoint.Runner // says who may call operations
	Processes *operation.Processes
	Share     http.Handler // the share service
	Tools     *sdk.Server  // answers agents
}

type service struct {
	Options
	mux *http.ServeMux
}

// New returns the handler of Prefix and MCPPath.
func New(o Options) http.Handler {
	s := &service{o, http.NewServeMux()}
	description, err := Describe()
	if err != nil {
		panic(err) // of newt's own types
	}
	for _, row := range operation.Table {
		call := func(w http.ResponseWriter, r *http.Request) error { return s.call(w, r, row) }
		s.mux.HandleFunc(Prefix+row.Name, s.handle(row.Public, methodsOf(row), call))
	}
	server := func(*http.Request) *sdk.Server { return o.Tools }
	tools := sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
		MaxRequestBodyBytes:        operation.MaxInput,
		DisableLocalhostProtection: true, // Admit looks at the host and the origin
	})
	s.mux.HandleFunc(MCPPath, s.handle(false, "POST", func(w http.ResponseWriter, r *http.Request) error {
		tools.ServeHTTP(w, r)
		return nil
	}))
	s.mux.HandleFunc("GET "+Prefix+"openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(description) // an error is the connection's
	})
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, newProblem(http.StatusNotFound, "api-path", operation.Shown(r.URL.Path), Prefix+"openapi.json"))
	})
	return s.mux
}

func methodsOf(o *operation.Operation) string {
	if o.Name == explain {
		return "GET, POST"
	}
	return "POST"
}

// explain is the operation that is called by GET too: it changes nothing, and its input is one word.
const explain = "explain"

// handle serves requests with the methods given, each in a turn of who sends it.
func (s *service) handle(
	public bool, methods string, serve func(http.ResponseWriter, *http.Request) error,
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" {
			w.Header().Add("Vary", "Origin")
			if s.Runner.Allows(origin) {
				w.Header().Set("Access-Control-Allow-Origin", origin)
				w.Header().Set("Access-Control-Expose-Headers", "Retry-After")
			}
		}
		if r.Method == http.MethodOptions { // a page of another site asks whether it may call
			w.Header().Set("Access-Control-Allow-Methods", methods)
			w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, MCP-Protocol-Version")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !strings.Contains(methods, r.Method) {
			w.Header().Set("Allow", methods)
			s.refuse(w, r, newProblem(http.StatusMethodNotAllowed, "api-method", operation.Shown(r.Method), methods))
			return
		}
		turn, refusal := s.Runner.Admit(r, public)
		if refusal != nil {
			s.refuse(w, r, problem{status: refusal.Status, why: refusal.Why})
			return
		}
		defer turn.End()
		// The error is ignored: only a test's recorder has no deadlines.
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(operation.MaxTime + writeTime))
		ctx := operation.WithLinks(operation.WithTurn(turn, turn), links{s.Share, r})
		if err := serve(w, r.WithContext(ctx)); err != nil && r.Context().Err() == nil {
			s.refuse(w, r, problemOf(err))
		}
	}
}

// writeTime is what a client has for reading a result.
const writeTime = 30 * time.Second

// call answers a request with what an operation does.
func (s *service) call(w http.ResponseWriter, r *http.Request, o *operation.Operation) error {
	input, err := inputOf(r)
	if err != nil {
		return err
	}
	result, err := o.Call(r.Context(), s.Processes, input)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(result) // an error is the connection's
	return nil
}

// inputOf is the input that a request has in its body, or as its query.
func inputOf(r *http.Request) (json.RawMessage, error) {
	if r.Method != http.MethodPost {
		given := map[string]string{}
		for name, values := range r.URL.Query() {
			given[name] = values[0]
		}
		return json.Marshal(given)
	}
	sent := r.Header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(sent); err != nil || kind != "application/json" {
		return nil, newProblem(http.StatusUnsupportedMediaType, "api-type", operation.Shown(sent))
	}
	tooLarge := newProblem(http.StatusRequestEntityTooLarge, "api-too-large", operation.MaxInput>>20)
	if r.ContentLength > operation.MaxInput {
		return nil, tooLarge
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, operation.MaxInput+1))
	switch {
	case err != nil:
		return nil, newProblem(http.StatusRequestTimeout, "api-cut")
	case len(text) > operation.MaxInput:
		return nil, tooLarge
	}
	return text, nil
}

// links give the links of one request to the share service, by which its sender is known.
type links struct {
	service http.Handler
	request *http.Request
}

// Store implements operation.Links.
func (l links) Store(ctx context.Context, payload string, days int) (json.RawMessage, error) {
	post := l.request.Clone(ctx)
	post.Method, post.URL.Path, post.URL.RawQuery = http.MethodPost, "/api/share", ""
	if days != 0 {
		post.URL.RawQuery = "days=" + strconv.Itoa(days)
	}
	post.Header.Set("Content-Type", share.ContentType)
	post.Body, post.ContentLength = io.NopCloser(strings.NewReader(payload)), int64(len(payload))
	post.Header.Del("Origin") // Admit has looked at it
	post.Header.Del("Sec-Fetch-Site")
	answer := &answer{header: http.Header{}}
	l.service.ServeHTTP(answer, post)
	if answer.status >= 300 {
		var why struct{ Code, Message string }
		json.Unmarshal(answer.body.Bytes(), &why) // what the share service refuses has this form
		return nil, problem{status: answer.status, code: why.Code, detail: why.Message}
	}
	return bytes.TrimSpace(answer.body.Bytes()), nil
}

// answer keeps what a handler answers.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// problem is an error of a request: a status, and a row of the catalogue of diagnostics or its text.
type problem struct {
	status       int
	why          *diag.Diagnostic
	code, detail string
}

func (p problem) Error() string { return http.StatusText(p.status) }

func newProblem(status int, code string, args ...any) problem {
	return problem{status: status, why: diag.New(code, source.Span{}, args...)}
}

// statuses are those of the errors of operations.
var statuses = map[operation.Kind]int{
	operation.Invalid: http.StatusUnprocessableEntity, operation.TooLarge: http.StatusRequestEntityTooLarge,
	operation.Busy: http.StatusServiceUnavailable, operation.Internal: http.StatusInternalServerError,
}

func problemOf(err error) problem {
	var p problem
	var o *operation.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &o):
		return problem{status: statuses[o.Kind], why: o.Why}
	}
	return newProblem(http.StatusServiceUnavailable, "runner-stopping") // the turn has ended
}

// Problem is the form of what is refused, that of RFC 9457.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"` // what is wrong, why, and what to do
	Code   string `json:"code"`   // names the problem for programs
}

// retryAfter is when a client that was refused for a lack of room may try again, in seconds.
const retryAfter = 2

func (s *service) refuse(w http.ResponseWriter, r *http.Request, p problem) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	switch p.status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", strconv.Itoa(retryAfter))
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="newt"`)
	}
	w.WriteHeader(p.status)
	lang := diag.ParseLang(r.Header.Get("Accept-Language"))
	if p.why != nil {
		p.code, p.detail = p.why.Code, operation.Text(p.why, lang)
	}
	json.NewEncoder(w).Encode(Problem{"about:blank", http.StatusText(p.status), p.status, p.detail, p.code})
}
