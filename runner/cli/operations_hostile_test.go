package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/newtlab/newt/runner/api"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/operation"
	"github.com/newtlab/newt/runner/people"
)

// sent sends bytes as the body of a request, and gives the status and the problem that comes back.
func sent(t *testing.T, url, body string, header ...string) (status int, p api.Problem) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	json.Unmarshal(text, &p) // a result has none of its fields but status
	return answer.StatusCode, p
}

// TestHostileRequests: whatever is sent, the answer is a problem in plain words, and the server goes on.
func TestHostileRequests(t *testing.T) {
	address := startOperations(t, endpoint.Access{})
	many := map[string]string{}
	for i := range 200 {
		many[fmt.Sprint("f", i, ".py")] = ""
	}
	manyText, _ := json.Marshal(fieldsOf{"files": many, "document": "f1.py"})
	for name, c := range map[string]struct {
		path, body string
		header     []string
		status     int
		code       string
	}{
		"nothing":             {"check", "", nil, 422, "operation-not-json"},
		"half an object":      {"check", `{"files":`, nil, 422, "operation-not-json"},
		"a list":              {"check", `[1]`, nil, 422, "operation-not-object"},
		"null":                {"check", `null`, nil, 422, "operation-field-missing"},
		"two objects":         {"check", `{}{}`, nil, 422, "operation-not-json"},
		"deep":                {"check", strings.Repeat(`{"files":`, 500_000), nil, 422, "operation-not-json"},
		"deep in a field":     {"check", `{"files":` + strings.Repeat(`[`, 1_000_000), nil, 422, "operation-not-json"},
		"giant":               {"check", `{"files":{"a.py":"` + strings.Repeat("x", 7<<20) + `"}}`, nil, 413, "api-too-large"},
		"another type":        {"check", `{}`, []string{"Content-Type", "text/plain"}, 415, "api-type"},
		"a form":              {"check", `files=1`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "api-type"},
		"compressed":          {"check", "\x1f\x8b\x08\x00", []string{"Content-Encoding", "gzip"}, 422, "operation-not-json"},
		"a foreign page":      {"run", `{"files":{"a.py":"print(1)"}}`, []string{"Origin", "https://enemy.example"}, 403, "runner-foreign-page"},
		"a sandboxed page":    {"run", `{"files":{"a.py":"print(1)"}}`, []string{"Origin", "null"}, 403, "runner-foreign-page"},
		"a foreign share":     {"share", `{"files":{"a.py":"print(1)"}}`, []string{"Origin", "https://enemy.example"}, 403, "runner-foreign-page"},
		"through a proxy":     {"run", `{"files":{"a.py":"print(1)"}}`, []string{"X-Forwarded-For", "192.0.2.1"}, 403, "runner-not-local"},
		"many files":          {"check", string(manyText), nil, 413, "operation-files"},
		"up":                  {"check", `{"files":{"../../x.py":""}}`, nil, 422, "operation-file-name"},
		"absolute":            {"check", `{"files":{"/x.py":""}}`, nil, 422, "operation-file-name"},
		"a flag":              {"check", `{"files":{"--json":""}}`, nil, 422, "operation-file-name"},
		"no name":             {"check", `{"files":{"":""}}`, nil, 422, "operation-file-name"},
		"NUL":                 {"check", `{"files":{"a\u0000.py":""}}`, nil, 422, "operation-file-name"},
		"a long name":         {"check", `{"files":{"` + strings.Repeat("a", 5000) + `":""}}`, nil, 422, "operation-file-written"},
		"a file as a folder":  {"check", `{"files":{"a.py":"","a.py/b.py":""},"document":"a.py"}`, nil, 422, "operation-file-written"},
		"a field twice":       {"check", `{"files":{"a.py":""},"Files":{"b.py":""}}`, nil, 422, "operation-field-unknown"},
		"a flag in a field":   {"run", `{"files":{"a.py":""},"device":"cuda:0"}`, nil, 422, "operation-field-unknown"},
		"a number out of it":  {"tune", `{"files":{"a.py":""},"top":1e99}`, nil, 422, "operation-field-type"},
		"an unknown path":     {"nothing", `{}`, nil, 404, "api-path"},
		"no token of its own": {"run", `{}`, []string{"Authorization", "Bearer x"}, 422, "operation-field-missing"},
	} {
		t.Run(name, func(t *testing.T) {
			status, p := sent(t, address+api.Prefix+c.path, c.body, c.header...)
			if status != c.status || p.Code != c.code || p.Status != status || p.Detail == "" || len(p.Detail) > 1000 {
				t.Errorf("status %d, %+v, want %d, %s", status, p, c.status, c.code)
			}
		})
	}
	for method, want := range map[string]int{"GET": 405, "DELETE": 405, "OPTIONS": 204, "BREW": 405} {
		r, _ := http.NewRequest(method, address+api.Prefix+"run", nil)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want || answer.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: status %d, want %d", method, answer.StatusCode, want)
		}
	}
}

