package server

import (
	"encoding/json"
	"net/http"

	"github.com/newtlab/newt/runner/version"
)

// HealthPath is where a proxy, a container engine or `newt doctor --running` asks whether the
// server answers.
const HealthPath = "/healthz"

// Healthy is how the answer at HealthPath begins. Where there is a runner, a line for each of its
// devices follows.
const Healthy = "ok\n"

// Status answers what is asked of the server itself, and leaves the rest to next:
//
//	GET /healthz  ok, and how the devices of the runner stand; status 503 where it is stopping
//	GET /version  the build, as JSON
//
// health answers the first; where it is nil, the answer is Healthy.
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
			// A client that is gone needs no answer.
			w.Write([]byte(body))
		}
	}), nil
}
