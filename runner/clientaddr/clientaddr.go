// Package clientaddr tells clients of a server from each other, by the address that a request came from.
package clientaddr

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of the proxies that are believed who their client is. Those on this machine always are.
type Proxies []netip.Prefix

// ParseProxies reads networks and addresses such as 10.0.0.0/8 and 192.0.2.7.
func ParseProxies(list []string) (Proxies, error) {
	var out Proxies
	for _, text := range list {
		network, err := netip.ParsePrefix(text)
		if addr, single := netip.ParseAddr(text); single == nil {
			network, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an address", text)
		}
		out = append(out, network.Masked())
	}
	return out, nil
}

// Of is Proxies.Of where the only proxies are on this machine.
func Of(r *http.Request) string { return Proxies(nil).Of(r) }

// Of is the address of the client at the other end of a request, or its /64 network where it has IPv6: one machine gets
// any number of addresses there (RFC 6177). In X-Forwarded-For each proxy has appended the address that it has seen, so
// the list is read from its end for as long as these are proxies that are believed.
func (p Proxies) Of(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	addr = addr.Unmap()
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(list) {
		through, err := netip.ParseAddr(strings.TrimSpace(text))
		if err != nil || !p.believes(addr) {
			break
		}
		addr = through.Unmap()
	}
	if network, err := addr.WithZone("").Prefix(64); err == nil && addr.Is6() {
		return network.String()
	}
	return addr.String()
}

func (p Proxies) believes(addr netip.Addr) bool {
	contains := func(network netip.Prefix) bool { return network.Contains(addr.WithZone("")) }
	return addr.IsLoopback() || slices.ContainsFunc(p, contains)
}
