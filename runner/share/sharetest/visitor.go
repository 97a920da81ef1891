package sharetest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
)

// visitor is one client of a home.
type visitor struct {
	*testing.T
	home   Home
	client string
}

// request is what a visitor sends.
type request struct {
	method, path string
	body         io.Reader
	header       map[string]string
}

type answer struct {
	status int
	header http.Header
	body   string
}

// kind is the media type of the body.
func (a answer) kind() string { return a.header.Get("Content-Type") }

var httpClient = &http.Client{
	Timeout: 30 * time.Second,
	// workerd may close a connection as it is used again, and no client sends a DELETE or a POST twice by itself.
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (v *visitor) send(q request) answer {
	v.Helper()
	response, err := v.try(q)
	// Who refuses a long text closes the connection, at times before a client that still writes has read the answer.
	for again := 0; again < 10 && errors.Is(err, syscall.ECONNRESET); again++ {
		if body, ok := q.body.(io.Seeker); ok {
			body.Seek(0, io.SeekStart)
		}
		response, err = v.try(q)
	}
	if err != nil {
		v.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.Fatal(err)
	}
	v.safe(q, response.Header)
	return answer{response.StatusCode, response.Header, string(body)}
}

// try sends a request once; the body is read by then.
func (v *visitor) try(q request) (*http.Response, error) {
	v.Helper()
	r, err := http.NewRequestWithContext(v.Context(), q.method, v.home.URL+q.path, q.body)
	if err != nil {
		v.Fatal(err)
	}
	for _, name := range clientHeaders {
		r.Header.Set(name, v.client)
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	return httpClient.Do(r)
}

// safe checks what every answer carries.
func (v *visitor) safe(q request, h http.Header) {
	v.Helper()
	csp := h.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		v.Errorf("%s %s: Content-Security-Policy is %q", q.method, q.path, csp)
	}
	if h.Get("X-Content-Type-Options") != "nosniff" {
		v.Errorf("%s %s: content may be sniffed", q.method, q.path)
	}
}

func (v *visitor) get(path string) answer {
	v.Helper()
	return v.send(request{method: "GET", path: path})
}

func (v *visitor) post(query, payload string) answer {
	v.Helper()
	kind := map[string]string{"Content-Type": share.ContentType}
	return v.send(request{"POST", "/api/share" + query, strings.NewReader(payload), kind})
}

func (v *visitor) want(a answer, status int, code string) {
	v.Helper()
	var refusal struct{ Code, Message string }
	if code != "" {
		if err := json.Unmarshal([]byte(a.body), &refusal); err != nil || refusal.Message == "" {
			v.Errorf("the answer is no refusal: %q", a.body)
		}
	}
	if a.status != status || refusal.Code != code {
		v.Errorf("got %d %q, want %d %q; %.200q", a.status, refusal.Code, status, code, a.body)
	}
}

func (v *visitor) created(a answer, status int) share.Created {
	v.Helper()
	var c share.Created
	if err := json.Unmarshal([]byte(a.body), &c); err != nil || a.status != status {
		v.Fatalf("got %d %.200q, want %d", a.status, a.body, status)
	}
	return c
}

// payload is a link that no other case makes.
func (v *visitor) payload(s link.State) string {
	v.Helper()
	s.Source += "# " + v.Name() + "\n"
	text, err := link.Encode(s)
	if err != nil {
		v.Fatal(err)
	}
	return text
}
