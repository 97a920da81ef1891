// Package protocol defines the websocket protocol between a runner and its clients: JSON messages in
// text frames, and IR, tensors and results in binary frames. README.md specifies it for authors of
// clients. Frames of the other side are untrusted until this package has checked them.
package protocol

import "time"

// Version is the version of the protocol, which client and runner must share. The client's hello has it.
const Version = 1

// Path is the path of the websocket endpoint, and Subprotocol the name of its subprotocol.
const (
	Path        = "/api/runner"
	Subprotocol = "newt.v1"
)

// MaxServerMessage is the size of the largest frame that a runner sends, in bytes.
const MaxServerMessage = 32 << 20

// The states of Done.
const (
	StateDone      = "done"
	StateFault     = "fault"     // the kernel failed
	StateCancelled = "cancelled" // by the client, or by a limit of the runner
	StateRefused   = "refused"   // it never ran
)

// The states of a job that has not ended.
const (
	StateArriving = "arriving"
	StateQueued   = "queued"
	StateRunning  = "running"
)

// DefaultLimits returns the limits of a runner without --limit options.
func DefaultLimits() Limits {
	return Limits{
		MessageBytes: 256 << 10, ChunkBytes: 1 << 20, IRBytes: 1 << 20, Tensors: 256, Args: 1024,
		JobBytes: 1 << 30, TotalBytes: 4 << 30, ClientBytes: 3 << 30, MaxBudget: 1 << 44,
		Buffers: 4096, BufferSessions: 8,
		ClientJobs: 16, KeptJobs: 64, QueuedJobs: 1024,
		Connections: 512, ClientConnections: 384, MaxUnauthenticated: 128,
		Sessions: 1024, ClientSessions: 512,
		HandshakeTimeoutMS: 10_000, UploadIdleTimeoutMS: 30_000, UploadTimeoutMS: 600_000, QueueMS: 600_000,
		DefaultJobMS: 30_000, MaxJobMS: 300_000, MeasureMS: 10_000,
		DisconnectGraceMS: 30_000, ResultTTLMS: 120_000, WriteMS: 20_000, PingMS: 20_000,
		PrintBytes: 1 << 20, PTXBytes: 4 << 20, SASSBytes: 4 << 20, MaxDiagnostics: 100, CancelGraceMS: 5_000,
	}
}

// Consistent returns l with clientBytes at most three quarters of totalBytes, so that no client can take all of it.
func (l Limits) Consistent() Limits {
	l.ClientBytes = min(l.ClientBytes, l.TotalBytes-l.TotalBytes/4)
	return l
}

// Millis converts a limit in milliseconds to a duration.
func Millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
