// Package census describes who is in a fleet, for administrators.
package census

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"time"

	"github.com/newtlab/newt/runner/sched"
)

// Report is the members of a fleet, as they say themselves.
type Report struct {
	Gateways []Gateway `json:"gateways"`
	Workers  []Worker  `json:"workers"`
	Tickets  uint64    `json:"tickets"` // in the work queue
}

// Worker describes a worker.
type Worker struct {
	ID      string   `json:"id"`
	Machine string   `json:"machine"`
	Newt    string   `json:"newt"`
	Device  string   `json:"device"`
	Pools   []string `json:"pools"`
	State   string   `json:"state"`
	Running int      `json:"running"`
	Jobs    int64    `json:"jobs"` // that ended
	UpS     int64    `json:"upSeconds"`
}

// Gateway describes a gateway.
type Gateway struct {
	ID      string           `json:"id"`
	Machine string           `json:"machine"`
	Newt    string           `json:"newt"`
	Clients int              `json:"clients"` // with jobs that have not ended
	UpS     int64            `json:"upSeconds"`
	Queues  map[string]Queue `json:"queues"` // by device
	People  []sched.Usage    `json:"people"` // those who used most, if all are too many for a message
	// MorePeople are left out of People.
	MorePeople int `json:"morePeople"`
}

// Up is the time since the worker's start.
func (w Worker) Up() time.Duration { return time.Duration(w.UpS) * time.Second }

// Up is the time since the gateway's start.
func (g Gateway) Up() time.Duration { return time.Duration(g.UpS) * time.Second }

// Queue is the state of a gateway's queue.
type Queue struct {
	Waiting int `json:"waiting"`
	Running int `json:"running"`
}

// maxPeopleBytes bounds the JSON of the people in what a gateway says of itself, which the other gateways take in
// messages of 64 KiB.
const maxPeopleBytes = 48 << 10

// Of is what a gateway's scheduler knows of it: clients, queues and people.
func Of(s *sched.Scheduler) Gateway {
	g := Gateway{Clients: s.ActiveClients(), Queues: map[string]Queue{}}
	g.People, g.MorePeople = fitting(s.PeopleUsage())
	devices, _ := s.Status()
	for _, d := range devices {
		g.Queues[d.ID] = Queue{d.Queued, d.Running}
	}
	return g
}

// fitting is the first of the people whose JSON fits into maxPeopleBytes, and how many more there are.
func fitting(people []sched.Usage) (first []sched.Usage, more int) {
	bytes := 0
	for i, p := range people {
		text, err := json.Marshal(p)
		if err != nil {
			panic(err) // all usage can be written as JSON
		}
		if bytes += len(text) + len(","); bytes > maxPeopleBytes {
			return people[:i], len(people) - i
		}
	}
	return people, 0
}

// New is a report with its members sorted by machine.
func New(gateways iter.Seq[Gateway], workers iter.Seq[Worker]) *Report {
	c := &Report{
		Gateways: slices.AppendSeq([]Gateway{}, gateways), Workers: slices.AppendSeq([]Worker{}, workers),
	}
	slices.SortFunc(c.Workers, func(a, b Worker) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(c.Gateways, func(a, b Gateway) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.ID, b.ID))
	})
	return c
}
