package cli

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/protocol"
)

// The size of TestChaos. The long form is: go test ./runner/cli -run TestChaos -chaos.jobs 2000 -timeout 1h -v
var (
	chaosJobs  = flag.Int("chaos.jobs", 100, "jobs that TestChaos sends")
	chaosKills = flag.Bool("chaos.kills", true, "end processes of the fleet at random")
	chaosLarge = flag.Bool("chaos.large", true, "send jobs with large tensors and long ones among the small ones")
	chaosPause = flag.Duration("chaos.pause", time.Second, "mean time between two ends")
	chaosAlone = flag.Bool("chaos.alone", false, "send the jobs to a single process, to compare")
	// With two GPUs: newt-cuda beside the test, and -chaos.devices cuda:0,cuda:1 -chaos.gateways 1
	chaosDevices  = flag.String("chaos.devices", "cpu,cpu,cpu,cpu", "a worker for each of these devices")
	chaosGateways = flag.Int("chaos.gateways", 3, "how many gateways")
	chaosSeed     = flag.Uint64("chaos.seed", 0, "seed of what happens; 0: a new one")
)

// chaosRole is set in the environment of a process of this test that is a part of a fleet, the others say more.
const (
	chaosRole   = "NEWT_TEST_ROLE"
	chaosURL    = "NEWT_TEST_URL"
	chaosAddr   = "NEWT_TEST_ADDR"
	chaosStore  = "NEWT_TEST_STORE"
	chaosPeople = "NEWT_TEST_PEOPLE"
)

// chaosRoles are the processes of a fleet, apart from `newt worker`.
var chaosRoles = map[string]func(){
	"nats": func() {
		if _, err := fleet.StartServer(fleet.ServerOptions{Addr: os.Getenv(chaosAddr), Store: os.Getenv(chaosStore)}); err != nil {
			os.Exit(1)
		}
		select {}
	},
	// A gateway as `newt serve` makes it, without the page.
	"gateway": func() {
		devices, empty, url, list := "", "", os.Getenv(chaosURL), os.Getenv(chaosPeople)
		if url == noNATS {
			devices = "cpu"
		}
		flags := runnerFlags{&devices, &empty, &list, &empty, &empty, oidcFlags{&empty, &empty, &empty},
			natsFlags{reachFlags{&url, &empty, &empty}, &empty, &empty, &empty, &empty}, toolFlags{&empty, &empty}, nil}
		r, _, _, err := flags.open(context.Background(), System(), slog.New(slog.DiscardHandler))
		if err == nil {
			err = http.ListenAndServe(os.Getenv(chaosAddr), withRunner(r, http.NotFoundHandler(), http.NotFoundHandler()))
		}
		fmt.Fprintln(os.Stderr, "a gateway ended:", err)
		os.Exit(1)
	},
}

// member is a process of a fleet that is started again when it has ended.
type member struct {
	t     *testing.T
	name  string
	args  []string
	env   []string
	stops chan struct{}
	over  sync.WaitGroup
	end   func() // for good
	log   *os.File

	mu      sync.Mutex
	process *os.Process
	ends    int
	cpu     time.Duration // of its processes that have ended
}

func startMember(t *testing.T, name string, args []string, env ...string) *member {
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	m := &member{t: t, name: name, args: args, env: append(os.Environ(), env...), stops: make(chan struct{}), log: log}
	m.over.Go(m.keepRunning)
	m.end = sync.OnceFunc(func() {
		close(m.stops)
		m.kill()
		m.over.Wait()
	})
	t.Cleanup(func() {
		m.end()
		log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s:\n%s", name, text[max(0, len(text)-20_000):])
		}
	})
	return m
}

// startNATS starts a NATS server, at the address url.
func startNATS(t *testing.T) (m *member, url string) {
	addr := freeAddr(t)
	return startMember(t, "nats", nil, chaosRole+"=nats", chaosAddr+"="+addr, chaosStore+"="+t.TempDir()), "nats://" + addr
}

// startGateway starts the i-th gateway, for the people of a file, or for everybody where it is empty.
func startGateway(t *testing.T, i int, url, people string) (m *member, addr string) {
	addr = freeAddr(t)
	return startMember(t, fmt.Sprint("gateway ", i), nil,
		chaosRole+"=gateway", chaosURL+"="+url, chaosAddr+"="+addr, chaosPeople+"="+people), addr
}

// startWorker starts the i-th worker.
func startWorker(t *testing.T, i int, url, device string) *member {
	args := []string{"worker", "--nats", url, "--device", device, "--log", "text"}
	return startMember(t, fmt.Sprintf("worker %d (%s)", i, device), args, asNewt+"=1")
}

