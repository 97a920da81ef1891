package fleet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"github.com/newtlab/newt/runner/fleet/census"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// ticket is a message of the work queue: a gateway has a job.
type ticket struct {
	Job     string `json:"job"`
	Gateway string `json:"gateway"`
}

func (t ticket) valid() bool { return idForm.MatchString(t.Job) && idForm.MatchString(t.Gateway) }

// The verbs of a worker's requests to a gateway, which end the subject.
const (
	claimVerb  = "claim"  // asks for a job
	fetchVerb  = "fetch"  // asks for more of its payload
	aliveVerb  = "alive"  // the worker is at it
	returnVerb = "return" // the worker cannot run it
	answerVerb = "answer" // a part of the outcome
)

// request is the head of a worker's request. An answer's body is part of the outcome.
type request struct {
	Worker   string             `json:"worker"`
	Job      string             `json:"job,omitempty"`      // of a claim
	Lease    string             `json:"lease,omitempty"`    // of the others
	At       int64              `json:"at,omitempty"`       // where the body begins, in the payload or the outcome
	Head     int64              `json:"head,omitempty"`     // bytes of the outcome's JSON
	Total    int64              `json:"total,omitempty"`    // bytes of the outcome
	Progress *protocol.Progress `json:"progress,omitempty"` // of alive
	Started  bool               `json:"started,omitempty"`  // of alive: the device begins now
	Unable   bool               `json:"unable,omitempty"`   // of return: this worker cannot run the job, others may
}

// The states of a reply.
const (
	stateYes     = "yes"     // go on
	stateHeld    = "held"    // another worker has the job, or this one may not: try the ticket again later
	stateGone    = "gone"    // nobody waits for the job, or the lease has ended: drop it
	stateRefused = "refused" // the request was not valid
)

// reply is the head of a gateway's reply. The body is part of the payload.
type reply struct {
	State string `json:"state"`
	Lease string `json:"lease,omitempty"` // of a claim
	Head  int64  `json:"head,omitempty"`  // of a claim: bytes of the submit's JSON
	IR    int64  `json:"ir,omitempty"`    // of a claim: bytes of the kernel
	Owner string `json:"owner,omitempty"` // of a claim: a name for the client, which shares the device with others
	// Tenant is, of a claim, a name for those whose jobs may find what earlier ones have kept on the device.
	Tenant string `json:"tenant,omitempty"`
	Total  int64  `json:"total,omitempty"` // of a claim: bytes of the payload
	Next   int64  `json:"next,omitempty"`  // of an answer: the first byte that is missing
}

// outcome is the JSON of a sched.Outcome; the results follow it.
type outcome struct {
	Compiled    *protocol.Compiled    `json:"compiled,omitempty"`
	Diagnostics *protocol.Diagnostics `json:"diagnostics,omitempty"`
	Prints      *protocol.Prints      `json:"prints,omitempty"`
	Timings     *protocol.Timings     `json:"timings,omitempty"`
	SASS        *protocol.SASS        `json:"sass,omitempty"`
	Done        *protocol.Done        `json:"done"`
	Results     bool                  `json:"results,omitempty"`
	DeviceNS    int64                 `json:"deviceNs"`
}

// workerPresence is what a worker says about itself every times.alive.
type workerPresence struct {
	Worker  string          `json:"worker"`
	Name    string          `json:"name"` // of the machine, for people
	Newt    string          `json:"newt"` // its version
	Device  protocol.Device `json:"device"`
	Labels  []string        `json:"labels,omitempty"`
	State   string          `json:"state"`
	Slots   int             `json:"slots"` // jobs that it takes at once
	Running int             `json:"running"`
	Jobs    int64           `json:"jobs"` // that ended
	UpS     int64           `json:"upS"`  // seconds since its start
}

// The states of a worker.
const (
	workerReady    = "ready"
	workerDraining = "draining"
	workerNoDevice = "device lost"
	workerStopped  = "stopped" // its last message
)

// gatewayPresence is what gateways say to each other every times.alive.
type gatewayPresence struct {
	Gateway string                  `json:"gateway"`
	Name    string                  `json:"name"`            // of the machine, for people
	Newt    string                  `json:"newt"`            // its version
	Clients int                     `json:"clients"`         // with jobs that have not ended
	Stops   bool                    `json:"stops,omitempty"` // its last message
	UpS     int64                   `json:"upS"`             // seconds since its start
	Queues  map[string]census.Queue `json:"queues,omitempty"`
	People  []sched.Usage           `json:"people,omitempty"`
	More    int                     `json:"morePeople,omitempty"` // who did not fit into the message
}

