package gpu

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/interp/device/gpu"
)

// workerVariable is the environment variable that may name a worker program: with it, tests run on this machine's GPU
// through it. Else they build one, and run it with a stand-in for the driver's library.
const workerVariable = "NEWT_GPU_WORKER"

// patience is how long a test waits for what must come.
const patience = time.Minute

// hangsVariable is the environment variable that names a file, which the stand-in makes when a kernel hangs.
const hangsVariable = "NEWT_FAKE_HANGS"

// whenItHangs calls do once a kernel hangs; on a GPU, where nothing tells, after a while.
func whenItHangs(t *testing.T, do func()) {
	file := os.Getenv(hangsVariable)
	os.Remove(file)
	go func() {
		wait := time.Millisecond
		if onGPU() {
			wait = 200 * time.Millisecond
		}
		for t.Context().Err() == nil {
			time.Sleep(wait)
			if _, err := os.Stat(file); err == nil || onGPU() {
				do()
				return
			}
		}
	}()
}

//go:embed testdata/drill.ptx
var drill string

func onGPU() bool { return os.Getenv(workerVariable) != "" }

// standIn builds the worker and the library once; why is not empty where that cannot be.
var standIn = sync.OnceValues(func() (folder, why string) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err.Error()
	}
	cuda := filepath.Join(root, ".build", "cuda")
	for _, need := range []string{"include/cuda.h", "lib/libcuda.so"} {
		if _, err := os.Stat(filepath.Join(cuda, need)); err != nil {
			return "", "the CUDA headers are not here; make need-cuda fetches them"
		}
	}
	for _, tool := range []string{"gcc", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", "there is no " + tool
		}
	}
	folder = filepath.Join(os.TempDir(), fmt.Sprintf("newt-gpu-test-%d", os.Getpid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err.Error()
	}
	library := exec.Command("gcc", "-shared", "-fPIC", "-o", filepath.Join(folder, "libcuda.so.1"), "testdata/fake.c")
	worker := exec.Command("go", "build", "-tags", "cuda", "-o", filepath.Join(folder, WorkerName), "./cuda")
	worker.Env = append(os.Environ(), "CGO_ENABLED=1", "CGO_LDFLAGS=-L"+filepath.Join(cuda, "lib"),
		"CGO_CFLAGS=-I"+filepath.Join(root, "runner/gpu/cuda/shim")+" -I"+filepath.Join(cuda, "include"))
	for _, c := range []*exec.Cmd{library, worker} {
		if out, err := c.CombinedOutput(); err != nil {
			return folder, fmt.Sprintf("%v: %v\n%s", c.Args, err, out)
		}
	}
	return folder, ""
})

func TestMain(m *testing.M) {
	code := m.Run()
	if !onGPU() {
		if folder, _ := standIn(); folder != "" {
			os.RemoveAll(folder)
		}
	}
	os.Exit(code)
}

// testOptions are for this machine's GPU or the stand-in; machine code is kept in a folder of the test's.
func testOptions(t testing.TB) Options {
	t.Helper()
	o := Options{Worker: os.Getenv(workerVariable), Spare: 2, Cache: t.TempDir()}
	if onGPU() {
		return o
	}
	folder, why := standIn()
	if folder == "" && os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	if folder == "" {
		t.Skip(why)
	}
	if why != "" {
		t.Fatal(why)
	}
	t.Setenv("LD_LIBRARY_PATH", folder)
	t.Setenv(hangsVariable, filepath.Join(t.TempDir(), "hangs"))
	o.Worker = filepath.Join(folder, WorkerName)
	return o
}

func testPool(t *testing.T, o Options) *pool {
	t.Helper()
	p, err := newPool(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// fixture is a driver under test.
type fixture struct {
	*testing.T
	*driver
}

func open(t *testing.T, p *pool) fixture {
	t.Helper()
	d, err := start(t, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return fixture{t, d}
}

// start takes a process out of the pool.
func start(t *testing.T, p *pool) (*driver, error) {
	taken, err := p.take(t.Context(), "")
	if err != nil {
		return nil, err
	}
	return p.driver(taken), nil
}

// floats puts numbers into new memory.
func (f fixture) floats(values ...float32) uint64 {
	f.Helper()
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	at, err := f.driver.Alloc(len(raw))
	if err == nil {
		err = f.driver.Write(at, raw)
	}
	if err != nil {
		f.Fatal(err)
	}
	return at
}

// start launches an entry of the drill with a pointer to a cleared word, for at most limit.
func (d *driver) start(entry string, limit time.Duration) error {
	m, err := d.Load(gpu.Source{PTX: drill, Entry: entry})
	if err != nil {
		return err
	}
	at, err := d.Alloc(4)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	_, err = d.Launch(ctx, &gpu.Launch{Module: m, Grid: [3]int{1, 1, 1}, Threads: 1, Params: []uint64{at}})
	return err
}

// add checks that an addition is right.
func (f fixture) add() {
	f.Helper()
	const n = 300
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), float32(3*i)
	}
	m, err := f.Load(gpu.Source{PTX: drill, Entry: "add"})
	if err != nil {
		f.Fatal(err)
	}
	z := f.floats(make([]float32, n)...)
	l := &gpu.Launch{
		Module: m, Grid: [3]int{3, 1, 1}, Threads: 128, Params: []uint64{f.floats(x...), f.floats(y...), z, n - 1},
		Read: []gpu.Area{{Address: z, Bytes: 4 * n}},
	}
	if _, err := f.Launch(f.Context(), l); err != nil {
		f.Fatal(err)
	}
	got := make([]byte, 4*n)
	if err := f.Read(z, got); err != nil || string(got) != string(l.Got[0]) {
		f.Fatalf("what is read differs from what the launch read, %v", err)
	}
	for i := range n {
		want := float32(4 * i)
		if i == n-1 {
			want = 0
		}
		if v := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); v != want {
			f.Fatalf("element %d is %v, want %v", i, v, want)
		}
	}
}

func wraps(t *testing.T, err error, want ...error) {
	t.Helper()
	for _, w := range want {
		if !errors.Is(err, w) {
			t.Errorf("the error is %v, want one that wraps %v", err, w)
		}
	}
}