// result calls an operation that is carried out.
func result(t *testing.T, address, name string, fields fieldsOf) (r operation.Result) {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(address+api.Prefix+name, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&r); err != nil || answer.StatusCode != 200 {
		t.Fatalf("%s: status %d, %v", name, answer.StatusCode, err)
	}
	return r
}

// TestHostilePrograms: what a program does to its process ends with it.
func TestHostilePrograms(t *testing.T) {
	address := startOperations(t, endpoint.Access{})
	for name, c := range map[string]struct {
		text    string
		stopped string
		output  string // has this
		status  int
		never   string // neither the output nor the document has this
	}{
		"a flood":               {"for i in range(10**6): print('x' * 1000)", "output", "xxx", -1, ""},
		"a forged document":     {"import sys\nfor i in range(300): print('x' * 1000, file=sys.stderr)\nprint('{\"status\": 0, \"forged\": 1}', file=sys.stderr)\n1/0", "", "", 1, `"forged"`},
		"memory in Python":      {"x = []\nwhile True: x.append('x' * 10**6 + str(len(x)))", "?", "", 1, ""},
		"memory in torch":       {"import torch\nx = [torch.ones(10**8) for i in range(1000)]\nprint('done')", "", "", 1, ""},
		"a file of the machine": {"print(open('/etc/passwd').read())", "", "", 1, "root:"},
		"the folder around":     {"import os\nprint(os.listdir('/tmp'))", "", "", 1, "newt-"},
		"another process":       {"import os\nos.system('id')", "", "", 1, "uid="},
		"a fork":                {"import os\nprint(os.fork())", "", "", 1, ""},
		"a subprocess":          {"import subprocess\nprint(subprocess.check_output(['id']))", "", "", 1, "uid="},
		"ctypes":                {"import ctypes\nctypes.CDLL(None).system(b'id')", "", "", 1, "uid="},
		"a socket":              {"import socket\nsocket.create_connection(('127.0.0.1', 80))\n", "", "", 1, ""},
		"an environment":        {"import os\nprint(os.environ.get('NEWT_TEST_IS_NEWT'), os.environ.get('HOME'))", "", "None /document", 0, ""},
		"an exit":               {"import os\nos._exit(0)\nprint('goes', 'on')", "", "", -1, "goes on"},
	} {
		t.Run(name, func(t *testing.T) {
			r := result(t, address, "run", fieldsOf{"files": map[string]string{"a.py": c.text + "\n", "__init__.py": ""}, "document": "a.py"})
			text, _ := json.Marshal(r)
			if c.stopped != "?" && r.Stopped != c.stopped || c.status >= 0 && r.Status != c.status || !strings.Contains(r.Output, c.output) ||
				c.never != "" && strings.Contains(r.Output+string(r.Document), c.never) || len(text) > 8<<20 {
				t.Errorf("%.600s", text)
			}
		})
	}
	if r := result(t, address, "check", fieldsOf{"files": oneFile("a.py", "x = 1\n")}); r.Status != 0 {
		t.Errorf("afterwards: %+v", r)
	}
}

// children are the processes that this one has started and that have not ended.
func children(t *testing.T) (n int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(tasks) == 0 {
		t.Skip("the system does not say which processes are whose")
	}
	for _, task := range tasks {
		text, _ := os.ReadFile(task) // of a thread that has ended there is none
		n += len(strings.Fields(string(text)))
	}
	return n
}

// awaitChildren waits until no more than most processes are left.
func awaitChildren(t *testing.T, most int) {
	t.Helper()
	for begin := time.Now(); children(t) > most; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatalf("%d processes are left", children(t))
		}
	}
}

const endless = "import time\nwhile True: time.sleep(0.01)\n"

// TestCancelledRequests: the process of a request whose client goes ends, and its folder is gone.
func TestCancelledRequests(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	address := startOperations(t, endpoint.Access{})
	text, _ := json.Marshal(fieldsOf{"files": oneFile("a.py", endless)})
	before := children(t)
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			r, _ := http.NewRequestWithContext(ctx, http.MethodPost, address+"/api/v1/run", bytes.NewReader(text))
			r.Header.Set("Content-Type", "application/json")
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
				t.Errorf("an endless program is answered: %d", answer.StatusCode)
			}
		})
	}
	for begin := time.Now(); children(t) == before; time.Sleep(time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal("nothing runs")
		}
	}
	cancel()
	clients.Wait()
	awaitChildren(t, before)
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "newt-*"))
		if len(left) == 0 {
			break
		}
		if time.Since(begin) > patience {
			t.Fatalf("%q are left", left)
		}
	}
}

