package server

import (
	"encoding/json"
	"net/http"

	"github.com/newtlab/newt/runner/version"
)

// HealthPath is the path of health checks: by a proxy, a container engine or `newt doctor --running`.
const HealthPath = "/healthz"

// Healthy is the beginning of the response of a server that is healthy. If it has a runner, a line for each device
// follows.
const Healthy = "ok\n"

// Status returns a handler of the status endpoints, which passes other requests to next:
//
//	GET /healthz  "ok" and the state of the runner's devices; status 503 while it is stopping
//	GET /version  the build, as JSON
//
// health computes the first response; nil means Healthy.
func Status(build version.Info, health func() (status int, body string), next http.Handler) (http.Handler, error) {
	described, err := json.Marshal(build)
	if err != nil {
		return nil, err
	}
	if health == nil {
		health = func() (int, string) { return http.StatusOK, Healthy }
	}
	answers := map[string]func() (status int, contentType, body string){
		HealthPath: func() (int, string, string) {
			status, body := health()
			return status, "text/plain; charset=utf-8", body
		},
		"/version": func() (int, string, string) {
			return http.StatusOK, "application/json", string(described) + "\n"
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := answers[r.URL.Path]
		if answer == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		r.Pattern = r.URL.Path
		status, contentType, body := answer()
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(status)
		if r.Method == http.MethodGet {
			// The error is ignored: the client has disconnected.
			w.Write([]byte(body))
		}
	}), nil
}
