package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/newtlab/newt/runner/api"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/operation"
	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/sqlite"
)

type fieldsOf = map[string]any

func oneFile(name, text string) map[string]string { return map[string]string{name: text} }

const imports = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"

// operationCall is a call that an operation carries out, and one that it refuses.
type operationCall struct {
	good fieldsOf
	want string // in the result
	bad  fieldsOf
	code string // of the problem
}

// operationCalls has a row for each operation.
func operationCalls(t *testing.T) map[string]operationCall {
	launch, err := os.ReadFile(recording(t, addOne, strings.Repeat("\x00\x00\x80\x3f", 4)))
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := os.ReadFile("testdata/autotuned.py")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]operationCall{
		"check": {fieldsOf{"files": oneFile("a.py", imports+"def k(x):\n    tl.lod(x)\n"), "all_versions": true}, `"verdict":"refuses"`,
			fieldsOf{"files": oneFile("a.py", ""), "all_version": true}, "operation-field-unknown"},
		"explain": {fieldsOf{"code": "plain-constexpr", "lang": "zh"}, `运行时`, fieldsOf{"code": "--help"}, "operation-code"},
		"run": {fieldsOf{"document": "a.py", "files": map[string]string{"a.py": "import b\nprint(b.x)\n", "b.py": "x = 7\n"}},
			`"output":"7\n"`, fieldsOf{"files": oneFile("../a.py", "x")}, "operation-file-name"},
		"test": {fieldsOf{"files": oneFile("test_a.py", "def test_a():\n    assert 1 == 2\n")}, `1 failed`,
			fieldsOf{"files": fieldsOf{"a.py": 1}}, "operation-field-type"},
		"compile": {fieldsOf{"signature": "*fp32:16, 128", "emit": "ptx", "target": "sm_90a", "num_warps": 8, "files": oneFile("a.py",
			imports+"def k(x, N: tl.constexpr):\n    tl.store(x + tl.arange(0, N), 1.0)\n")}, `.reqntid 256`,
			fieldsOf{"files": oneFile("a.py", "x"), "signature": "i32", "emit": "sass"}, "operation-field-value"},
		"judge": {fieldsOf{"document": "kernel.py", "against": "ref.py", "sizes": "N=100", "files": map[string]string{
			"ref.py": "import torch\n\ndef inputs(N):\n    return (torch.randn(N),)\n\ndef double(x):\n    return 2 * x\n",
			"kernel.py": "import torch\n" + imports + `def k(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n)

def double(x):
    o = torch.empty_like(x)
    k[(triton.cdiv(x.numel(), 64),)](x, o, x.numel(), B=64)
    return o
`}}, `"verdict":"wrong"`, fieldsOf{"files": oneFile("a.py", "")}, "operation-field-missing"},
		"fix": {fieldsOf{"files": oneFile("a.py", imports+`def k(x, n):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (64,), (0,))
    tl.store(p, tl.load(p, boundary_check=(0,)), boundary_check=(0,))
`)}, `mask=`, fieldsOf{"files": map[string]string{"a.py": "", "b.py": ""}}, "operation-document"},
		"replay": {fieldsOf{"recording": launch}, `"outcome":"identical"`, fieldsOf{"recording": "%"}, "operation-not-json"},
		"lens": {fieldsOf{"files": oneFile("a.py", imports+addOneLaunch), "gpu": "H100"}, `"simulated":2`,
			fieldsOf{"files": oneFile("a.py", strings.Repeat("x", 5<<20))}, "operation-files"},
		"tune":  {fieldsOf{"files": oneFile("a.py", string(tuned)), "top": 2}, `"rankCorrelation"`, fieldsOf{"files": nil}, "operation-document"},
		"share": {fieldsOf{"files": oneFile("a.py", "x = 1\n")}, `"url":"http://127.0.0.1`, fieldsOf{"files": oneFile("a.py", ""), "days": -1}, "share-days"},
	}
}

const addOneLaunch = `def k(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)

import torch
k[(2,)](torch.zeros(100, device="cuda"), 100, B=64)
`

