package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/gpu"
	"github.com/newtlab/newt/runner/sass"
)

// opener makes the device of a name that begins with its key in openers; rest is what follows a
// colon, such as the 0 of "cuda:0".
type opener func(ctx context.Context, e *Env, rest string, u use) (device.Device, error)

// use says what for a device is opened.
type use struct {
	jobs     bool         // that know nothing of each other; or one program's launches, whose tensors stay there
	keepCode bool         // machine code is looked at
	log      *slog.Logger // nil: none
}

// forSelf are the launches of one program.
var forSelf = use{}

// forJobs are the jobs of a runner's clients.
func forJobs(tools sass.Tools, log *slog.Logger) use {
	return use{jobs: true, keepCode: tools.NVDisasm != "", log: log}
}

// openers are the kinds of devices.
var openers = map[string]opener{
	"cpu":  func(context.Context, *Env, string, use) (device.Device, error) { return cpu.New(cpu.Options{}), nil },
	"cuda": openCUDA,
	"ws":   openRunner("ws"),
	"wss":  openRunner("wss"),
}

// tokenVariable names the variable that holds the token of another newt's runner: on a command
// line, everybody on the machine could read it.
const tokenVariable = "NEWT_TOKEN"

// openRunner opens the first device of the runner at an address of the scheme given, such as
// ws://lab:8080.
func openRunner(scheme string) opener {
	return func(ctx context.Context, e *Env, rest string, _ use) (device.Device, error) {
		return client.Open(ctx, scheme+":"+rest, client.Options{Token: e.Getenv(tokenVariable), Name: "newt"})
	}
}

// spareWorkers is how many processes of a runner wait for the next job, each with a context on the GPU.
const spareWorkers = 2

// idleWorkers are the processes of all devices that wait for the next job of a client.
var idleWorkers = gpu.NewIdle(gpu.DefaultIdleLimits)

// openCUDA opens the GPU of a number, the first where rest is empty.
func openCUDA(ctx context.Context, _ *Env, rest string, u use) (device.Device, error) {
	number, err := strconv.Atoi(cmp.Or(rest, "0"))
	if err != nil || number < 0 {
		return nil, fmt.Errorf("cuda:%s is not a GPU: the first one is cuda:0", rest)
	}
	o := gpu.Options{Device: number, KeepCode: u.keepCode, Log: u.log}
	if u.jobs {
		o.Spare, o.Idle = spareWorkers, idleWorkers
	}
	return gpu.Open(ctx, o)
}

// archOf is the architecture that a device's code is made for.
func archOf(ctx context.Context, e *Env, name string) (string, error) {
	name, d, err := openDevice(ctx, e, name, forSelf)
	if err != nil {
		return "", err
	}
	defer d.Close()
	target := d.Capabilities().Arch
	switch {
	case target == "":
		return "", fmt.Errorf("%s interprets kernels and has no machine code: name a GPU, or a --target", name)
	case arch.Find(target) == nil:
		return "", fmt.Errorf("%s has code of %s, and this newt makes code for %s", name, target,
			strings.Join(arch.Names(), ", "))
	}
	return target, nil
}

// autoDevices are the devices that "auto" tries, best first; the first that opens is taken.
var autoDevices = []string{"cuda:0", "cpu"}

// openDevice opens a device by its name, and says the name that it then has.
func openDevice(ctx context.Context, e *Env, name string, u use) (string, device.Device, error) {
	if name == "auto" {
		for _, one := range autoDevices {
			if name, d, err := openDevice(ctx, e, one, u); err == nil {
				return name, d, nil
			}
		}
	}
	kind, rest, _ := strings.Cut(name, ":")
	open := openers[kind]
	if open == nil {
		known := strings.Join(slices.Sorted(maps.Keys(openers)), ", ")
		return "", nil, fmt.Errorf("unknown device %q: choose auto or one of %s", name, known)
	}
	d, err := open(ctx, e, rest, u)
	return name, d, err
}
