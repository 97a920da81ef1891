package endpoint

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/fleet/census"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// TestAdmin: whoever has the runner's token sees devices, queues and people, and nobody else does.
func TestAdmin(t *testing.T) {
	d := open(t, nil)
	d.client(nil).works(1)
	get := func(password string) (*http.Response, string) {
		r, err := http.NewRequest("GET", d.url+AdminPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		if password != "" {
			r.SetBasicAuth("admin", password)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(body)
	}
	for _, password := range []string{"", "guess"} {
		answer, body := get(password)
		if answer.StatusCode != http.StatusUnauthorized || strings.Contains(body, "cpu") ||
			!strings.HasPrefix(answer.Header.Get("WWW-Authenticate"), "Basic ") {
			t.Errorf("with %q: status %d, %s", password, answer.StatusCode, body)
		}
	}
	answer, body := get(token)
	if answer.StatusCode != http.StatusOK || !strings.Contains(body, "<td>cpu<td class=\"number\">0") {
		t.Errorf("status %d, %s", answer.StatusCode, body)
	}
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'sha256-") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestAdminEscapes: what members say of themselves is text; people whom they leave out are counted.
func TestAdminEscapes(t *testing.T) {
	d := openFor(t, Options{Limits: protocol.DefaultLimits(), Fleet: boaster{}})
	answer, err := http.Get(d.url + AdminPath)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(body), "<script>") || strings.Count(string(body), "&lt;script&gt;") != 2 {
		t.Errorf("%s", body)
	}
	if !strings.Contains(string(body), "<td>7 more<") {
		t.Errorf("it does not say that 7 people are left out: %s", body)
	}
}

// boaster is a fleet whose members have markup for names.
type boaster struct{}

func (boaster) Attach(*sched.Scheduler)            {}
func (boaster) Workers() map[string]map[string]int { return nil }
func (boaster) Events() map[string]int64           { return nil }
func (boaster) Charged(string, time.Duration)      {}
func (boaster) Census() *census.Report {
	return &census.Report{
		Workers:  []census.Worker{{Machine: "<script>"}},
		Gateways: []census.Gateway{{Machine: "<script>", MorePeople: 7}},
	}
}
