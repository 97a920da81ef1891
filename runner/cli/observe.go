package cli

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"

	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/version"
)

// logForms are the values of --log.
var logForms = map[string]func(io.Writer) slog.Handler{
	"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
	"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	"none": func(io.Writer) slog.Handler { return slog.DiscardHandler },
}

// observed is the server of next, which also answers about itself, and keeps a log in the form
// given on standard error.
func observed(e *Env, form string, next http.Handler) (*http.Server, error) {
	handler := logForms[form]
	if handler == nil {
		return nil, fmt.Errorf("--log takes one of %v, not %q", slices.Sorted(maps.Keys(logForms)), form)
	}
	build, log := version.Read(), slog.New(handler(e.Stderr))
	status, err := server.Status(build, next)
	if err != nil {
		return nil, err
	}
	log.Info("newt starts", "version", build.Version, "commit", build.Commit)
	return server.Bounded(log, status), nil
}
