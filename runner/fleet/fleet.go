// Package fleet spreads the jobs of runners over machines: gateways take the clients' connections, workers have the
// devices, and both connect to NATS, so that neither needs to reach the other.
//
// # A job's way
//
// A gateway is a runner whose scheduler has a [sched.Remote] for each pool of workers; it keeps everything that a
// single runner keeps: sessions, queues, limits, results. When the scheduler dispatches a job, the gateway puts a
// ticket into the pool's work queue, which is a JetStream stream. The ticket names the job and the gateway, and
// nothing else. A worker that takes it asks the gateway for the job (claim), fetches its kernel and tensors, runs
// it with a scheduler of its own, sends the outcome back and acknowledges the ticket. Kernels, tensors and results go
// from one to the other in pieces of at most a message's size, each the answer to a request, so nothing of them is
// stored on the way, and the slower side sets the pace.
//
// # Who decides
//
// The gateway. A claim gives a worker a lease, a secret that all further messages need, and of which a job has one at a
// time. A lease ends if its worker is silent for [times].lease; then JetStream delivers the ticket to the next worker,
// whose claim succeeds. An outcome counts when it is complete, and only under the job's present lease: whatever is
// delivered twice, late or out of order, a client gets one answer. A job that loses too many workers ends.
//
// # Trust
//
// All that arrives is checked against what was asked for. No message carries a time of day: each side measures its own
// durations. Subjects contain the version of the messages, so that workers of another version see none of them.
package fleet

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// version is that of the messages, and part of all subjects.
const version = "2"

// The subjects. A job's is followed by the pool, a gateway's by its ID, a verb and the user who asks, a worker's by its
// user and its ID, and the presence of workers by the user. The server lets a worker's user write and read those with
// its own name alone, so a name in a subject is that of the sender, and no worker reads what is meant for another.
const (
	prefix         = "newt." + version + "."
	jobSubject     = prefix + "jobs."
	gatewaySubject = prefix + "gateway."
	workerSubject  = prefix + "worker."
	workersSubject = prefix + "presence.worker."
	gossipSubject  = prefix + "presence.gateway"
	usageSubject   = prefix + "usage"
)

// streamName is the stream of tickets.
const streamName = "newt-" + version + "-jobs"

// times are those of the members of a fleet. A lease must end before JetStream delivers the ticket again, and a worker
// must announce itself several times within both.
type times struct {
	alive     time.Duration // between two messages of a member
	lease     time.Duration // a lease whose worker is not heard of for this long ends
	ackWait   time.Duration // after which JetStream delivers a ticket again
	presence  time.Duration // a worker or gateway that is not heard of for this long is gone
	fetch     time.Duration // how long one request for a ticket waits
	unclaimed time.Duration // how long a ticket may wait although a worker is idle, before the gateway puts another
	probe     time.Duration // between two looks of a worker whether its device is back
	connect   time.Duration // how long connecting to NATS may take
	ping      time.Duration // two pings without an answer mean that the connection is lost
	request   time.Duration // how long a member waits for another one's answer
}

var defaultTimes = times{
	alive: time.Second, lease: 4 * time.Second, ackWait: 5 * time.Second, presence: 4 * time.Second,
	fetch: 5 * time.Second, unclaimed: 10 * time.Second, probe: 10 * time.Second,
	connect: 5 * time.Second, ping: 2 * time.Second, request: requestTimeout,
}

// maxWorkersLost is how many workers a job may lose before it ends: it may be what ends them.
const maxWorkersLost = 3

// newID returns a random name of 128 bits; as a lease it is a secret.
func newID() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// label is a property of a worker that clients can ask for, such as lab=3.
var label = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}=[A-Za-z0-9_-]{1,30}$`)

// architecture is a name of a pool without a label: that of a GPU's code, such as sm_90a, or cpu.
var architecture = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// workerKey names a worker among those of all users.
func workerKey(user, id string) string { return user + "." + id }

// keyForLog is a worker's key with the beginning of its ID.
func keyForLog(key string) string {
	user, id, _ := strings.Cut(key, ".")
	return user + "." + id[:8]
}

// userOf is the user of a subject that ends in one.
func userOf(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// idForm is what newID returns.
var idForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// CheckLabels returns an error if one of the labels is not of the form name=value.
func CheckLabels(labels []string) error {
	for _, l := range labels {
		if !label.MatchString(l) {
			return fmt.Errorf("%q is not a label: write name=value with letters, digits, - and _, such as lab=3", l)
		}
	}
	return nil
}

// maxLabels bounds the labels of a worker: it waits for jobs of each of them.
const maxLabels = 8

// pools are the pools that a worker belongs to: its architecture, and that with each of its labels.
func pools(arch string, labels []string) []string {
	out := []string{arch}
	for _, l := range labels {
		out = append(out, arch+"@"+l)
	}
	return out
}