// usageMessage tells the other gateways which device time clients of this one took.
type usageMessage struct {
	Gateway string           `json:"gateway"`
	Used    map[string]int64 `json:"used"` // nanoseconds that no message has told yet, by client
}

// maxHead bounds the JSON of a packet.
const maxHead = 64 << 10

// A packet is the length of a JSON head in four bytes, the head, and a body.

// encodePacket returns a packet.
func encodePacket(head any, body []byte) []byte {
	text, err := json.Marshal(head)
	if err != nil {
		panic(err) // all heads can be written as JSON
	}
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(text)+len(body)), uint32(len(text)))
	return append(append(out, text...), body...)
}

// errPacket is the error of a packet that cannot be read.
var errPacket = errors.New("not a packet of this version")

// decodePacket reads a packet's head, and returns its body, which is part of data. Unknown fields are ignored: a newer
// member may send some.
func decodePacket(data []byte, head any) (body []byte, err error) {
	if len(data) < 4 {
		return nil, errPacket
	}
	n := binary.LittleEndian.Uint32(data)
	if n > maxHead || int(n) > len(data)-4 || json.Unmarshal(data[4:4+n], head) != nil {
		return nil, errPacket
	}
	return data[4+n:], nil
}

// outcomeOf is the JSON and the order of bytes of a sched.Outcome.
func outcomeOf(o *sched.Outcome) outcome {
	return outcome{
		Compiled: o.Compiled, Diagnostics: o.Diagnostics, Prints: o.Prints, Timings: o.Timings, SASS: o.SASS,
		Done: &o.Done, Results: o.Results != nil, DeviceNS: int64(o.DeviceTime),
	}
}

// sched converts an outcome that check has accepted back.
func (o *outcome) sched(results [][][]byte) *sched.Outcome {
	return &sched.Outcome{
		Compiled: o.Compiled, Diagnostics: o.Diagnostics, Prints: o.Prints, Timings: o.Timings, SASS: o.SASS,
		Done: *o.Done, Results: results, DeviceTime: time.Duration(o.DeviceNS),
	}
}

// maxOutcome bounds the JSON of an outcome under the limits of a gateway: PTX and SASS with their lines, prints and the
// compiler's log, of which a byte takes up to six in JSON, diagnostics, and the rest.
func maxOutcome(l protocol.Limits) int64 {
	return 4*int64(l.PTXBytes+l.SASSBytes) + 8*int64(l.PrintBytes) + 64<<10*int64(l.MaxDiagnostics) + 1<<20
}

// check returns an error if an outcome is none that a worker can have for a job under the limits given.
func (o *outcome) check(submit *protocol.Submit, l protocol.Limits) error {
	final := map[string]bool{protocol.StateDone: true, protocol.StateFault: true, protocol.StateCancelled: true,
		protocol.StateRefused: true}
	switch {
	case o.Done == nil || !final[o.Done.State]:
		return errors.New("it has no final state")
	case (o.Done.State == protocol.StateDone) != (o.Done.Fault == nil && o.Done.Reason == nil):
		return errors.New("its state does not agree with its fault")
	case o.Done.State == protocol.StateDone && returns(submit) && !o.Results:
		return errors.New("it is done and has no results")
	case o.DeviceNS < 0 || o.Done.Programs < 0 || o.Done.ElapsedNS < 0:
		return errors.New("it has a negative number")
	case o.Compiled != nil && len(o.Compiled.PTX) > l.PTXBytes:
		return errors.New("its PTX is too long")
	case o.SASS != nil && (!submit.SASS || len(o.SASS.Text) > l.SASSBytes):
		return errors.New("its SASS is too long, or nobody asked for it")
	case o.Diagnostics != nil && len(o.Diagnostics.List) > l.MaxDiagnostics:
		return errors.New("it has too many diagnostics")
	case o.Prints != nil && printedBytes(o.Prints) > l.PrintBytes:
		return errors.New("its prints are too long")
	case o.Timings != nil && submit.Timing == nil:
		return errors.New("it has timings that nobody asked for")
	}
	return nil
}

func returns(submit *protocol.Submit) bool {
	for _, t := range submit.Tensors {
		if t.Return {
			return true
		}
	}
	return false
}

func printedBytes(p *protocol.Prints) int {
	n := 0
	for _, one := range p.Prints {
		n += len(one.Text)
	}
	return n
}
