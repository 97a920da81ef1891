package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/runner/clientaddr"
	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/natskv"
	"github.com/newtlab/newt/runner/share/sqlite"
)

// shareFile is the file of short links in the data directory.
const shareFile = "share.sqlite"

// linkOptions say where short links are kept, and who their authors are.
type linkOptions struct {
	data    string         // the directory
	gateway *fleet.Gateway // keeps them where all gateways find them; nil: the file in the directory does
	proxies clientaddr.Proxies
}

// withShare serves short links beside the page. Where they cannot be stored, the page is served all the same and asking
// for a short link says what is wrong; close is never nil.
func withShare(
	ctx context.Context, e *Env, o linkOptions, page http.Handler,
) (handler http.Handler, close func() error) {
	report := func(err error) { fmt.Fprintf(e.Stderr, "newt serve: short links: %v\n", err) }
	store, close, err := o.open(ctx)
	if err != nil {
		report(err)
	}
	if store == nil {
		store, close = share.Unavailable(err), func() error { return nil }
	}
	links := share.New(share.Options{Store: store, Title: puzzleTitle, Report: report, Client: o.proxies.Of})
	mux := http.NewServeMux()
	mux.Handle("/", page)
	for _, pattern := range []string{"/api/share", "/api/share/", "/s/"} {
		mux.Handle(pattern, links)
	}
	return mux, close
}

// open opens the store of a fleet, or the file of one machine. There may be a store and an error: links of this machine
// that were not moved.
func (o linkOptions) open(ctx context.Context) (store share.Store, close func() error, err error) {
	path := filepath.Join(o.data, shareFile)
	switch {
	case o.gateway != nil:
		bucket, err := natskv.Open(ctx, o.gateway.JetStream(), natskv.Options{})
		if err != nil {
			return nil, nil, err
		}
		if o.data != "" {
			err = moveLinks(ctx, path, bucket)
		}
		return bucket, func() error { return nil }, err
	case o.data == "":
		return nil, nil, errors.New("no data directory: name one with --data")
	}
	file, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, nil, err
	}
	return file, file.Close, nil
}

// moveLinks moves the short links of a machine that has become a gateway to where all gateways find them.
func moveLinks(ctx context.Context, path string, to share.Store) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	err = file.Each(ctx, func(id string, value []byte, until time.Time) error {
		_, err := to.Put(ctx, id, value, until)
		return err
	})
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("the links of %s: %w", path, err)
	}
	return os.Rename(path, path+".moved")
}

// puzzleTitle names a puzzle for the preview of a link.
func puzzleTitle(number int) (en, zh string, ok bool) {
	p, ok := fast.Find(number)
	if !ok {
		return "", "", false
	}
	return p.Title.En, p.Title.Zh, true
}
