package doctor

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/version"
)

// The words that doctor asks a server with are the server's own.
func TestHealthWords(t *testing.T) {
	if healthPath != server.HealthPath || healthy != server.Healthy {
		t.Errorf("doctor asks for %q and %q, the server has %q and %q", healthPath, healthy, server.HealthPath, server.Healthy)
	}
}

func TestMachineListens(t *testing.T) {
	m := Machine()
	handler, err := server.Status(version.Info{}, nil, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	newt, other := httptest.NewServer(handler), httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	addr := newt.Listener.Addr().String()
	if err := m.Listen(addr); !errors.Is(err, ErrTaken) {
		t.Errorf("a taken address: %v", err)
	}
	for _, a := range []string{addr, strings.Replace(addr, "127.0.0.1", "", 1), strings.Replace(addr, "127.0.0.1", "0.0.0.0", 1)} {
		if f := Answer(t.Context(), m, a); f.State != OK {
			t.Errorf("newt at %s: %s", a, f.Says.En)
		}
	}
	if f := Answer(t.Context(), m, other.Listener.Addr().String()); f.State != Lack {
		t.Errorf("another server: %s", f.Says.En)
	}
	newt.Close()
	if err := m.Listen(addr); err != nil {
		t.Errorf("a free address: %v", err)
	}
	for _, a := range []string{addr, "nowhere"} {
		if f := Answer(t.Context(), m, a); f.State != Lack {
			t.Errorf("nothing at %s: %s", a, f.Says.En)
		}
	}
	// 192.0.2.0/24 is for documentation, and nobody's.
	if err := m.Listen("192.0.2.1:8080"); !errors.Is(err, ErrNoAddress) {
		t.Errorf("a foreign address: %v", err)
	}
}

func TestMachineFiles(t *testing.T) {
	m, dir := Machine(), t.TempDir()
	if err := m.Write(dir); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	absent := filepath.Join(dir, "absent")
	if err := m.Write(absent); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("writing below %s: %v", absent, err)
	}
	if free, err := m.Space(dir); err != nil || free == 0 {
		t.Errorf("space: %d, %v", free, err)
	}
	if got, err := nearestExisting(filepath.Join(absent, "deeper"), m.Write); err != nil || got != dir {
		t.Errorf("nearest folder: %s, %v", got, err)
	}
	if err := m.Use(absent); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("using %s: %v", absent, err)
	}
	if err := m.Use(os.DevNull); err != nil {
		t.Error(err)
	}
	if limit, err := m.OpenFiles(); runtime.GOOS != "windows" && (err != nil || limit == 0) {
		t.Errorf("open files: %d, %v", limit, err)
	}
}

// A device is looked at without opening it: a socket, which no one can open, is seen all the same.
func TestMachineLooksWithoutOpening(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its sockets are no files, and its paths have a drive")
	}
	name := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m, file := Machine(), strings.TrimPrefix(name, "/")
	if _, err := fs.Stat(m, file); err != nil {
		t.Error(err)
	}
	if found, err := fs.Glob(m, filepath.Dir(file)+"/sock*"); err != nil || len(found) != 1 {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestMachineExec(t *testing.T) {
	m := Machine()
	if out, err := m.Exec(t.Context(), "go", "env", "GOOS"); err != nil || strings.TrimSpace(out) != runtime.GOOS {
		t.Errorf("go env GOOS: %q, %v", out, err)
	}
	for _, name := range []string{"newt-has-no-such-program", "/newt/has/no/such/program"} {
		if _, err := m.Exec(t.Context(), name); !missing(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Exec(t.Context(), "go", "no-such-command"); err == nil || missing(err) || errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a program that fails: %v", err)
	}
}

// Examine runs on whatever machine the tests run on.
func TestExamineHere(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	report := Examine(t.Context(), Machine(), Options{Addr: other.Listener.Addr().String(), Data: t.TempDir(), Page: frontend.Built()})
	states := map[string]State{}
	for _, f := range report {
		states[f.Check] = f.State
		well(t, f.Says, true)
		well(t, f.Do, false)
	}
	if states["address"] != Lack || states["data"] != OK || report.Healthy() {
		t.Errorf("%v", states)
	}
}
