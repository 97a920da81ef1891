package endpoint

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/newtlab/newt/runner/fleet/census"
)

// AdminPath is the path of a page that says what the runner, or its fleet, does.
const AdminPath = "/admin"

// forAdmin serves GET requests of an administrator, who has the runner's token: as the bearer token of an Authorization
// header, or as the password that a browser asks for. A person's token is for jobs, and not for what others do: with
// people alone, or with no token at all, an administrator is on this machine.
func (r *Runner) forAdmin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodGet && request.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are supported here", http.StatusMethodNotAllowed)
			return
		}
		token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
		if _, password, ok := request.BasicAuth(); ok {
			token = password
		}
		access := r.options.Access
		wrong := !access.acceptsToken(token) && (access.Token != "" || !isLocal(request))
		if wrong && token != "" {
			r.delayWrongToken(r.options.Proxies.Of(request), request.Context().Done())
		}
		switch {
		case access.checkRequest(request) != nil:
			http.Error(w, "this needs the token of the runner", http.StatusForbidden)
		case wrong:
			if access.Token != "" {
				w.Header().Set("WWW-Authenticate", basicRealm)
			}
			http.Error(w, "this needs the token of the runner", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, request)
		}
	})
}

// basicRealm is what a browser shows to somebody who is to give a password.
const basicRealm = `Basic realm="newt: any name, and the runner's token as the password"`

//go:embed admin.html
var adminText string

// adminPolicy allows the page its style, by the hash of it.
var adminPolicy = func() string {
	_, rest, _ := strings.Cut(adminText, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	hash := sha256.Sum256([]byte(style))
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; frame-ancestors 'none'",
		base64.StdEncoding.EncodeToString(hash[:]))
}()

var adminPage = template.Must(template.New("admin").Funcs(template.FuncMap{
	"mib":  func(bytes int64) int64 { return bytes >> 20 },
	"join": func(list []string) string { return strings.Join(list, ", ") },
}).Parse(adminText))

// Admin returns the handler of AdminPath: the members, the queues, and who uses how much; nothing of what anybody runs.
func (r *Runner) Admin() http.Handler {
	return r.forAdmin(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Security-Policy", adminPolicy)
		adminPage.Execute(w, r.census()) // an error is the connection's
	}))
}

// census is that of the fleet; a single server is one that has its devices as workers.
func (r *Runner) census() *census.Report {
	if r.options.Fleet != nil {
		return r.options.Fleet.Census()
	}
	machine, err := os.Hostname()
	if err != nil {
		machine = "this machine"
	}
	devices, open := r.sched.Status()
	up, newt, state := int64(time.Since(r.startedAt).Seconds()), r.options.Build.String(), "ready"
	if !open {
		state = "draining"
	}
	one := census.Of(r.sched)
	one.ID, one.Machine, one.Newt, one.UpS = "this", machine, newt, up
	c := &census.Report{Gateways: []census.Gateway{one}}
	for _, d := range devices {
		c.Workers = append(c.Workers, census.Worker{
			ID: d.ID, Machine: machine, Newt: newt, Device: cmp.Or(d.Name, d.ID), Pools: []string{d.ID}, State: state,
			Running: d.Running, UpS: up,
		})
	}
	return c
}
