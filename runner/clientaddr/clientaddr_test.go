package clientaddr

import (
	"net/http/httptest"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.7:1234", "", "192.0.2.7"},
		{"192.0.2.7", "", "192.0.2.7"},
		{"[2001:db8:1:2:3::4]:99", "", "2001:db8:1:2::/64"},
		{"[fe80::1%eth0]:99", "", "fe80::/64"},
		{"[::ffff:192.0.2.7]:99", "", "192.0.2.7"},
		{"@", "", "@"},
		{"", "", ""},
		{"127.0.0.1:9", "", "127.0.0.1"},
		{"127.0.0.1:9", "203.0.113.5", "203.0.113.5"},
		{"[::1]:9", "made up, 203.0.113.5", "203.0.113.5"},
		{"127.0.0.1:9", "203.0.113.5, made up", "127.0.0.1"},
		{"192.0.2.7:1234", "203.0.113.5", "192.0.2.7"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		r.Header.Set("X-Forwarded-For", c.forwarded)
		if got := Of(r); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}
