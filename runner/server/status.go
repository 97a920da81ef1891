package server

import (
	"encoding/json"
	"net/http"

	"github.com/newtlab/newt/runner/version"
)

// HealthPath is where a proxy, a container engine or `newt doctor --running` asks whether the
// server answers.
const HealthPath = "/healthz"

// Healthy is the whole answer at HealthPath.
const Healthy = "ok\n"

// Status answers what is asked of the server itself, and leaves the rest to next:
//
//	GET /healthz  ok
//	GET /version  the build, as JSON
func Status(build version.Info, next http.Handler) (http.Handler, error) {
	described, err := json.Marshal(build)
	if err != nil {
		return nil, err
	}
	answers := map[string]struct{ contentType, body string }{
		HealthPath: {"text/plain; charset=utf-8", Healthy},
		"/version": {"application/json", string(described) + "\n"},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.Path]
		if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		r.Pattern = r.URL.Path
		w.Header().Set("Content-Type", answer.contentType)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.Method == http.MethodGet {
			// A client that is gone needs no answer.
			w.Write([]byte(answer.body))
		}
	}), nil
}
