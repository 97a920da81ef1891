package endpoint

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/people"
)

// readBufferBytes is the size of the buffers that binary frames are read through.
const readBufferBytes = 64 << 10

var buffers = sync.Pool{New: func() any { b := make([]byte, readBufferBytes); return &b }}

// Access is the access policy of a runner.
type Access struct {
	// Token is the secret that clients must send; if it is empty, only clients on this machine may use the runner.
	Token string
	// People, if it is set, are those whose tokens are accepted besides Token.
	People *people.File
	// Provider, if it is set, is who makes ID tokens that are accepted besides those.
	Provider *people.Provider
	// Origins are the origins of other sites whose pages may use the runner, such as "https://newt.example". A page
	// that this server sent always may.
	Origins []string
}

// MinToken is the least length of a token: 16 letters and digits cannot be guessed. MinDifferent is the least number of
// different characters: a random token has more, one with fewer was not random.
const (
	MinToken     = 16
	MinDifferent = 6
)

// ReadToken reads the token of a token file, which is one line.
func ReadToken(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token, ok := ParseToken(text)
	if !ok {
		return "", fmt.Errorf("%s does not contain a valid token: it needs at least %d characters, "+
			"at least %d different ones and no spaces, such as the output of `openssl rand -hex 16`",
			file, MinToken, MinDifferent)
	}
	return token, nil
}

// ParseToken returns the token in the text of a token file; ok is false if it is not a valid token.
func ParseToken(text []byte) (token string, ok bool) {
	token = strings.TrimSpace(string(text))
	different := map[rune]bool{}
	for _, r := range token {
		different[r] = true
	}
	return token, len(token) >= MinToken && len(different) >= MinDifferent && !strings.ContainsAny(token, " \t\r\n")
}

// needsToken reports whether clients must send a token. If not, only those on this machine are served.
func (a Access) needsToken() bool { return a.Token != "" || a.People != nil || a.Provider != nil }

// acceptsToken compares a token in constant time. Hashes are compared, so that the time does not depend on the length.
func (a Access) acceptsToken(token string) bool {
	if !a.needsToken() {
		return true // checkRequest has made sure that the client is on this machine
	}
	want, got := sha256.Sum256([]byte(a.Token)), sha256.Sum256([]byte(token))
	return a.Token != "" && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// identify returns the person with a token; ok is also true for the token that everybody shares, or if none is needed.
func (a Access) identify(ctx context.Context, token string) (p people.Person, ok bool) {
	if a.People != nil {
		if p, ok = a.People.Lookup(token); ok {
			return p, true
		}
	}
	if a.Provider != nil {
		if p, ok = a.Provider.Lookup(ctx, token); ok {
			return p, true
		}
	}
	return p, a.acceptsToken(token)
}

// checkRequest returns why a request is refused for where it comes from, nil if it is not.
func (a Access) checkRequest(r *http.Request) *diag.Diagnostic {
	if !a.needsToken() && !isLocal(r) {
		return refusal("runner-not-local")
	}
	return a.checkOrigin(r)
}

// checkOrigin returns why a request is refused for the page that sends it.
func (a Access) checkOrigin(r *http.Request) *diag.Diagnostic {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(a.Origins, origin) {
		return nil // not a browser, or an allowed page
	}
	if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
		return refusal("runner-foreign-page")
	}
	return nil
}

// proxyHeaders are the headers, besides X-Forwarded-*, that proxies and content delivery networks add to a request.
var proxyHeaders = []string{
	"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "X-Proxyuser-Ip",
	"Cf-Connecting-Ip", "Cf-Connecting-Ipv6", "True-Client-Ip", "Fastly-Client-Ip", "Fly-Client-Ip",
}

// isLocal reports whether a request comes from this machine and is addressed to it by a loopback address or as
// localhost. A foreign host name that resolves to this machine (DNS rebinding) does not count, nor does a request with
// a proxy's headers. A proxy on this machine that adds no header and sends a local Host cannot be told from a local
// program.
func isLocal(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() {
		return false
	}
	for header := range r.Header {
		if strings.HasPrefix(header, "X-Forwarded") || slices.Contains(proxyHeaders, header) {
			return false
		}
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}
