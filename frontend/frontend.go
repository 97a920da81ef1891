// Package frontend holds the page as frontend/build leaves it, so that one binary can serve it.
package frontend

import (
	"embed"
	"io/fs"

	"github.com/newtlab/newt/frontend/packed"
)

//go:embed all:dist
var dist embed.FS

// FS is the root of the built page: index.html, assets/ with content-hashed names. Package packed reads its files, of
// which those worth compressing are there in compressed form alone, so that a program holds the page once. Before the
// first build it holds README alone.
var FS = mustSub(dist, "dist")

// CSP is the Content-Security-Policy that the page is written for. The build puts it into
// index.html; whoever serves the page may send it as a header too. Styles need no exception:
// the editor lives in a shadow root, where its rules are constructed sheets, and KaTeX builds
// DOM nodes, whose style properties the policy does not concern. Websockets may go anywhere, because
// people name runners of their own; everything else stays with the site.
const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"font-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'"

// Built reports whether the page has been built.
func Built() bool { return packed.Exists(FS, "index.html") }

func mustSub(f fs.FS, dir string) fs.FS {
	sub, err := fs.Sub(f, dir)
	if err != nil {
		panic(err) // dir is a constant, valid path
	}
	return sub
}