func (m *member) keepRunning() {
	for {
		c := exec.Command(os.Args[0], m.args...)
		c.Env, c.Stdout, c.Stderr = m.env, m.log, m.log
		m.mu.Lock()
		err := c.Start()
		m.process = c.Process
		m.mu.Unlock()
		if err != nil {
			m.t.Error(err)
			return
		}
		c.Wait()
		m.mu.Lock()
		m.cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		m.mu.Unlock()
		select {
		case <-m.stops:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// kill ends the process as a lost machine ends.
func (m *member) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ends++
	if m.process != nil {
		m.process.Kill()
	}
}

// freeAddr is an address that nobody listens on.
func freeAddr(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// balance forwards each connection to one of the addresses that takes it, in turn.
func balance(t *testing.T, to []string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for turn := 0; ; turn++ {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer near.Close()
				for i := range to {
					far, err := net.Dial("tcp", to[(turn+i)%len(to)])
					if err == nil {
						go func() { io.Copy(far, near); far.Close() }()
						io.Copy(near, far)
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// chaosKernel adds one to the element of each program.
const chaosKernel = `func @increment(%x: *i32) {
  %pid = program_id {axis=0} : i32
  %p = addptr %x, %pid : *i32
  %v = load %p : i32
  %one = const {value=i32(1)} : i32
  %s = add %v, %one : i32
  store %p, %s
  return
}
`

// TestChaos: gateways and workers, of which one after the other is killed, and the NATS server too. Each job is answered
// once, and right.
func TestChaos(t *testing.T) {
	seed := *chaosSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-chaos.seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	if *chaosAlone {
		_, addr := startGateway(t, 0, noNATS, "")
		reportTimes(t, "jobs", sendJobs(t, connector(t, addr), *chaosJobs))
		return
	}
	nats, url := startNATS(t)
	var gateways, workers []*member
	var addrs []string
	for i := range *chaosGateways {
		m, addr := startGateway(t, i, url, "")
		gateways, addrs = append(gateways, m), append(addrs, addr)
	}
	for i, device := range strings.Split(*chaosDevices, ",") {
		workers = append(workers, startWorker(t, i, url, device))
	}
	connect := connector(t, balance(t, addrs))
	connect().Close() // the fleet is there
	calm := make(chan struct{})
	var killing sync.WaitGroup
	if *chaosKills {
		killing.Go(func() { killSome(random, calm, nats, gateways, workers) })
	}
	took := sendJobs(t, connect, *chaosJobs)
	close(calm)
	killing.Wait()
	for _, m := range slices.Concat([]*member{nats}, gateways, workers) {
		ends := m.ends
		m.end()
		t.Logf("%s was ended %d times and took %v of CPU time", m.name, ends, m.cpu.Round(time.Millisecond))
		if slices.Contains(workers, m) {
			text, err := os.ReadFile(m.log.Name())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("it answered %d jobs", strings.Count(string(text), "msg=job "))
		}
	}
	reportTimes(t, "jobs", took)
}

// reportTimes logs how long jobs, or what else they are, took.
func reportTimes(t *testing.T, what string, took []time.Duration) {
	slices.Sort(took)
	at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100] }
	t.Logf("%d %s: p50 %v, p95 %v, p99 %v, longest %v", len(took), what, at(50), at(95), at(99), at(100))
}

// connector returns what connects a client, as soon as somebody listens.
func connector(t *testing.T, addr string) func() *client.Client {
	return func() *client.Client {
		c, err := connect(t.Context(), addr, client.Options{Name: "chaos", Patience: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// connect connects a client as soon as somebody listens, within a minute.
func connect(ctx context.Context, addr string, o client.Options) (*client.Client, error) {
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		c, err := client.Connect(ctx, addr, o)
		if err == nil || time.Now().After(end) {
			return c, err
		}
	}
}

// killSome kills members until calm is closed: mostly workers, seldom the NATS server.
func killSome(random *rand.Rand, calm chan struct{}, nats *member, gateways, workers []*member) {
	for {
		pause := time.Duration(random.ExpFloat64() * float64(*chaosPause))
		select {
		case <-calm:
			return
		case <-time.After(pause):
		}
		switch dice := random.IntN(20); {
		case dice < 11:
			workers[random.IntN(len(workers))].kill()
		case dice < 18:
			gateways[random.IntN(len(gateways))].kill()
		default:
			nats.kill()
		}
	}
}

// chaosClients is how many clients send jobs, two at a time each.
const chaosClients = 5

// sendJobs sends jobs and checks their answers. It returns how long each took.
func sendJobs(t *testing.T, connect func() *client.Client, jobs int) (took []time.Duration) {
	fn, err := ir.Parse(chaosKernel)
	if err != nil {
		t.Fatal(err)
	}
	wire := ir.Encode(fn)
	var next atomic.Int64
	var lock sync.Mutex
	var sending sync.WaitGroup
	for range chaosClients {
		c := connect()
		t.Cleanup(func() { c.Close() })
		for range 2 {
			sending.Go(func() {
				for {
					number := int(next.Add(1))
					if number > jobs || t.Failed() {
						return
					}
					begin := time.Now()
					sendOne(t, c, wire, number)
					lock.Lock()
					took = append(took, time.Since(begin))
					lock.Unlock()
				}
			})
		}
	}
	sending.Wait()
	return took
}

// sendOne sends the job of a number: most are small, some have many programs, some large tensors.
func sendOne(t *testing.T, c *client.Client, wire []byte, number int) {
	elements, programs, zero := 4, 4, 0
	switch {
	case !*chaosLarge:
	case number%7 == 0:
		elements, programs = 300_000, 300_000 // takes a while
	case number%5 == 0:
		elements = 500_000 // 2 MB
	}
	data, want := make([]byte, 4*elements), make([]byte, 4*elements)
	for i := range elements {
		value := uint32(number*1000 + i)
		binary.LittleEndian.PutUint32(data[4*i:], value)
		if i < programs {
			value++
		}
		binary.LittleEndian.PutUint32(want[4*i:], value)
	}
	ends := 0
	got, err := c.Run(t.Context(), client.Job{
		Submit: protocol.Submit{
			Grid: []int{programs, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
			Tensors: []protocol.Tensor{{Bytes: len(data), Return: true}},
		},
		IR: wire, Tensors: [][]byte{data},
		Event: func(m *protocol.ServerMessage) {
			if m.Done != nil && (m.Done.Reason == nil || m.Done.Reason.Code != "runner-upload-lost") {
				ends++ // of an upload that was lost, the client sends the job again by itself
			}
		},
	})
	switch {
	case err != nil:
		t.Errorf("job %d: %v", number, err)
	case ends != 1:
		t.Errorf("job %d was answered %d times", number, ends)
	case !slices.Equal(got.Results[0], want):
		t.Errorf("job %d has a wrong result", number)
	}
}
