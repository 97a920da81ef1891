package fleet

import (
	"strings"

	"github.com/nats-io/nats.go"
)

// responder sends the reply to a request.
type responder func(r reply, body []byte)

// verbs are what workers ask for. Each has a subscription, and so a goroutine, of its own: a worker that claims a job
// or says that it is alive does not wait until another's tensors are copied.
var verbs = map[string]func(g *Gateway, q request, body []byte, respond responder){
	claimVerb: func(g *Gateway, q request, _ []byte, respond responder) {
		j, r := g.claim(q)
		if j == nil {
			respond(r, nil)
			return
		}
		respond(r, j.payload.read(0, g.link.pieceBytes()))
	},
	fetchVerb: func(g *Gateway, q request, _ []byte, respond responder) {
		var payload *pieces
		r := g.onLease(q, func(j *job) reply {
			if q.At < 0 || q.At > j.payload.total {
				return reply{State: stateRefused}
			}
			g.events = append(g.events, j.task.Started) // the time for copies is not the device's
			payload = &j.payload
			return reply{State: stateYes}
		})
		if payload == nil {
			respond(r, nil)
			return
		}
		respond(r, payload.read(q.At, g.link.pieceBytes()))
	},
	aliveVerb: func(g *Gateway, q request, _ []byte, respond responder) {
		respond(g.onLease(q, func(j *job) reply { return g.alive(j, q) }), nil)
	},
	returnVerb: func(g *Gateway, q request, _ []byte, respond responder) {
		respond(g.onLease(q, func(j *job) reply { return g.giveBack(j, q) }), nil)
	},
	answerVerb: (*Gateway).answer,
}

// serve handles a request of a worker. The reply goes to the inbox of the user who asks, or nowhere: a gateway may
// write to subjects that a worker may not.
func (g *Gateway) serve(m *nats.Msg, handle func(*Gateway, request, []byte, responder)) {
	var q request
	body, err := decodePacket(m.Data, &q)
	user := userOf(m.Subject)
	if !strings.HasPrefix(m.Reply, inboxOf(user)+".") {
		return
	}
	respond := func(r reply, body []byte) {
		if err := m.Respond(encodePacket(r, body)); err != nil { // the worker asks again
			g.link.log.Debug("a worker cannot be answered", "err", err)
		}
	}
	if err != nil || !idForm.MatchString(q.Worker) {
		respond(reply{State: stateRefused}, nil)
		return
	}
	q.Worker = workerKey(user, q.Worker)
	handle(g, q, body, respond)
}

// onLease calls do with the lock held, for the job of the request's lease. Where the lease has ended, or is another
// worker's, the reply is stateGone.
func (g *Gateway) onLease(q request, do func(*job) reply) reply {
	g.mu.Lock()
	defer g.unlock()
	j := g.leased(q)
	if j == nil {
		return reply{State: stateGone}
	}
	return do(j)
}
