package share

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/runner/share/link"
)

// problem is an error response: a status and a row of the catalogue of diagnostics.
type problem struct {
	status int
	code   string
	args   []any
	retry  time.Duration // how long to wait; 0 says nothing about it
}

func (p *problem) Error() string { return p.code }

// text returns the problem in one language: what is wrong, and what to do.
func (p *problem) text(lang diag.Lang) string {
	r := diag.New(p.code, source.Span{}, p.args...).In(lang)
	if lang == diag.Chinese {
		return r.Headline + "：" + r.Why + "。" + r.Help + "。"
	}
	return r.Headline + ": " + r.Why + "; " + r.Help
}

// linkStatus are the statuses of errors of package link other than 400.
var linkStatus = map[string]int{"link-too-large": http.StatusRequestEntityTooLarge}

// retryLater is the Retry-After of a store that is busy or unavailable.
const retryLater = 10 * time.Second

// toProblem returns the response to an error of a store, of package link or of a request.
func toProblem(err error) *problem {
	var p *problem
	var l *link.Error
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &l):
		status := linkStatus[l.Code]
		if status == 0 {
			status = http.StatusBadRequest
		}
		return &problem{status: status, code: l.Code, args: l.Args}
	case errors.As(err, &long):
		return &problem{
			status: http.StatusRequestEntityTooLarge, code: "link-too-large",
			args: []any{link.MaxDecoded >> 10, link.MaxEncoded >> 10},
		}
	case errors.Is(err, ErrNotFound):
		return &problem{status: http.StatusNotFound, code: "share-not-found"}
	case errors.Is(err, ErrFull):
		return &problem{status: http.StatusServiceUnavailable, code: "share-full"}
	case errors.Is(err, ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &problem{status: http.StatusServiceUnavailable, code: "share-busy", retry: retryLater}
	}
	return &problem{status: http.StatusServiceUnavailable, code: "share-unavailable", retry: retryLater}
}

// setHeaders sets the headers of a response with this problem, in either form.
func (p *problem) setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retry.Seconds()))))
	}
}

// refusal is the JSON form of a problem.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p *problem) json(w http.ResponseWriter, r *http.Request) {
	p.setHeaders(w.Header())
	lang := diag.ParseLang(r.Header.Get("Accept-Language"))
	writeJSON(w, p.status, refusal{p.code, p.text(lang)})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// The error is ignored: the client has disconnected.
	json.NewEncoder(w).Encode(value)
}
