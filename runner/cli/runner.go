package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/runner/api"
	"github.com/newtlab/newt/runner/clientaddr"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/mcp"
	"github.com/newtlab/newt/runner/operation"
	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sass"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/version"
)

// runnerFlags are the flags of serve that concern the runner.
type runnerFlags struct {
	devices, tokenFile, people, origins, limits *string
	oidc                                        oidcFlags
	nats                                        natsFlags
	tools                                       toolFlags
	proxies                                     clientaddr.Proxies
}

// toolFlags are the flags that name tools of the CUDA toolkit.
type toolFlags struct{ ptxas, nvdisasm *string }

func newToolFlags(set *flag.FlagSet) toolFlags {
	return toolFlags{
		set.String("ptxas", "", "ptxas of a CUDA toolkit (default: the one on the PATH)"),
		set.String("nvdisasm", "", "nvdisasm of a CUDA toolkit (default: the one on the PATH)"),
	}
}

func (f toolFlags) find() (sass.Tools, error) { return sass.Find(*f.ptxas, *f.nvdisasm) }

// oidcFlags are the flags that concern an OpenID Connect provider.
type oidcFlags struct{ issuer, audience, claim *string }

// noDevice is the value of --device that serves no runner.
const noDevice = "none"

// open makes the runner that the flags ask for, and the gateway of a fleet; both are nil where they ask for none. close
// frees the devices, and is never nil.
func (f runnerFlags) open(
	ctx context.Context, e *Env, log *slog.Logger,
) (r *endpoint.Runner, gateway *fleet.Gateway, close func(), err error) {
	names := cmp.Or(*f.devices, "auto")
	if *f.devices == "" && f.nats.used() {
		names = noDevice
	}
	var devices []sched.Device
	close = func() { closeDevices(e, devices) }
	if names == noDevice && !f.nats.used() {
		return nil, nil, close, nil
	}
	access, err := f.access(ctx, log)
	if err != nil {
		return nil, nil, close, err
	}
	limits, err := parseLimits(*f.limits)
	if err != nil {
		return nil, nil, close, err
	}
	tools, err := f.tools.find()
	if err != nil {
		return nil, nil, close, err
	}
	if devices, err = openDevices(ctx, e, names, forJobs(tools, log)); err != nil {
		return nil, nil, close, err
	}
	o := endpoint.Options{
		Devices: devices, Limits: limits, Access: access, Proxies: f.proxies, Build: version.Read(), Log: log,
		Disassembler: tools,
	}
	if !f.nats.used() {
		return endpoint.New(o), nil, close, nil
	}
	gateway, leave, err := f.nats.join(&o)
	if err != nil {
		return nil, nil, close, err
	}
	o.Devices, o.Fleet = nil, gateway // the devices of this machine are a worker's
	r = endpoint.New(o)
	gateway.AwaitWorkers()
	return r, gateway, func() { leave(); closeDevices(e, devices) }, nil
}

// access is who may use the devices.
func (f runnerFlags) access(ctx context.Context, log *slog.Logger) (a endpoint.Access, err error) {
	a.Origins = split(*f.origins)
	if *f.tokenFile != "" {
		if a.Token, err = endpoint.ReadToken(*f.tokenFile); err != nil {
			return a, err
		}
	}
	if *f.people != "" {
		if a.People, err = people.Open(*f.people, log); err != nil {
			return a, err
		}
	}
	if *f.oidc.issuer != "" {
		o := people.ProviderOptions{Issuer: *f.oidc.issuer, Audience: *f.oidc.audience, Claim: *f.oidc.claim}
		if a.Provider, err = people.Discover(ctx, o, a.People); err != nil {
			return a, err
		}
	}
	if a.Token == "" && a.People == nil && a.Provider == nil && len(a.Origins) > 0 {
		return a, fmt.Errorf("--origin lets pages of other sites use the devices, which needs a token: " +
			"add --token-file, --people or --oidc")
	}
	return a, nil
}

// openDevices opens the devices of a list of names, all or none.
func openDevices(ctx context.Context, e *Env, names string, u use) (devices []sched.Device, err error) {
	for _, name := range split(names) {
		if name == noDevice {
			continue
		}
		id, d, err := openDevice(ctx, e, name, u)
		if err != nil {
			closeDevices(e, devices)
			return nil, err
		}
		devices = append(devices, sched.Device{ID: id, Device: d})
	}
	return devices, nil
}

func closeDevices(e *Env, devices []sched.Device) {
	for _, d := range devices {
		if err := d.Close(); err != nil {
			fmt.Fprintf(e.Stderr, "newt: device %s: %v\n", d.ID, err)
		}
	}
}

// parseLimits changes the default limits by a list such as "jobBytes=1000000,clientJobs=2", with
// the names of protocol.Limits.
func parseLimits(text string) (protocol.Limits, error) {
	limits := protocol.DefaultLimits()
	for _, one := range split(text) {
		name, digits, _ := strings.Cut(one, "=")
		value, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || value < 1 {
			return limits, fmt.Errorf("--limit needs names and numbers such as jobBytes=1000000, not %q", one)
		}
		changed, err := json.Marshal(map[string]int64{name: value})
		if err != nil {
			return limits, err
		}
		into := json.NewDecoder(bytes.NewReader(changed))
		into.DisallowUnknownFields()
		if into.Decode(&limits) != nil {
			return limits, fmt.Errorf("unknown limit %q: runner/protocol/README.md lists them", name)
		}
	}
	return limits, nil
}

// split reads a list with commas; what is empty is left out.
func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// operations are newt's operations for those who may use a runner, none without one. They run as processes, which see
// nothing of the environment that a script could.
func operations(r *endpoint.Runner, links http.Handler) (h http.Handler, close func(), err error) {
	if r == nil {
		return http.NotFoundHandler(), func() {}, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	environ := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "GOMEMLIMIT" || slices.Contains(visible, name)
	})
	processes := operation.NewProcesses(program, append(environ, "LC_ALL=en"), machineBytes())
	return api.New(api.Options{Runner: r, Processes: processes, Share: links,
		Tools: mcp.New(mcp.Options{Version: version.Read().String(), Processes: processes, Links: true}),
	}), processes.Close, nil
}

// withRunner serves a runner and the operations beside next.
func withRunner(r *endpoint.Runner, operations, next http.Handler) http.Handler {
	if r == nil {
		return next
	}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.Handle(protocol.Path, r)
	mux.Handle(endpoint.MetricsPath, r.Metrics())
	mux.Handle(endpoint.AdminPath, r.Admin())
	mux.Handle(api.Prefix, operations)
	mux.Handle(api.MCPPath, operations)
	return mux
}

// jobGrace is what jobs that run have for coming to their end when the server stops.
const jobGrace = server.ShutdownTimeout
