package operation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Streams are what a command writes to.
type Streams struct{ Output, Errors, Document io.Writer }

// Serve is the other end of Processes: it runs the commands that come in, one after the other, with run, until the
// input ends. A command that is running then ends with the process: nobody waits for it.
func Serve(in io.Reader, out io.Writer, run func(ctx context.Context, args []string, to Streams) (status int)) error {
	replies, commands := json.NewEncoder(out), make(chan command)
	if err := replies.Encode("ready"); err != nil {
		return err
	}
	go func() {
		defer os.Exit(0)
		for from := json.NewDecoder(in); ; {
			var c command
			if from.Decode(&c) != nil {
				return
			}
			commands <- c
		}
	}()
	for c := range commands {
		r, err := c.run(run)
		if err == nil {
			err = replies.Encode(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// run runs a command in its folder, which counts as the home folder's: no project is looked for around it.
func (c command) run(run func(ctx context.Context, args []string, to Streams) (status int)) (reply, error) {
	if err := errors.Join(os.Chdir(c.Folder), os.Setenv("HOME", filepath.Dir(c.Folder))); err != nil {
		return reply{}, err
	}
	defer os.Chdir(os.TempDir()) // the folder is removed
	ctx, cancel := context.WithTimeoutCause(context.Background(), c.Timeout, errTooLong)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	stream := func(most int) *limited { return &limited{most: most, flooded: func() { stop(errFlood) }} }
	output, errs, document := stream(MaxOutput), stream(MaxOutput), stream(MaxDocument)
	if c.Document {
		output.most = MaxDocument
	}
	r := reply{Status: run(ctx, c.Args, Streams{output, errs, document})}
	r.Stopped = map[error]string{errTooLong: "time", errFlood: "output"}[context.Cause(ctx)]
	r.Output, r.Errors, r.Document = output.String(), errs.String(), document.String()
	r.Truncated = output.more || errs.more || document.more
	return r, nil
}

var errFlood = errors.New("the command prints too much")

// limited keeps the first bytes of what is written to it.
type limited struct {
	kept    bytes.Buffer // not embedded: io.Copy would fill it by its ReadFrom
	most    int
	more    bool
	written int
	flooded func() // called when more than maxPrinted have been written
}

func (l *limited) Write(b []byte) (int, error) {
	rest := min(l.most-l.kept.Len(), len(b))
	l.kept.Write(b[:rest])
	l.more = l.more || rest < len(b)
	if l.written += len(b); l.written > maxPrinted {
		l.flooded()
	}
	return len(b), nil
}

func (l *limited) String() string { return strings.ToValidUTF8(l.kept.String(), "\ufffd") }
