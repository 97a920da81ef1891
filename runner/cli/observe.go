package cli

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"

	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/version"
)

// logForms are the values of --log.
var logForms = map[string]func(io.Writer) slog.Handler{
	"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
	"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	"none": func(io.Writer) slog.Handler { return slog.DiscardHandler },
}

// logger keeps a log in the form given on standard error, which flush writes out.
func logger(e *Env, form string) (log *slog.Logger, flush func(), err error) {
	handler := logForms[form]
	if handler == nil {
		return nil, nil, fmt.Errorf("--log must be one of %v, not %q", slices.Sorted(maps.Keys(logForms)), form)
	}
	direct := slog.New(handler(e.Stderr))
	queue := server.NewLogQueue(e.Stderr, func(lost int64) { direct.Warn("lines of the log were lost", "lines", lost) })
	return slog.New(handler(queue)), queue.Close, nil
}

// observed is the server of next, which also answers about itself and keeps a log.
func observed(log *slog.Logger, runner *endpoint.Runner, next http.Handler) (*http.Server, error) {
	build := version.Read()
	status, err := server.Status(build, runner.Health, next)
	if err != nil {
		return nil, err
	}
	log.Info("newt starts", "version", build.Version, "commit", build.Commit)
	return server.Bounded(log, status), nil
}
