package endpoint

import (
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
)

// pieceBytes is how much of a binary frame is read at a time.
const pieceBytes = 64 << 10

var buffers = sync.Pool{New: func() any { b := make([]byte, pieceBytes); return &b }}

// Access says who may use a runner.
type Access struct {
	// Token is what clients must know; where it is empty, only this machine's own clients may use
	// the runner.
	Token string
	// Origins are those of pages on other sites that may use the runner: "https://newt.example".
	// A page that this server sent may always.
	Origins []string
}

// MinToken is the least length of a token: 16 letters and digits are more than anybody can guess. MinDifferent is how
// many of them have to differ: those of a random token do, with fewer than that somebody held down a key.
const (
	MinToken     = 16
	MinDifferent = 6
)

// ReadToken reads a token file: one line.
func ReadToken(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token, ok := ParseToken(text)
	if !ok {
		return "", fmt.Errorf("%s does not contain a valid token: it needs at least %d characters, at least %d different ones and no spaces, such as the output of `openssl rand -hex 16`", file, MinToken, MinDifferent)
	}
	return token, nil
}

// ParseToken is the token in the text of a token file; ok is false where there is none.
func ParseToken(text []byte) (token string, ok bool) {
	token = strings.TrimSpace(string(text))
	different := map[rune]bool{}
	for _, r := range token {
		different[r] = true
	}
	return token, len(token) >= MinToken && len(different) >= MinDifferent && !strings.ContainsAny(token, " \t\r\n")
}

// admits compares a token in a time that says nothing about how much of it is right.
func (a Access) admits(token string) bool {
	if a.Token == "" {
		return true // refuses has seen that the client is this machine's own
	}
	want, got := sha256.Sum256([]byte(a.Token)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// refuses says what is wrong with where a request comes from, "" where nothing is.
func (a Access) refuses(r *http.Request) string {
	if a.Token == "" && !own(r) {
		return "without a token file this runner accepts only clients on its own machine; start it with --token-file"
	}
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(a.Origins, origin) {
		return "" // not a browser, or one that is welcome
	}
	if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
		return "this runner does not accept pages of other sites; start it with --origin to allow one"
	}
	return ""
}

// forwarding are headers, apart from those that begin with X-Forwarded, with which proxies and content delivery
// networks pass a client's request on.
var forwarding = []string{
	"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "X-Proxyuser-Ip",
	"Cf-Connecting-Ip", "Cf-Connecting-Ipv6", "True-Client-Ip", "Fastly-Client-Ip", "Fly-Client-Ip",
}

// own reports whether a request comes from this machine and was meant for it: a name that a
// stranger's server gave this machine's address does not count, nor does what a proxy passes on. A proxy that says
// nothing of its client and names this machine as the host cannot be told from this machine's programs.
func own(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() {
		return false
	}
	for header := range r.Header {
		if strings.HasPrefix(header, "X-Forwarded") || slices.Contains(forwarding, header) {
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
