package server

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// LogQueue is a writer that passes lines on in the background: what logs them holds locks, and must not wait for a
// terminal that was paused or a pipe that is not read. Each call of Write is one line, as slog's handlers write it.
type LogQueue struct {
	out     io.Writer
	report  func(lost int64)
	lines   chan []byte
	lost    atomic.Int64 // lines for which there was no room, since the last report
	closing chan struct{}
	over    chan struct{}
}

const (
	queuedLines  = 1024
	flushTimeout = 500 * time.Millisecond
)

// NewLogQueue passes lines on to out. It drops those that come while queuedLines wait; report is called between two
// lines to say how many were.
func NewLogQueue(out io.Writer, report func(lost int64)) *LogQueue {
	q := &LogQueue{
		out: out, report: report, lines: make(chan []byte, queuedLines),
		closing: make(chan struct{}), over: make(chan struct{}),
	}
	go q.run()
	return q
}

// Write implements io.Writer. It never fails and never waits.
func (q *LogQueue) Write(line []byte) (int, error) {
	select {
	case q.lines <- bytes.Clone(line):
	default:
		q.lost.Add(1)
	}
	return len(line), nil
}

// Close waits until the lines that came before are written, for flushTimeout at most. Later ones are dropped.
func (q *LogQueue) Close() {
	close(q.closing)
	select {
	case <-q.over:
	case <-time.After(flushTimeout):
	}
}

func (q *LogQueue) run() {
	defer close(q.over)
	for {
		select { // lines that wait come before the end
		case line := <-q.lines:
			q.pass(line)
			continue
		default:
		}
		select {
		case line := <-q.lines:
			q.pass(line)
		case <-q.closing:
			return
		}
	}
}

// pass writes a line, and then how many were lost while it was being written.
func (q *LogQueue) pass(line []byte) {
	q.out.Write(line)
	if lost := q.lost.Swap(0); lost > 0 {
		q.report(lost)
	}
}
