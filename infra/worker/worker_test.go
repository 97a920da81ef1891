//go:build !js

package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/frontend/packed"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/share/sharetest"
)

// maxGzip is what Cloudflare takes without a paid plan, in bytes.
const maxGzip = 3 << 20

// startTimeout bounds the start of workerd, and each answer of the program that runs it.
const startTimeout = 60 * time.Second

// TestWorker assembles the Worker around a small site and runs it for real under workerd.
func TestWorker(t *testing.T) {
	needNode(t)
	folder := t.TempDir()
	build(t, folder)
	t.Run("size", func(t *testing.T) { testSize(t, filepath.Join(folder, "worker")) })
	d := start(t, folder)
	t.Run("assets", func(t *testing.T) { testAssets(t, d.url) })
	sharetest.Run(t, sharetest.Home{URL: d.url, Burst: burst(t), Put: d.put})
}

// needNode fails where the tests of the Worker cannot run, and installs what they need from the
// lock file where it is missing.
func needNode(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing: the Worker runs under workerd, which comes from npm; install Node.js 20 or later", tool)
		}
	}
	if version(t, "node_modules/miniflare/package.json", "version") == version(t, "package.json", "devDependencies", "miniflare") {
		return
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
}

// version reads a text out of a JSON file; "" where there is none.
func version(t *testing.T, file string, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	for _, key := range path {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	text, _ := value.(string)
	return text
}

// The site of the tests: assemble takes any built page.
var site = map[string]string{
	"index.html": "<!doctype html><title>newt</title>", "README": "not for the site",
	"assets/main-AB12.js.br": string(packed.Pack([]byte(script))),
}

const script = "export {};"

func build(t *testing.T, folder string) {
	t.Helper()
	page := filepath.Join(folder, "dist")
	for name, text := range site {
		file := filepath.Join(page, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir("../..")
	if err := assemble(page, folder); err != nil {
		t.Fatal(err)
	}
	t.Chdir("infra/worker")
}

func testSize(t *testing.T, worker string) {
	files, err := os.ReadDir(worker)
	if err != nil {
		t.Fatal(err)
	}
	var packed counter
	w := gzip.NewWriter(&packed)
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(worker, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
	}
	w.Close()
	t.Logf("the Worker has %d bytes after gzip", packed)
	if packed < 100<<10 || packed > maxGzip {
		t.Errorf("the Worker has %d bytes after gzip; the limit is %d", packed, maxGzip)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// daemon is workerd with the Worker in it.
type daemon struct {
	url   string
	stdin io.Writer
	lines <-chan string
}

// start runs workerd until the test ends, and not much longer.
func start(t *testing.T, folder string) *daemon {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	node := exec.CommandContext(ctx, "node", "workerd.mjs", folder)
	node.Stderr = os.Stderr
	node.WaitDelay = 10 * time.Second
	stdin, err := node.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(stdout); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	t.Cleanup(func() {
		// It ends by itself with its input, and is killed where it does not.
		stdin.Close()
		late := time.AfterFunc(15*time.Second, cancel)
		for range lines {
		}
		if err := node.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
		late.Stop()
		cancel()
	})
	d := &daemon{stdin: stdin, lines: lines}
	var ready struct{ URL string }
	d.receive(t, &ready)
	d.url = ready.URL
	return d
}

func (d *daemon) receive(t *testing.T, into any) {
	t.Helper()
	select {
	case line, ok := <-d.lines:
		if err := json.Unmarshal([]byte(line), into); !ok || err != nil {
			t.Fatalf("the program that runs workerd says %q and ends: %v", line, err)
		}
	case <-time.After(startTimeout):
		t.Fatal("the program that runs workerd does not answer")
	}
}

// put puts a value straight into KV.
func (d *daemon) put(t *testing.T, id string, value []byte) {
	t.Helper()
	line, err := json.Marshal(map[string]string{"id": id, "value": string(value)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(d.stdin, "%s\n", line); err != nil {
		t.Fatal(err)
	}
	d.receive(t, &struct{}{})
}

// burst is the allowance that wrangler.json gives a client.
func burst(t *testing.T) int {
	t.Helper()
	var config struct {
		Ratelimits []struct {
			Name   string
			Simple struct{ Limit, Period int }
		}
	}
	data, err := os.ReadFile("wrangler.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &config); err != nil || len(config.Ratelimits) != 1 {
		t.Fatal(config, err)
	}
	return config.Ratelimits[0].Simple.Limit
}

// testAssets: the site comes with newt's headers, and with nothing that is not part of it.
func testAssets(t *testing.T, url string) {
	for _, c := range []struct {
		path   string
		status int
		body   string
		cache  string
	}{
		{"/", 200, site["index.html"], ""},
		{"/assets/main-AB12.js", 200, script, "public, max-age=31536000, immutable"},
		{"/assets/main-AB12.js.br", 404, "", ""},
		{"/README", 404, "", ""},
		{"/_headers", 404, "", ""},
		{"/nothing", 404, "", ""},
		{"/../../etc/passwd", 404, "", ""},
	} {
		response, err := http.Get(url + c.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || c.body != "" && string(body) != c.body {
			t.Errorf("%s: %d %q %v", c.path, response.StatusCode, body, err)
		}
		if c.cache != "" && response.Header.Get("Cache-Control") != c.cache {
			t.Errorf("%s: Cache-Control is %q", c.path, response.Header.Get("Cache-Control"))
		}
		checkHeaders(t, c.path, c.status, response.Header)
	}
}

func checkHeaders(t *testing.T, path string, status int, got http.Header) {
	t.Helper()
	for name, want := range server.SecurityHeaders() {
		if status == 200 && got.Get(name) != want {
			t.Errorf("%s: %s is %q, want %q", path, name, got.Get(name), want)
		}
	}
	if status != 200 && !strings.Contains(got.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%s: Content-Security-Policy is %q", path, got.Get("Content-Security-Policy"))
	}
}