// startOperations serves the operations, and gives the address.
func startOperations(t *testing.T, access endpoint.Access) string {
	t.Helper()
	t.Setenv(asNewt, "1")
	e := &Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}
	log := slog.New(slog.DiscardHandler)
	devices, err := openDevices(t.Context(), e, "cpu", forSelf)
	if err != nil {
		t.Fatal(err)
	}
	runner := endpoint.New(endpoint.Options{Devices: devices, Access: access, Log: log})
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "links"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	links := share.New(share.Options{Store: store})
	operations, closeProcesses, err := operations(runner, links)
	if err != nil {
		t.Fatal(err)
	}
	server, err := observed(log, runner, withRunner(runner, operations, links))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	t.Cleanup(func() {
		server.Close()
		runner.Shutdown(0)
		closeProcesses()
		closeDevices(e, devices)
		store.Close()
	})
	return "http://" + l.Addr().String()
}

// caller calls operations as their description says, and holds what comes back to it.
type caller struct {
	*testing.T
	address string
	router  routers.Router
	token   string
}

func newCaller(t *testing.T, address string) caller {
	t.Helper()
	answer, err := http.Get(address + api.Prefix + "openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	described, err := openapi3.NewLoader().LoadFromData(text)
	if err == nil {
		err = described.Validate(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(described)
	if err != nil {
		t.Fatal(err)
	}
	return caller{t, address, router, ""}
}

// send sends a request, and gives the status and the body of what comes back. Valid says whether the request is to be
// one that the description allows.
func (c caller) send(r *http.Request, valid bool) (status int, body string) {
	c.Helper()
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		c.Fatalf("%s is not described: %v", r.URL.Path, err)
	}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
	if err := openapi3filter.ValidateRequest(c.Context(), input); valid && err != nil {
		c.Errorf("%s: the description does not allow the call: %v", r.URL.Path, err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.Fatal(err)
	}
	err = openapi3filter.ValidateResponse(c.Context(), &openapi3filter.ResponseValidationInput{RequestValidationInput: input,
		Status: answer.StatusCode, Header: answer.Header, Body: io.NopCloser(bytes.NewReader(text)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true}})
	if err != nil {
		c.Errorf("%s: status %d, %.300s: the description does not allow it: %v", r.URL.Path, answer.StatusCode, text, err)
	}
	return answer.StatusCode, string(text)
}

// post calls an operation.
func (c caller) post(name string, fields fieldsOf, valid bool) (status int, body string) {
	c.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		c.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, c.address+api.Prefix+name, bytes.NewReader(text))
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return c.send(r, valid)
}

// TestOperations calls each operation over HTTP, rightly and wrongly, and holds requests and responses to the
// description that the server gives of itself.
func TestOperations(t *testing.T) {
	c, calls := newCaller(t, startOperations(t, endpoint.Access{})), operationCalls(t)
	for _, o := range operation.Table {
		call, ok := calls[o.Name]
		if !ok {
			t.Errorf("%s is not called", o.Name)
			continue
		}
		if status, body := c.post(o.Name, call.good, true); status != 200 || !strings.Contains(body, call.want) {
			t.Errorf("%s: status %d, %.600s has no %s", o.Name, status, body, call.want)
		}
		status, body := c.post(o.Name, call.bad, false)
		var p api.Problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || status < 400 || status >= 500 || p.Code != call.code || p.Status != status {
			t.Errorf("%s: status %d, %.600s, want the problem %s", o.Name, status, body, call.code)
		}
		for _, word := range []string{"json:", "Go ", "unmarshal", "panic", "/tmp", "strconv"} {
			if strings.Contains(p.Detail, word) {
				t.Errorf("%s: the problem says %q", o.Name, p.Detail)
			}
		}
	}
	r, err := http.NewRequest(http.MethodGet, c.address+"/api/v1/explain?code=plain-constexpr", nil)
	if err != nil {
		t.Fatal(err)
	}
	if status, body := c.send(r, true); status != 200 || !strings.Contains(body, "Triton") {
		t.Errorf("explain: status %d, %s", status, body)
	}
}
