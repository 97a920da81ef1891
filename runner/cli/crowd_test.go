package cli

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/protocol"
)

// The size of TestCrowd. The long form is:
// go test ./runner/cli -run TestCrowd -crowd.learners 290 -crowd.greedy 10 -crowd.workers 2 -crowd.think 1m \
// -crowd.time 10m -timeout 20m -v
var (
	crowdLearners = flag.Int("crowd.learners", 6, "people who check puzzles and think in between")
	crowdGreedy   = flag.Int("crowd.greedy", 2, "people who send long jobs without a pause")
	crowdThink    = flag.Duration("crowd.think", 500*time.Millisecond, "mean time between two checks of a learner")
	crowdWorkers  = flag.Int("crowd.workers", 1, "how many workers, each with the CPU as its device")
	crowdTime     = flag.Duration("crowd.time", 3*time.Second, "for how long")
)

// TestCrowd: learners check the puzzles' solutions through two gateways, while others keep the devices busy. All
// answers are right. It logs how long the checks took, what share each of the greedy had of the devices, and the memory
// of the processes.
func TestCrowd(t *testing.T) {
	nats, url := startNATS(t)
	members := []*member{nats}
	file := filepath.Join(t.TempDir(), "people")
	var tokens []string
	var names []string
	err := people.Edit(file, func(list []people.Person) ([]people.Person, error) {
		for i := range *crowdLearners + *crowdGreedy {
			token, hash := people.NewToken()
			tokens, names = append(tokens, token), append(names, fmt.Sprintf("person-%d", i))
			list = append(list, people.Person{Name: names[i], Hash: hash, Weight: 1})
		}
		return list, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var gateways []string
	for i := range 2 {
		m, addr := startGateway(t, i, url, file)
		members, gateways = append(members, m), append(gateways, addr)
	}
	for i := range *crowdWorkers {
		members = append(members, startWorker(t, i, url, "cpu"))
	}
	c := crowd{t: t, gateways: gateways}
	for i := range gateways {
		one, err := c.connect(tokens[0], i)
		if err != nil {
			t.Fatal(err)
		}
		one.Close() // the fleet is there
	}
	ctx, cancel := context.WithTimeout(t.Context(), *crowdTime)
	defer cancel()
	var all sync.WaitGroup
	for i, token := range tokens {
		all.Go(func() {
			if i < *crowdLearners {
				c.learn(ctx, token, i)
			} else {
				c.keepBusy(ctx, token, i)
			}
		})
	}
	all.Wait()
	for _, m := range members {
		t.Logf("%s has %s of memory", m.name, m.memory())
	}
	c.report(names[*crowdLearners:])
}

// crowd is what people have met with.
type crowd struct {
	t        *testing.T
	gateways []string

	mu   sync.Mutex
	took []time.Duration // by checks
	busy int             // jobs of the greedy
}

// connect connects the i-th person to a gateway.
func (c *crowd) connect(token string, i int) (*client.Client, error) {
	return connect(c.t.Context(), c.gateways[i%len(c.gateways)], client.Options{Name: "crowd", Token: token})
}

// learn checks solutions of puzzles, with pauses whose lengths are distributed exponentially.
func (c *crowd) learn(ctx context.Context, token string, i int) {
	random := rand.New(rand.NewPCG(uint64(i), 1))
	pause := func() bool {
		select {
		case <-time.After(time.Duration(random.ExpFloat64() * float64(*crowdThink))):
			return true
		case <-ctx.Done():
			return false
		}
	}
	if !pause() {
		return
	}
	one, err := c.connect(token, i)
	if err != nil {
		c.t.Error(err)
		return
	}
	defer one.Close()
	d, err := one.Device("")
	if err != nil {
		c.t.Error(err)
		return
	}
	// The sanitizers run in a visitor's own page.
	none := func(*launch.Kernel, context.Context, []launch.Arg, device.Launch) diag.List { return nil }
	for {
		p := puzzles.All()[random.IntN(len(puzzles.All()))]
		answer := source.NewFile("answer.py", p.Text.Solutions[0].Source)
		begin := time.Now()
		v := judge.New(p).Check(c.t.Context(), answer, judge.Options{Device: d, Sanitizer: none})
		c.mu.Lock()
		c.took = append(c.took, time.Since(begin))
		c.mu.Unlock()
		if !v.Pass() {
			c.t.Errorf("person %d, puzzle %d: %v", i, p.Number, v.Diagnostics)
		}
		if !pause() {
			return
		}
	}
}

// sumKernel stores the sum of 1 to 1,000,000, modulo 2^32, which takes a worker some hundredths of a second.
const sumKernel = `func @sum(%x: *i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %end = const {value=i32(1000001)} : i32
  %sum = for %zero, %end, %one, %zero : i32 do (%i: i32, %s: i32) {
    %t = add %s, %i : i32
    yield %t
  }
  store %x, %sum
  return
}
`

// keepBusy has two long jobs at all times.
func (c *crowd) keepBusy(ctx context.Context, token string, i int) {
	fn, err := ir.Parse(sumKernel)
	if err != nil {
		c.t.Error(err)
		return
	}
	const million = 1_000_000
	wire, want := ir.Encode(fn), binary.LittleEndian.AppendUint32(nil, million*(million+1)/2%(1<<32))
	one, err := c.connect(token, i)
	if err != nil {
		c.t.Error(err)
		return
	}
	defer one.Close()
	zero := 0
	var jobs sync.WaitGroup
	for range 2 {
		jobs.Go(func() {
			for {
				got, err := one.Run(ctx, client.Job{
					Submit: protocol.Submit{
						Grid: []int{1, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
						Tensors: []protocol.Tensor{{Bytes: 4, Return: true}}, Budget: 1 << 40,
					},
					IR: wire, Tensors: [][]byte{make([]byte, 4)},
				})
				switch {
				case ctx.Err() != nil:
					return
				case err != nil:
					c.t.Errorf("person %d: %v", i, err)
					return
				case !slices.Equal(got.Results[0], want):
					c.t.Errorf("person %d: %v, not %v", i, got.Results[0], want)
				}
				c.mu.Lock()
				c.busy++
				c.mu.Unlock()
			}
		})
	}
	jobs.Wait()
}

// report logs the times of checks, and the device time of each of the people named.
func (c *crowd) report(names []string) {
	if len(c.took) == 0 {
		c.t.Fatal("nobody has checked a puzzle")
	}
	reportTimes(c.t, "checks", c.took)
	seconds := map[string]float64{}
	for _, gateway := range c.gateways {
		answer, err := http.Get("http://" + gateway + endpoint.MetricsPath)
		if err != nil {
			c.t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK {
			c.t.Fatal(answer.Status, err)
		}
		for _, m := range personSeconds.FindAllStringSubmatch(string(text), -1) {
			n, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				c.t.Fatal(err)
			}
			seconds[m[1]] += n
		}
	}
	var shares []float64
	for _, name := range names {
		shares = append(shares, seconds[name])
	}
	c.t.Logf("%d jobs of the greedy: %.1f s of device time; the most is %.2f of the least",
		c.busy, shares, slices.Max(shares)/slices.Min(shares))
}

// personSeconds is a line of the metrics with a person's device time.
var personSeconds = regexp.MustCompile(`(?m)^newt_person_device_seconds_total\{person="([^"]*)"\} (\S+)$`)

// memory is the resident memory of the process, and its maximum, as the kernel says; "?" where it does not.
func (m *member) memory() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.process.Pid))
	if err != nil {
		return "?"
	}
	var words []string
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found && (name == "VmRSS" || name == "VmHWM") {
			words = append(words, name+" "+strings.TrimSpace(value))
		}
	}
	return strings.Join(words, ", ")
}
