package endpoint

import (
	"fmt"
	"net/http"

	"github.com/newtlab/newt/runner/server"
)

// Health returns the answer at server.HealthPath: whether the runner takes jobs, and a line for each device. r may be
// nil in a server without a runner.
func (r *Runner) Health() (status int, body string) {
	if r == nil {
		return http.StatusOK, server.Healthy
	}
	devices, open := r.sched.Status()
	status, body = http.StatusOK, server.Healthy
	if !open {
		status, body = http.StatusServiceUnavailable, "stopping\n"
	}
	for _, d := range devices {
		body += fmt.Sprintf("%s: %s, %d waiting, %s", d.ID, d.Name, d.Queued, d.Activity())
		if d.Stuck > 0 {
			body += fmt.Sprintf(", %d stuck", d.Stuck)
		}
		body += "\n"
	}
	return status, body
}
