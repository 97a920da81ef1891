package fleet

import (
	"strings"

	"github.com/nats-io/nats.go"
)

// serve answers a request of a worker.
func (g *Gateway) serve(m *nats.Msg) {
	var q request
	body, err := decodePacket(m.Data, &q)
	if err != nil || !idForm.MatchString(q.Worker) {
		g.respond(m, reply{State: stateRefused}, nil)
		return
	}
	verb := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
	g.mu.Lock()
	r, piece := g.handle(verb, q, body)
	g.unlock()
	g.respond(m, r, piece)
}

// handle handles a request with the lock held; the second result is the reply's body.
func (g *Gateway) handle(verb string, q request, body []byte) (reply, []byte) {
	if verb == claimVerb {
		return g.claim(q)
	}
	j := g.leased(q)
	if j == nil {
		return reply{State: stateGone}, nil
	}
	switch verb {
	case fetchVerb:
		if q.At < 0 || q.At > j.payload.total {
			return reply{State: stateRefused}, nil
		}
		g.events = append(g.events, j.task.Started) // the time for copies is not the device's
		return reply{State: stateYes}, j.payload.read(q.At, g.link.pieceBytes())
	case aliveVerb:
		return g.alive(j, q), nil
	case returnVerb:
		return g.giveBack(j, q), nil
	case answerVerb:
		return g.answer(j, q, body), nil
	}
	return reply{State: stateRefused}, nil
}

// respond sends a reply. If it is lost, the worker asks again.
func (g *Gateway) respond(m *nats.Msg, r reply, body []byte) {
	if err := m.Respond(encodePacket(r, body)); err != nil {
		g.link.log.Debug("a worker cannot be answered", "problem", err.Error())
	}
}
