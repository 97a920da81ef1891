package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
)

// Costs are what one job, message or member costs in seconds: of a core, or of time where it says so.
type Costs struct {
	GatewayJob float64 // a gateway, for all of a job: it is read, verified, queued, claimed, sent and answered
	NATSJob    float64 // the NATS server: a job's ticket is stored, taken and acknowledged, its requests are passed on
	HearWorker float64 // a gateway, for each message of a worker
	Capacity   float64 // a gateway, to dispatch a job, for each worker that it counts
	HearClient float64 // a gateway, for each client whose device time another gateway tells
	Deliver    float64 // the NATS server, for each copy of a message that members announce themselves with
	Hop        float64 // time that a message takes between two machines
	Turn       float64 // time that a device is taken by a job in addition to its kernel
}

// Fleet is what is simulated. Each client thinks, sends a job, waits for its answer, and thinks again.
type Fleet struct {
	Costs
	Workers  int // with a device each, which has one job at a time
	Gateways int
	Cores    int // of each gateway
	Streams  int // of tickets, each of which is kept by one core of a NATS server
	Clients  int
	Think    float64 // mean seconds, exponentially distributed
	Kernel   float64 // median seconds on the device, log-normally distributed with kernelSigma
}

// kernelSigma makes one kernel of a hundred take thirty times as long as the median.
const kernelSigma = 1.46

// Outcome is what a simulation measures after its warm-up.
type Outcome struct {
	Jobs          float64 // answered a second
	P50, P95, P99 float64 // seconds from sending a job to its answer, without the kernel's time
	Gateways      float64 // share of their cores that is busy
	NATS          float64
	Workers       float64
}

const (
	warmUp   = 5.0 // seconds
	measured = 10.0
	beats    = 20 // parts into which the messages of a second are divided
)

// Simulate runs a fleet for warmUp and measured, with the same random numbers each time.
func Simulate(f Fleet) Outcome {
	s := &simulation{Fleet: f, random: rand.New(rand.NewPCG(1, 2)), nats: newStation(f.Streams), idle: f.Workers}
	for range f.Gateways {
		s.gateways = append(s.gateways, &gateway{station: newStation(f.Cores)})
	}
	for client := range f.Clients {
		s.at(s.random.ExpFloat64()*f.Think, func() { s.send(client) })
	}
	s.announce()
	for len(s.events) > 0 && s.events[0].at < warmUp+measured {
		e := heap.Pop(&s.events).(event)
		if s.now < warmUp && e.at >= warmUp {
			s.startMeasuring()
		}
		s.now = e.at
		e.do()
	}
	return s.outcome()
}

// simulation is the state of a fleet at a time.
type simulation struct {
	Fleet
	now      float64
	events   events
	sequence int
	random   *rand.Rand

	gateways []*gateway
	nats     *station
	tickets  []*job // in the work queue
	idle     int    // workers
	taken    float64
	waits    []float64
}

// gateway has jobs that wait until its share of the workers has room.
type gateway struct {
	*station
	waiting  []*job
	inFlight int
	answered int // jobs whose device time the other gateways do not know yet
}

type job struct {
	client, gateway int
	sent, kernel    float64
}

// send is a client's job on its way to the client's gateway.
func (s *simulation) send(client int) {
	j := &job{client, client % s.Gateways, s.now, s.Kernel * math.Exp(kernelSigma*s.random.NormFloat64())}
	s.onGateway(j, s.GatewayJob/2, func() {
		g := s.gateways[j.gateway]
		g.waiting = append(g.waiting, j)
		s.dispatch(j.gateway)
	})
}

// dispatch puts tickets for a gateway's jobs while its share of the workers, which is the same for all, has room.
func (s *simulation) dispatch(number int) {
	g, share := s.gateways[number], (s.Workers+s.Gateways-1)/s.Gateways
	for len(g.waiting) > 0 && g.inFlight < share {
		j := g.waiting[0]
		g.waiting = g.waiting[1:]
		g.inFlight++
		put := g.serve(s.now, s.Capacity*float64(s.Workers)) + s.Hop
		s.at(put, func() {
			s.at(s.nats.serve(s.now, s.NATSJob)+s.Hop, func() {
				s.tickets = append(s.tickets, j)
				s.take()
			})
		})
	}
}

