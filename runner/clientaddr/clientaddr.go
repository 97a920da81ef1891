// Package clientaddr tells clients of a server from each other, by the address that a request came from.
package clientaddr

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Of is the address of the client at the other end of a request, or its /64 network where it has IPv6: one machine gets
// any number of addresses there (RFC 6177). A proxy on this machine is believed the last address in its
// X-Forwarded-For, which is the one that it has seen itself.
func Of(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	addr = addr.Unmap()
	if addr.IsLoopback() {
		list := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
		last := strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:])
		if through, err := netip.ParseAddr(last); err == nil {
			addr = through.Unmap()
		}
	}
	if network, err := addr.WithZone("").Prefix(64); err == nil && addr.Is6() {
		return network.String()
	}
	return addr.String()
}
