//go:build proxies

// The examples in front of a newt, as they run. This needs nginx and caddy:
//
//	go test -tags proxies ./infra/proxy

package proxy

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/version"
)

// proxies are the programs: what their example becomes for a test, and how they are started.
var proxies = map[string]struct {
	file  string
	edits []string // old, new, …; PORT, NEWT and DIR are filled in
	start []string
}{
	"nginx": {"nginx.conf", []string{
		"127.0.0.1:8080", "NEWT", "listen 80;", "listen 127.0.0.1:0PLAIN;", "listen 443 ssl", "listen 127.0.0.1:PORT ssl",
		"    listen [::]:80;\n", "", "    listen [::]:443 ssl http2;\n", "",
		"/etc/letsencrypt/live/newt.example/", "DIR/",
	}, []string{"nginx", "-c", "DIR/main.conf"}},
	"caddy": {"Caddyfile", []string{
		"127.0.0.1:8080", "NEWT", "newt.example {", "newt.example:PORT {\n\ttls DIR/fullchain.pem DIR/privkey.pem\n",
	}, []string{"caddy", "run", "--adapter", "caddyfile", "--config", "DIR/Caddyfile"}},
}

const nginxMain = `daemon off; pid DIR/pid; error_log DIR/error.log; events {}
http { access_log off; client_body_temp_path DIR/a; proxy_temp_path DIR/b; fastcgi_temp_path DIR/c;
uwsgi_temp_path DIR/d; scgi_temp_path DIR/e; include DIR/nginx.conf; }`

const caddyGlobal = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"

// token is what clients of the runner behind a proxy must know.
const token = "correct-horse-battery"

// newtBehind serves what newt serves, a runner among it, and an echo of what a proxy tells it.
func newtBehind(t *testing.T) string {
	t.Helper()
	site, err := server.Site(fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "index.html.br": {Data: []byte("brotli")}})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", site)
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		n, err := body.ReadFrom(r.Body)
		fmt.Fprint(w, r.Host, " ", r.Header["X-Forwarded-For"], " ", r.Header["X-Forwarded-Proto"], " ", n, " ", err)
	})
	runner := endpoint.New(endpoint.Options{
		Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}, Limits: protocol.DefaultLimits(),
		Access: endpoint.Access{Token: token}, Build: version.Read(), Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() { runner.Shutdown(time.Second) })
	mux.Handle(protocol.Path, runner)
	handler, err := server.Status(version.Info{}, nil, mux)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// certificate writes one for newt.example and returns a client that believes it and asks port for
// that name.
func certificate(t *testing.T, dir, port string) *http.Client {
	t.Helper()
	command := exec.Command("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=newt.example",
		"-addext", "subjectAltName=DNS:newt.example", "-keyout", filepath.Join(dir, "privkey.pem"), "-out", filepath.Join(dir, "fullchain.pem"))
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("openssl: %v\n%s", err, text)
	}
	text, err := os.ReadFile(filepath.Join(dir, "fullchain.pem"))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	trusted, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(trusted)
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DisableCompression: true, TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "newt.example"},
		Dial: func(network, _ string) (net.Conn, error) { return net.Dial(network, "127.0.0.1:"+port) },
	}}
}

func TestRunning(t *testing.T) {
	for name, p := range proxies {
		t.Run(name, func(t *testing.T) {
			dir, port, newt := t.TempDir(), freePort(t), newtBehind(t)
			client := certificate(t, dir, port)
			fill := strings.NewReplacer("DIR", dir, "0PLAIN", freePort(t), "PORT", port, "NEWT", newt)
			text, err := os.ReadFile(p.file)
			if err != nil {
				t.Fatal(err)
			}
			example := fill.Replace(strings.NewReplacer(p.edits...).Replace(string(text)))
			if name == "caddy" {
				example = caddyGlobal + example
			}
			for file, text := range map[string]string{p.file: example, "main.conf": fill.Replace(nginxMain)} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			start(t, dir, fill, p.start)
			inFront(t, client)
			runnerInFront(t, client.Transport.(*http.Transport))
		})
	}
}

func start(t *testing.T, dir string, fill *strings.Replacer, words []string) {
	t.Helper()
	var said bytes.Buffer
	for i := range words {
		words[i] = fill.Replace(words[i])
	}
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(os.Interrupt)
		c.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
}

// inFront looks at newt as a browser does, through the proxy.
func inFront(t *testing.T, client *http.Client) {
	const base = "https://newt.example"
	var answer *http.Response
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) { // until the proxy listens
		if answer, err = client.Get(base + "/"); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	for header, want := range newtHeaders(t) {
		if got := answer.Header[header]; header != "Content-Length" && (len(got) != 1 || got[0] != want[0]) {
			t.Errorf("%s: %q, newt sends %q", header, got, want)
		}
	}
	if got := answer.Header["Strict-Transport-Security"]; len(got) != 1 {
		t.Errorf("Strict-Transport-Security: %q", got)
	}
	for _, c := range []struct {
		method, path, encoding, body string
		status                       []int
		want                         string
	}{
		{"GET", "/", "br, gzip", "", []int{200}, "brotli"},
		{"GET", "/healthz", "", "", []int{200}, server.Healthy},
		{"POST", "/echo", "", "hello", []int{200}, "newt.example [127.0.0.1] [https] 5 <nil>"},
		// Caddy before 2.7 refuses with 502 what is too long.
		{"POST", "/echo", "", strings.Repeat("x", 2<<20), []int{413, 502}, ""},
	} {
		r, err := http.NewRequest(c.method, base+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", c.encoding)
		r.Header.Set("X-Forwarded-For", "203.0.113.9") // a visitor's own word is not believed
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		body.ReadFrom(answer.Body)
		answer.Body.Close()
		if !slices.Contains(c.status, answer.StatusCode) || c.want != "" && body.String() != c.want {
			t.Errorf("%s %s: %d %q, want %v %q", c.method, c.path, answer.StatusCode, body.String(), c.status, c.want)
		}
	}
}

// runnerInFront says hello to the runner through the proxy, as the page that the proxy serves does, as a
// page of another site, and with a wrong token.
func runnerInFront(t *testing.T, through *http.Transport) {
	d := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}, TLSClientConfig: through.TLSClientConfig, NetDial: through.Dial, HandshakeTimeout: 10 * time.Second}
	for _, c := range []struct {
		origin, token string
		status        int
		says          string
	}{
		{"https://newt.example", token, 101, `"devices":[{"id":"cpu"`},
		{"https://newt.example", "wrong", 101, `"error":`},
		{"https://other.example", token, 403, ""},
	} {
		socket, answer, err := d.Dial("wss://newt.example"+protocol.Path, http.Header{"Origin": {c.origin}})
		if answer == nil || answer.StatusCode != c.status {
			t.Errorf("%+v: %v, %v", c, answer, err)
			continue
		}
		if err != nil {
			continue
		}
		hello := fmt.Sprintf(`{"hello":{"version":%d,"token":%q,"name":"test"}}`, protocol.Version, c.token)
		if err := socket.WriteMessage(websocket.TextMessage, []byte(hello)); err != nil {
			t.Error(err)
		}
		if _, said, err := socket.ReadMessage(); err != nil || !strings.Contains(string(said), c.says) {
			t.Errorf("%+v: %s, %v", c, said, err)
		}
		socket.Close()
	}
}
