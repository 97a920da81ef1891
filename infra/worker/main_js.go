//go:build js && wasm

// Command worker is two programs. Compiled for js/wasm it is the Cloudflare Worker: the share
// service over Workers KV. Compiled for a computer it assembles what wrangler uploads: that Worker
// and the site.
package main

import (
	"bytes"
	"io"
	"log"
	"net/http"

	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
)

// The names that wrangler.json binds.
const (
	bindingKV      = "SHARES"
	bindingLimiter = "LIMITER"
	variableBase   = "BASE" // the site's address, as in https://newt.example; empty takes it from requests
)

// Every request starts a program of its own, so nothing is kept here between two of them.
func main() {
	workers.Serve(readWhole(share.New(share.Options{
		Store:   namespace{cloudflare.GetBinding(bindingKV)},
		Limiter: limiter{cloudflare.GetBinding(bindingLimiter)},
		Base:    cloudflare.Getenv(variableBase),
		Title:   title,
		Report:  func(err error) { log.Print(err) },
	})))
}

// readWhole reads the body before the handler answers: a Worker that answers first breaks the
// connection, and its answer is lost. A body beyond all measure is not worth that.
func readWhole(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var kept bytes.Buffer
		if r.ContentLength <= link.MaxEncoded+share.MaxUnread {
			_, err := io.CopyN(&kept, r.Body, link.MaxEncoded+1)
			if err == nil {
				io.CopyN(io.Discard, r.Body, share.MaxUnread)
			}
		}
		r.Body = io.NopCloser(&kept)
		h.ServeHTTP(w, r)
	})
}

func title(number int) (en, zh string, ok bool) {
	p, ok := fast.Find(number)
	if !ok {
		return "", "", false
	}
	return p.Title.En, p.Title.Zh, true
}
