package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/sqlite"
)

// shareFile is the file of short links in the data directory.
const shareFile = "share.sqlite"

// withShare serves short links beside the page. Where their file cannot be opened, the page is
// served all the same and asking for a short link says what is wrong; close is never nil.
func withShare(ctx context.Context, e *Env, data string, page http.Handler) (handler http.Handler, close func() error) {
	report := func(err error) { fmt.Fprintf(e.Stderr, "newt serve: short links: %v\n", err) }
	var store share.Store
	close = func() error { return nil }
	if s, err := openStore(ctx, data); err != nil {
		report(err)
		store = share.Unavailable(err)
	} else {
		store, close = s, s.Close
	}
	links := share.New(share.Options{Store: store, Title: puzzleTitle, Report: report})
	mux := http.NewServeMux()
	mux.Handle("/", page)
	for _, pattern := range []string{"/api/share", "/api/share/", "/s/"} {
		mux.Handle(pattern, links)
	}
	return mux, close
}

func openStore(ctx context.Context, data string) (*sqlite.Store, error) {
	if data == "" {
		return nil, errors.New("no data directory: name one with --data")
	}
	return sqlite.Open(ctx, filepath.Join(data, shareFile), sqlite.Options{})
}

// puzzleTitle names a puzzle for the preview of a link.
func puzzleTitle(number int) (en, zh string, ok bool) {
	p, ok := puzzles.Get(number)
	if !ok {
		return "", "", false
	}
	return p.Title.En, p.Title.Zh, true
}