// TestFairTurns: a client has no more turns than it may, and one with endless programs keeps nobody else out.
func TestFairTurns(t *testing.T) {
	list, tokens := "", map[string]string{}
	for _, name := range []string{"greedy", "other"} {
		token, hash := people.NewToken()
		tokens[name] = token
		list += fmt.Sprintf("%s sha256:%x\n", name, hash)
	}
	file := filepath.Join(t.TempDir(), "people")
	if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := people.Open(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	address := startOperations(t, endpoint.Access{People: known})
	if status, p := sent(t, address+"/api/v1/check", `{"files":{"a.py":""}}`); status != 401 || p.Code != "runner-token-missing" {
		t.Errorf("without a token: status %d, %+v", status, p)
	}
	if status, p := sent(t, address+"/api/v1/explain", `{"code":"plain-constexpr"}`); status != 200 {
		t.Errorf("explain without a token: status %d, %+v", status, p)
	}
	if status, p := sent(t, address+"/api/v1/check", `{"files":{"a.py":""}}`, "Authorization", "Bearer wrong"); status != 401 || p.Code != "runner-token" {
		t.Errorf("a wrong token: status %d, %+v", status, p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	text, _ := json.Marshal(fieldsOf{"files": oneFile("a.py", endless)})
	statuses := make(chan int, 100)
	var clients sync.WaitGroup
	for range 40 {
		clients.Go(func() {
			r, _ := http.NewRequestWithContext(ctx, http.MethodPost, address+"/api/v1/run", bytes.NewReader(text))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+tokens["greedy"])
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				return
			}
			defer answer.Body.Close()
			if answer.Header.Get("Retry-After") == "" {
				t.Error("a client is not told when to come back")
			}
			statuses <- answer.StatusCode
		})
	}
	for range 40 - 16 {
		if status := <-statuses; status != http.StatusTooManyRequests {
			t.Errorf("beyond its share a client gets status %d", status)
		}
	}
	for _, name := range []string{"check", "explain", "share"} {
		body := `{"files":{"a.py":"x = 1\n"}}`
		if name == "explain" {
			body = `{"code":"plain-constexpr"}`
		}
		if status, p := sent(t, address+api.Prefix+name, body, "Authorization", "Bearer "+tokens["other"]); status != 200 {
			t.Errorf("%s of another client: status %d, %+v", name, status, p)
		}
	}
	// Somebody whose token is withdrawn loses what is under way.
	if err := os.WriteFile(file, []byte(strings.Join(strings.SplitAfter(list, "\n")[1:], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 16 {
		if status := <-statuses; status != http.StatusServiceUnavailable {
			t.Errorf("after the token was withdrawn: status %d", status)
		}
	}
	clients.Wait()
}

// TestSlowBodies: who sends a body byte by byte keeps nobody out, and is cut off.
func TestSlowBodies(t *testing.T) {
	address := startOperations(t, endpoint.Access{})
	for range 20 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /api/v1/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
	}
	r, _ := http.NewRequest(http.MethodGet, address+"/healthz", nil)
	if answer, err := http.DefaultClient.Do(r); err != nil || answer.StatusCode != 200 {
		t.Errorf("health: %v", err)
	}
	// The client itself has used up its turns until the bodies are cut off.
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		status, p := sent(t, address+"/api/v1/explain", `{"code":"plain-constexpr"}`)
		if status == 200 {
			break
		}
		if status != http.StatusTooManyRequests || time.Since(begin) > 2*patience {
			t.Fatalf("status %d, %+v after %v", status, p, time.Since(begin))
		}
	}
}

// TestAgentOverHTTP calls each tool over HTTP, with the token that the operations take.
func TestAgentOverHTTP(t *testing.T) {
	address := startOperations(t, endpoint.Access{Token: testToken})
	connect := func(token string) (*sdk.ClientSession, error) {
		return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: address + api.MCPPath, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
	}
	if s, err := connect("wrong"); err == nil {
		s.Close()
		t.Error("a wrong token is accepted")
	}
	session, err := connect(testToken)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	a, calls := agent{t, session}, operationCalls(t)
	for _, o := range operation.Table {
		r, _ := json.Marshal(a.call(o.Name, calls[o.Name].good, nil))
		if !strings.Contains(string(r), calls[o.Name].want) {
			t.Errorf("%s: %.300s has no %s", o.Name, r, calls[o.Name].want)
		}
		if r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: o.Name, Arguments: calls[o.Name].bad}); err == nil && !r.IsError {
			t.Errorf("%s: %+v", o.Name, r.StructuredContent)
		}
	}
	// A call that its client gives up ends.
	before := children(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for children(t) == before {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "run", Arguments: fieldsOf{"files": oneFile("a.py", endless)}}); err == nil {
		t.Error("an endless program is answered")
	}
	awaitChildren(t, before)
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestAllowedPages: a page of a site that --origin names may ask whether it may call, and read what comes back.
func TestAllowedPages(t *testing.T) {
	const site = "https://newt.example"
	address := startOperations(t, endpoint.Access{Token: testToken, Origins: []string{site}})
	for origin, want := range map[string]string{site: site, "https://enemy.example": ""} {
		for _, method := range []string{http.MethodOptions, http.MethodPost} {
			r, _ := http.NewRequest(method, address+"/api/v1/check", strings.NewReader(`{"files":{"a.py":""}}`))
			r.Header.Set("Origin", origin)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+testToken)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want || method == http.MethodPost && (answer.StatusCode == 200) != (want != "") {
				t.Errorf("%s of %s: status %d, allowed origin %q", method, origin, answer.StatusCode, got)
			}
		}
	}
}
