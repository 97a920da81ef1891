package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/version"
)

// natsFlags are the flags of serve that make it a gateway of a fleet.
type natsFlags struct {
	reach                   reachFlags
	listen, cert, key, data *string
}

// reachFlags are the flags of each command that connects to a fleet.
type reachFlags struct{ url, credentials, ca *string }

func newReachFlags(set *flag.FlagSet, url, usage string) reachFlags {
	return reachFlags{
		set.String("nats", url, usage), set.String("nats-credentials", "", credentialsUsage),
		set.String("nats-ca", "", "file with the authority of the NATS servers' certificates (default: those of the system)"),
	}
}

const missingNATS = "--nats is missing: the address of the fleet's NATS servers, such as tls://lab:4222"

const natsUsage = "NATS servers of the fleet, such as tls://lab:4222"

// options say how to reach the fleet, and who this machine is.
func (f reachFlags) options(log *slog.Logger) fleet.Options {
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	return fleet.Options{
		URL: *f.url, Credentials: *f.credentials, CA: *f.ca, Name: name, Version: version.Read().Version, Log: log,
	}
}

// The values of --nats that are no URL.
const (
	noNATS       = "none"
	embeddedNATS = "embedded"
)

const credentialsUsage = "file with a line name:password for the NATS servers, or a .creds file of NATS's own;\n" +
	"of the embedded server the file of all users, which newt credentials writes"

func (f natsFlags) used() bool { return *f.reach.url != noNATS }

// join connects a gateway, with a server of its own where the flags ask for one, and a worker for each of the runner's
// devices. leave ends all of them.
func (f natsFlags) join(o *endpoint.Options) (gateway *fleet.Gateway, leave func(), err error) {
	if o.Limits.Buffers > 0 {
		o.Limits.Buffers = 0 // they would tie a session to one worker
	}
	var undo []func()
	all := func() {
		for _, one := range slices.Backward(undo) {
			one()
		}
	}
	defer func() {
		if err != nil {
			all()
		}
	}()
	reach := f.reach.options(o.Log)
	if reach.URL == "" || reach.URL == embeddedNATS {
		if reach.Server, err = f.startServer(o.Log); err != nil {
			return nil, nil, err
		}
		undo = append(undo, reach.Server.Stop)
	}
	if gateway, err = fleet.NewGateway(reach, o.Limits.Consistent()); err != nil {
		return nil, nil, err
	}
	undo = append(undo, gateway.Close)
	stop, err := startWorkers(context.Background(), fleet.WorkerOptions{
		Options: reach, Limits: o.Limits, Drain: jobGrace, Disassembler: o.Disassembler,
	}, o.Devices)
	if err != nil {
		return nil, nil, err
	}
	undo = append(undo, stop)
	return gateway, all, nil
}

// startServer starts the NATS server of this process, which keeps its streams in the data directory.
func (f natsFlags) startServer(log *slog.Logger) (*fleet.Server, error) {
	if *f.data == "" {
		return nil, errors.New("the embedded NATS server keeps its queues in the data directory: name one with --data")
	}
	return fleet.StartServer(fleet.ServerOptions{
		Addr: *f.listen, Store: filepath.Join(*f.data, "nats"), Credentials: *f.reach.credentials,
		Cert: *f.cert, Key: *f.key, Log: log,
	})
}

// startWorkers starts a worker for each device, as soon as the servers can be reached; stop lets them drain.
func startWorkers(until context.Context, o fleet.WorkerOptions, devices []sched.Device) (stop func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	stop = func() { cancel(); running.Wait() }
	for _, d := range devices {
		o.Device = d
		w, err := fleet.NewWorker(until, o)
		if err != nil {
			stop()
			return nil, err
		}
		running.Go(func() { w.Run(ctx) })
	}
	return stop, nil
}

var workerCommand = &command{
	name:  "worker",
	args:  "--nats URL,… [--nats-credentials FILE] [--nats-ca FILE] [--device auto|NAME,…] [--label NAME=VALUE,…] [--drain DURATION] [--limit NAME=NUMBER,…] [--ptxas PATH] [--nvdisasm PATH] [--log text|json|none]",
	short: "run the jobs of a fleet on the devices of this machine",
	help: "Connects to the NATS servers of a fleet and runs the jobs that its gateways (`newt serve --nats`)\n" +
		"have, one at a time on each device. It opens no port, and waits for servers that are not there yet. Clients find the devices by their\n" +
		"architecture, such as sm_90a or cpu, and by that with a label: sm_90a@lab=3.\n" +
		"After SIGTERM it takes no more jobs and ends when the one that runs has ended, or after --drain:\n" +
		"another worker then gets it.",
	run: work, drains: true,
}

// defaultDrain is how long a worker lets a job run on after SIGTERM: as long as a job may run unless it asks for more.
const defaultDrain = 30 * time.Second

func work(ctx context.Context, e *Env, c *command, args []string) int {
	set, _ := c.flags(e)
	reach := newReachFlags(set, "", natsUsage)
	device := set.String("device", "auto", "devices: auto, or a comma-separated list of names such as cuda:0,cuda:1")
	labels := set.String("label", "", "labels that clients can ask for, such as lab=3")
	drain := set.Duration("drain", defaultDrain, "how long a job may run on after SIGTERM")
	limit := set.String("limit", "", "limits that differ from the defaults, such as jobBytes=1000000")
	logForm := set.String("log", "text", "format of the log on standard error: text, json or none")
	toolkit := newToolFlags(set)
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	if *reach.url == "" {
		return c.misuse(e, missingNATS)
	}
	log, flush, err := logger(e, *logForm)
	if err != nil {
		return c.fail(e, err)
	}
	defer flush()
	limits, err := parseLimits(*limit)
	if err != nil {
		return c.fail(e, err)
	}
	tools, err := toolkit.find()
	if err != nil {
		return c.fail(e, err)
	}
	devices, err := openDevices(ctx, e, *device, forJobs(tools, log))
	if err != nil {
		return c.fail(e, err)
	}
	defer closeDevices(e, devices)
	stop, err := startWorkers(ctx, fleet.WorkerOptions{
		Options: reach.options(log), Labels: split(*labels), Limits: limits, Drain: *drain,
		Disassembler: tools,
	}, devices)
	if ctx.Err() != nil && stop == nil {
		return exitOK // it was told to stop before a server was there
	}
	if err != nil {
		return c.fail(e, err)
	}
	fmt.Fprintf(e.Stdout, "newt works for the fleet at %s (Ctrl+C drains it)\n", *reach.url)
	<-ctx.Done()
	log.Info("newt stops", "drain", drain.String())
	stop()
	log.Info("newt has stopped")
	return exitOK
}
