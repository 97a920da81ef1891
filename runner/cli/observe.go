package cli

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/version"
)

// logForms are the values of --log.
var logForms = map[string]func(io.Writer) slog.Handler{
	"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
	"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	"none": func(io.Writer) slog.Handler { return slog.DiscardHandler },
}

// observed adds to what newt serves the answers about the server itself, and a log of requests in
// the form given on standard error.
func observed(e *Env, form string, next http.Handler) (http.Handler, error) {
	handler := logForms[form]
	if handler == nil {
		return nil, fmt.Errorf("--log takes text, json or none, not %q", form)
	}
	status, err := server.Status(version.Read(), next)
	if err != nil {
		return nil, err
	}
	return server.Logged(slog.New(handler(e.Stderr)), status), nil
}