// take gives tickets to idle workers, which claim their jobs, run them and answer.
func (s *simulation) take() {
	for len(s.tickets) > 0 && s.idle > 0 {
		j := s.tickets[0]
		s.tickets = s.tickets[1:]
		s.idle--
		began := s.now
		s.onGateway(j, s.GatewayJob/4, func() { // the claim
			s.at(s.now+s.Hop+s.Turn+j.kernel, func() {
				s.onGateway(j, s.GatewayJob/4, func() { // the answer
					s.idle++
					s.taken += s.now - max(began, warmUp)
					s.answer(j)
					s.take()
				})
			})
		})
	}
}

// answer ends a job at its gateway; its client begins to think.
func (s *simulation) answer(j *job) {
	g := s.gateways[j.gateway]
	g.inFlight--
	g.answered++
	s.dispatch(j.gateway)
	s.at(s.now+s.Hop, func() {
		if s.now >= warmUp {
			s.waits = append(s.waits, s.now-j.sent-j.kernel)
		}
		s.at(s.now+s.random.ExpFloat64()*s.Think, func() { s.send(j.client) })
	})
}

// onGateway has a message travel to a job's gateway, which works on it for a time, and goes on.
func (s *simulation) onGateway(j *job, cost float64, then func()) {
	s.at(s.now+s.Hop, func() { s.at(s.gateways[j.gateway].serve(s.now, cost), then) })
}

// announce is the messages that members send each second, a part at a time: each worker to each gateway, and each
// gateway to the others.
func (s *simulation) announce() {
	part := 1.0 / beats
	s.nats.serve(s.now, s.Deliver*float64((s.Workers+s.Gateways)*s.Gateways)*part)
	told := 0
	for _, g := range s.gateways {
		told += g.answered
	}
	for _, g := range s.gateways {
		g.serve(s.now, s.HearWorker*float64(s.Workers)*part+s.HearClient*float64(told-g.answered))
		g.answered = 0
	}
	s.at(s.now+part, s.announce)
}

func (s *simulation) startMeasuring() {
	s.taken, s.waits = 0, nil
	s.nats.busy = 0
	for _, g := range s.gateways {
		g.busy = 0
	}
}

func (s *simulation) outcome() Outcome {
	slices.Sort(s.waits)
	at := func(share float64) float64 {
		if len(s.waits) == 0 {
			return math.Inf(1)
		}
		return s.waits[int(share*float64(len(s.waits)-1))]
	}
	o := Outcome{
		Jobs: float64(len(s.waits)) / measured, P50: at(0.5), P95: at(0.95), P99: at(0.99),
		NATS:    s.nats.share(),
		Workers: s.taken / measured / float64(s.Workers),
	}
	for _, g := range s.gateways {
		o.Gateways = max(o.Gateways, g.share())
	}
	return o
}

// at has something happen at a time.
func (s *simulation) at(when float64, do func()) {
	s.sequence++
	heap.Push(&s.events, event{when, s.sequence, do})
}

// station works on what arrives, in the order of arrival, with a number of cores.
type station struct {
	free []float64 // when each core is free
	busy float64   // seconds of all cores, in work that was given
}

func newStation(cores int) *station { return &station{free: make([]float64, cores)} }

// serve returns when work of a cost that arrives now is done.
func (s *station) serve(now, cost float64) float64 {
	core := 0
	for i, free := range s.free {
		if free < s.free[core] {
			core = i
		}
	}
	s.free[core] = max(now, s.free[core]) + cost
	s.busy += cost
	return s.free[core]
}

// share is the busy part of the cores; more than 1 is work that waits.
func (s *station) share() float64 { return s.busy / measured / float64(len(s.free)) }

// event happens at a time; of two at the same time the one that was made first does.
type event struct {
	at       float64
	sequence int
	do       func()
}

type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].sequence < e[j].sequence
}
func (e *events) Push(x any) { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
