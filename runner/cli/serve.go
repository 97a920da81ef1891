package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/runner/clientaddr"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/server"
)

var serveCommand = &command{
	name:  "serve",
	args:  "[--addr HOST:PORT] [--device auto|NAME,…|none] [--token-file FILE] [--people FILE] [--oidc URL --oidc-audience NAME [--oidc-claim NAME]] [--origin URL,…] [--limit NAME=NUMBER,…] [--nats none|embedded|URL [--nats-credentials FILE] [--nats-ca FILE] [--nats-listen HOST:PORT] [--nats-cert FILE --nats-key FILE]] [--trusted-proxies NETWORK,…] [--data DIR] [--puzzles DIR] [--ptxas PATH] [--nvdisasm PATH] [--log text|json|none]",
	short: "serve the playground",
	help: "Serves the playground to browsers. Kernels run in the visitor's own page; nothing they\n" +
		"write is sent here unless they ask for a short link, or to run on a device of this machine: then\n" +
		"the compiled kernel and its tensors are sent. Without a token file, only browsers and programs on\n" +
		"this machine may use the devices. Where nvdisasm and ptxas of a CUDA toolkit are found, clients can see\n" +
		"the machine code of their kernels.\n" +
		"Those who may use the devices can also have newt's commands check, compile, run, test, judge, replay, lens, tune\n" +
		"and fix done here, over HTTP (/api/v1/openapi.json describes it) and by agents (/mcp, the Model Context\n" +
		"Protocol): each in a process with bounds of time, memory and output, with kernels on the CPU.\n" +
		"With --nats it is a gateway of a fleet: jobs run on the devices of `newt worker`s, which\n" +
		"connect to the same NATS servers. `embedded` starts such a server in this process.",
	run: serve, drains: true,
}

func serve(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	addr := set.String("addr", defaultAddr, "address to listen on")
	data := set.String("data", dataDir(e.Getenv), "directory for the short links of visitors")
	own := set.String("puzzles", "",
		"folder of puzzles of your own, perhaps a course, in the form described in\npuzzles/README.md")
	logForm := set.String("log", "text", "format of the request log on standard error: text, json or none")
	flags := runnerFlags{
		set.String("device", "", "devices that clients may run kernels on: auto, none, or a comma-separated list of\n"+
			"names such as cpu; auto unless --nats is given, none otherwise"),
		set.String("token-file", "", "file with the token that clients of the devices need"),
		set.String("people", "", "file of the people who may use the devices, which `newt token` writes"),
		set.String("origin", "", "comma-separated addresses of other sites whose pages may use the devices"),
		set.String("limit", "",
			"limits for clients of the devices that differ from the defaults, such as jobBytes=1000000"),
		oidcFlags{
			set.String("oidc", "",
				"address of an OpenID Connect provider whose ID tokens are accepted; with --people,\n"+
					"those of people with a line NAME oidc"),
			set.String("oidc-audience", "", "client that the ID tokens must be made for"),
			set.String("oidc-claim", "preferred_username", "claim that is a person's name; email must be verified"),
		},
		natsFlags{
			newReachFlags(set, noNATS, "NATS servers that connect this gateway with its workers: none, embedded, or\n"+
				"URLs such as tls://lab:4222"),
			set.String("nats-listen", "127.0.0.1:4222", "address that the embedded NATS server listens on"),
			set.String("nats-cert", "", "file with the certificate of the embedded NATS server, which then takes\n"+
				"connections with TLS alone"),
			set.String("nats-key", "", "file with the key of that certificate"), data,
		},
		newToolFlags(set), nil,
	}
	trusted := set.String("trusted-proxies", "", "networks of proxies that are believed who their client is, such as\n"+
		"10.0.0.0/8, besides this machine")
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	var err error
	if flags.proxies, err = clientaddr.ParseProxies(split(*trusted)); err != nil {
		return c.misuse(e, "--trusted-proxies: "+err.Error())
	}
	site, err := server.Site(frontend.FS)
	if err != nil {
		return c.fail(e, err)
	}
	page, home, err := withOwnPuzzles(ctx, *own, diag.ParseLang(*lang), site)
	if err != nil {
		return c.fail(e, err)
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return c.fail(e, fmt.Errorf("cannot listen on %s: is another program listening there? "+
			"Choose another address with --addr (%w)", *addr, err))
	}
	log, flush, err := logger(e, *logForm)
	if err != nil {
		listener.Close()
		return c.fail(e, err)
	}
	defer flush()
	defer func() {
		if ctx.Err() != nil {
			log.Info("newt has stopped")
		}
	}()
	runner, gateway, closeDevices, err := flags.open(ctx, e, log)
	defer closeDevices()
	if err != nil {
		listener.Close()
		return c.fail(e, err)
	}
	linked, closeShare := withShare(ctx, e, linkOptions{*data, gateway, flags.proxies}, page)
	defer closeShare()
	local := runner
	if gateway != nil {
		local = nil // it takes connections, and computes nothing
	}
	api, closeProcesses, err := operations(local, linked)
	if err != nil {
		listener.Close()
		return c.fail(e, err)
	}
	defer closeProcesses()
	bounded, err := observed(log, runner, withRunner(runner, api, linked))
	if err != nil {
		listener.Close()
		return c.fail(e, err)
	}
	fmt.Fprintf(e.Stdout, "newt is at http://%s/%s (Ctrl+C stops it)\n", listener.Addr(), home)
	defer context.AfterFunc(ctx, func() { log.Info("newt stops") })()
	return c.serveUntil(ctx, e, listener, bounded, runner)
}

// serveUntil serves until ctx ends. The runner may be nil.
func (c *command) serveUntil(
	ctx context.Context, e *Env, listener net.Listener, s *http.Server, runner *endpoint.Runner,
) int {
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(listener) }()
	select {
	case err := <-failed:
		return c.fail(e, err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), server.ShutdownTimeout)
	defer cancel()
	if runner != nil {
		var jobs sync.WaitGroup
		defer jobs.Wait()
		jobs.Go(func() { runner.Shutdown(jobGrace) })
	}
	if err := s.Shutdown(stopping); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return c.fail(e, err)
	}
	return exitOK
}
