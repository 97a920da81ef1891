// Package protocol is what a runner and its clients say to each other over a websocket: JSON
// messages in text frames, and IR, tensors and results in binary frames. README.md describes it
// for those who write clients. What comes from the other side is hostile until it was checked here.
package protocol

import "time"

// Version is the protocol's. A client says it first; runner and client must have the same.
const Version = 1

// Path is where a server has its runner, and Subprotocol what its websocket is called.
const (
	Path        = "/api/runner"
	Subprotocol = "newt.v1"
)

// MaxServerMessage is the most bytes of a frame from the runner that a client needs to take.
const MaxServerMessage = 32 << 20

// The states of Done.
const (
	StateDone      = "done"
	StateFault     = "fault"     // the kernel did something wrong
	StateCancelled = "cancelled" // someone, or the runner, stopped it
	StateRefused   = "refused"   // it was never ready to run
)

// The states of a job that has not ended.
const (
	StateArriving = "arriving"
	StateQueued   = "queued"
	StateRunning  = "running"
)

// DefaultLimits are those of a runner that is told nothing else.
func DefaultLimits() Limits {
	return Limits{
		MessageBytes: 256 << 10, ChunkBytes: 1 << 20, IRBytes: 1 << 20, Tensors: 256, Args: 1024,
		JobBytes: 1 << 30, TotalBytes: 4 << 30, ClientBytes: 3 << 30, MaxBudget: 1 << 44,
		ClientJobs: 16, KeptJobs: 64, QueuedJobs: 1024, Connections: 512, ClientConnections: 384, MaxUnauthenticated: 128,
		Sessions: 1024, ClientSessions: 512,
		HandshakeTimeoutMS: 10_000, UploadIdleTimeoutMS: 30_000, UploadTimeoutMS: 600_000, QueueMS: 600_000, DefaultJobMS: 30_000, MaxJobMS: 300_000, MeasureMS: 10_000,
		DisconnectGraceMS: 30_000, ResultTTLMS: 120_000, WriteMS: 20_000, PingMS: 20_000,
		PrintBytes: 1 << 20, PTXBytes: 4 << 20, MaxDiagnostics: 100, CancelGraceMS: 5_000,
	}
}

// Consistent is l with a client's share of memory below the whole, so that no client can take all of it.
func (l Limits) Consistent() Limits {
	l.ClientBytes = min(l.ClientBytes, l.TotalBytes-l.TotalBytes/4)
	return l
}

// Millis is a limit as a Duration.
func Millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
