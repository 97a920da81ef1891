// Package cli is the command line: a table of commands, each a function from its arguments to an
// exit status.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	// The authorities of TLS where the system has none, as in an image that holds nothing else.
	_ "golang.org/x/crypto/x509roots/fallback"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/triton"
)

// Exit statuses.
const (
	exitOK    = 0
	exitFail  = 1 // the work was done and its answer is no: errors in the source, a puzzle not solved
	exitUsage = 2 // the command line, or a file it names, is wrong
)

// Env is what a command may use of the world.
type Env struct {
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Document takes what run and tune print as JSON, in place of Stderr, which has the script's own output too.
	Document io.Writer
}

// documents is where run and tune print JSON.
func (e *Env) documents() io.Writer {
	if e.Document != nil {
		return e.Document
	}
	return e.Stderr
}

// System is the Env of this process.
func System() *Env { return &Env{Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv} }

// colors reports whether a stream takes colors: a terminal does, unless NO_COLOR is set to anything
// (no-color.org). Each stream decides for itself, because each may be redirected alone.
func (e *Env) colors(w io.Writer) bool {
	return e.Getenv("NO_COLOR") == "" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // a character device, and no terminal
	return err != nil || !os.SameFile(info, null)
}

type command struct {
	name   string
	args   string // what follows the name in the usage line
	short  string
	help   string
	run    func(ctx context.Context, e *Env, c *command, args []string) int
	drains bool // after a signal it ends in its own time
}

var commands []*command

// The table is filled here because commands refer back to it through their usage text.
func init() {
	commands = []*command{
		serveCommand, workerCommand, statusCommand,
		checkCommand, fixCommand, lspCommand, mcpCommand, explainCommand, compileCommand,
		runCommand, testCommand, pytestCommand, judgeCommand, tuneCommand, recordCommand,
		replayCommand, puzzleCommand, tokenCommand, credentialsCommand, doctorCommand, versionCommand,
		completionCommand, executeCommand,
	}
}

// Main runs the command that args name and returns the exit status. No command means serve.
func Main(e *Env, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	limitHeap(machineBytes())
	if len(args) == 1 && strings.TrimLeft(args[0], "-") == "version" {
		args = []string{versionCommand.name}
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") && !isHelp(args[0]) {
		args = append([]string{"serve"}, args...)
	}
	if isHelp(args[0]) || args[0] == "help" {
		return help(e, args[1:])
	}
	if c := find(args[0]); c != nil {
		finished := make(chan struct{})
		defer close(finished) // before the signal's context is released
		if !c.drains {
			go c.endAtOnce(ctx, e, finished)
		}
		return c.run(ctx, e, c, args[1:])
	}
	fmt.Fprintf(e.Stderr, "newt: unknown command %q%s\n\n", args[0], didYouMean(args[0]))
	usage(e.Stderr)
	return exitUsage
}

// stopGrace is how long a command has after a signal to say how far it came and to free devices.
const stopGrace = 150 * time.Millisecond

// endAtOnce ends the process soon after a signal, whatever step the command is in: a product of large
// matrices or the compilation of a large kernel asks nobody whether to stop.
func (c *command) endAtOnce(ctx context.Context, e *Env, finished <-chan struct{}) {
	select {
	case <-finished:
		return
	case <-ctx.Done():
	}
	select {
	case <-finished:
	case <-time.After(stopGrace):
		fmt.Fprintf(e.Stderr, "newt %s: stopped\n", c.name)
		os.Exit(exitFail)
	}
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func help(e *Env, args []string) int {
	if len(args) > 0 {
		if c := find(args[0]); c != nil {
			return c.run(context.Background(), e, c, []string{"--help"})
		}
	}
	usage(e.Stdout)
	return exitOK
}

func usage(w io.Writer) {
	fmt.Fprint(w, "newt: write, run and see Triton kernels\n\nusage: newt COMMAND [ARGUMENTS]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, "\nFor more, see newt COMMAND --help. Messages are in English, or in Chinese with --lang zh.\n")
}

func find(name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

func didYouMean(name string) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return nearest(name, names)
}

// nearest suggests the name that was probably meant; empty if none is near.
func nearest(name string, names []string) string {
	if near, ok := diag.Nearest(name, names); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// flags makes the flag set of c with the flags that every command has.
func (c *command) flags(e *Env) (*flag.FlagSet, *string) {
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	lang := e.Getenv("LC_ALL")
	if lang == "" {
		lang = e.Getenv("LANG")
	}
	return set, set.String("lang", diag.ParseLang(lang).String(), "language of the messages: en or zh")
}

// tritonFlag adds the flag that says which version of Triton is meant.
func tritonFlag(set *flag.FlagSet, v *triton.Version) {
	set.Var(v, "triton", "the `VERSION` of Triton to follow, "+triton.Names()+" (default: that of a line "+
		"# triton: VERSION of the file, or else "+triton.Default.String()+")")
}

// parse reads flags and positional arguments in any order. done says that the command is finished
// with the status given: help was asked for, or the arguments were wrong.
func (c *command) parse(
	e *Env, set *flag.FlagSet, args []string, min, max int,
) (positional []string, status int, done bool) {
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				c.usage(e.Stdout, set)
				return nil, exitOK, true
			}
			return nil, c.misuse(e, err.Error()), true
		}
		rest := set.Args()
		if len(rest) == 0 {
			break
		}
		positional, args = append(positional, rest[0]), rest[1:]
	}
	if len(positional) < min || len(positional) > max {
		return nil, c.misuse(e, "wrong number of arguments"), true
	}
	return positional, exitOK, false
}

func (c *command) misuse(e *Env, problem string) int {
	fmt.Fprintf(e.Stderr, "newt %s: %s\nusage: newt %s %s\n", c.name, problem, c.name, c.args)
	return exitUsage
}

func (c *command) usage(w io.Writer, set *flag.FlagSet) {
	fmt.Fprintf(w, "usage: newt %s %s\n\n%s\n\n", c.name, c.args, c.help)
	set.SetOutput(w)
	set.PrintDefaults()
}

// fail reports what went wrong outside the source: a file, a port.
func (c *command) fail(e *Env, err error) int {
	fmt.Fprintf(e.Stderr, "newt %s: %v\n", c.name, err)
	return exitUsage
}
