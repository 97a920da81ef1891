package endpoint

import (
	"net/http"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/sched"
)

// Refusal is why a request is not served, with a status of HTTP.
type Refusal struct {
	Status int
	Why    *diag.Diagnostic
}

// Allows reports whether pages of an origin may read what the runner answers.
func (r *Runner) Allows(origin string) bool { return slices.Contains(r.options.Access.Origins, origin) }

// MaxTurns bounds the turns of all clients, whose requests take up to some 10 MB each; strangersTurns is the part of
// them that those can take who send no token, and keep the others out.
const (
	MaxTurns       = 128
	strangersTurns = MaxTurns / 2
)

// Admit gives the sender of a request a turn, in which something is done that is no job for a device. It is for those
// who may use the devices, whose token is the bearer token of the Authorization header; what is public is for
// everybody.
func (r *Runner) Admit(request *http.Request, public bool) (*sched.Turn, *Refusal) {
	access, client := r.options.Access, r.options.Proxies.Of(request)
	var person people.Person
	token, _ := strings.CutPrefix(request.Header.Get("Authorization"), "Bearer ")
	if why := access.checkOrigin(request); why != nil {
		return nil, &Refusal{http.StatusForbidden, why}
	}
	known, most := !public || token != "", strangersTurns
	if known {
		most = MaxTurns
		if why := access.checkRequest(request); why != nil {
			return nil, &Refusal{http.StatusForbidden, why}
		}
		var ok bool
		person, ok = access.identify(request.Context(), token)
		if !ok && token == "" {
			return nil, &Refusal{http.StatusUnauthorized, refusal("runner-token-missing")}
		}
		if !ok {
			r.delayWrongToken(client, request.Context().Done())
			return nil, &Refusal{http.StatusUnauthorized, refusal("runner-token")}
		}
		if person.Name != "" {
			client = sched.Person(person.Name)
			r.sched.SetShare(client, shareOf(person))
		}
	}
	turn, why := r.sched.Admit(request.Context(), client, most)
	switch {
	case why == nil && known:
		// The person may have been revoked before the turn was there.
		if again, ok := access.identify(request.Context(), token); !ok || again.Name != person.Name {
			turn.End()
			return nil, &Refusal{http.StatusUnauthorized, refusal("runner-token")}
		}
		return turn, nil
	case why == nil:
		return turn, nil
	case why.Code == "runner-stopping":
		return nil, &Refusal{http.StatusServiceUnavailable, why}
	}
	return nil, &Refusal{http.StatusTooManyRequests, why}
}
