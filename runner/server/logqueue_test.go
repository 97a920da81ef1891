package server

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLogQueue logs to a pipe that nobody reads: the logger does not wait, and the reader that comes learns what was
// lost.
func TestLogQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		q := NewLogQueue(to, func(lost int64) { fmt.Fprintf(to, "lost %d\n", lost) })
		log := slog.New(slog.NewTextHandler(q, nil))
		const lines = 3 * queuedLines
		logged := make(chan struct{})
		go func() {
			for i := range lines {
				log.Info("line", "n", i)
			}
			close(logged)
		}()
		select {
		case <-logged:
		case <-time.After(10 * time.Second):
			t.Fatal("the logger waits for its reader")
		}
		time.AfterFunc(10*time.Second, func() { to.Close() })
		kept, lost := 0, 0
		for text := bufio.NewScanner(from); kept+lost < lines && text.Scan(); {
			var n int
			if got, _ := fmt.Sscanf(text.Text(), "lost %d", &n); got == 1 {
				lost += n
			} else if strings.Contains(text.Text(), "msg=line") {
				kept++
			}
		}
		q.Close()
		if kept < queuedLines || kept+lost != lines {
			t.Errorf("of %d lines %d are written and %d reported as lost", lines, kept, lost)
		}
	})
}

// TestLogQueueCloses although nobody reads.
func TestLogQueueCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		defer from.Close()
		q := NewLogQueue(to, func(int64) {})
		q.Write([]byte("a line"))
		closed := make(chan struct{})
		go func() { q.Close(); q.Write([]byte("a late one")); close(closed) }()
		select {
		case <-closed:
		case <-time.After(10 * time.Second):
			t.Fatal("the queue waits for its reader for ever")
		}
	})
}
