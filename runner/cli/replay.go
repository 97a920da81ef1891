package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/recorded"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/runner/findings"
	"github.com/newtlab/newt/runner/operation"
)

var replayCommand = &command{
	name:  "replay",
	args:  "[--device auto|cpu|cuda:N|ws://HOST:PORT] [--format text|json|sarif|github] [--sanitize] FILE.launch…",
	short: "make recorded launches again, and compare what they compute with the recording",
	help: "Makes each launch in the files again, on the same arguments, and compares every storage with the recorded one:\n\n" +
		"    identical  every bit is the same\n" +
		"    close      floats differ by no more than rounding explains\n" +
		"    differs    they do not; the first element that is too far off is named\n" +
		"    fault      the launch fails: an access out of bounds, a time limit\n" +
		"    refused    newt does not compile the kernel, or does not take the call\n\n" +
		"The exit status is 0 where all launches are identical or close. Files are recorded by newt_record.py, which\n" +
		"newt record prints.",
	run: replay,
}

// replayFlags are what replay was asked for.
type replayFlags struct {
	sanitize bool
	format   findings.Format
	triton   triton.Version
	lang     *string
	device   device.Device
	list     []diag.JSON // what is written for tools
}

func replay(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	f := replayFlags{lang: lang}
	name := set.String("device", "auto", "device for the launches: auto, cpu, cuda:N or ws://HOST:PORT")
	formatFlag(set, &f.format, "write one JSON object for each launch, on a line of its own")
	set.BoolVar(&f.sanitize, "sanitize", false, "also launch on the CPU under sanitizers, and report what they find")
	tritonFlag(set, &f.triton)
	files, status, done := c.parse(e, set, args, 1, math.MaxInt)
	if done {
		return status
	}
	_, d, err := openDevice(ctx, e, *name, forSelf)
	if err != nil {
		return c.fail(e, err)
	}
	defer d.Close()
	f.device = d
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return c.fail(e, err)
		}
		read, wrong := recorded.Read(file, data, recorded.MaxBytes)
		if wrong != nil {
			f.write(e, source.NewFile(file, ""), diag.List{wrong})
			status = exitFail
			continue
		}
		for i := range read.Launches {
			if r := f.replay(ctx, e, read, i); r != recorded.Identical && r != recorded.Close {
				status = exitFail
			}
			if ctx.Err() != nil {
				return exitFail
			}
		}
	}
	if f.format.IsForTools() {
		if err := f.format.Write(e.Stdout, f.list, "", e.repository()); err != nil {
			return c.fail(e, err)
		}
	}
	return status
}

// write writes diagnostics for people, or keeps them for tools.
func (f *replayFlags) write(e *Env, files source.Files, list diag.List) {
	if f.format.IsForTools() {
		f.list = append(f.list, diag.ToJSON(files, list, diag.ParseLang(*f.lang))...)
		return
	}
	writeDiagnostics(e, e.Stderr, files, list, *f.lang)
}

// replay makes one launch again and says what it came to.
func (f *replayFlags) replay(ctx context.Context, e *Env, file *recorded.File, i int) recorded.Outcome {
	launcher := &script.Launcher{Device: f.device, Assemble: assemble, Sanitizer: overflowsOn(f.device).sanitize}
	if f.sanitize {
		launcher.Sanitizer = (*launch.Kernel).Sanitize
	}
	r := file.Replay(ctx, i, script.Options{Launcher: launcher,
		Host: host.Options{Codecs: codec.Go{}, Triton: f.triton, Tensors: tensor.New(tensorLimits())}})
	l := &file.Launches[i]
	if f.format == findings.JSON {
		out := operation.Replayed{File: file.Name, Launch: i, Kernel: l.Kernel, Source: l.At, Outcome: r.Outcome,
			MS: float64(r.Took) / float64(time.Millisecond), Notes: l.Notes,
			Diagnostics: diag.ToJSON(r.Sources, r.Diagnostics, diag.ParseLang(*f.lang))}
		if w := r.Worst; w.Count > 0 {
			out.Element, out.Got, out.Want = r.At, w.Got.String(), w.Want.String()
			out.Differ, out.Beyond, out.Magnified, out.Elements = w.Count, w.Beyond, w.Magnified, w.Elements
			if !math.IsInf(w.ULPs, 0) {
				out.ULPs = &w.ULPs
			}
		}
		json.NewEncoder(e.Stdout).Encode(out)
		return r.Outcome
	}
	said := line(filepath.Base(file.Name), l, r)
	if !f.format.IsForTools() {
		fmt.Fprintln(e.Stdout, said)
	} else if r.Outcome == recorded.Differs {
		f.list = append(f.list, diag.JSON{Code: "replay-differs", Severity: diag.Error.String(), Headline: said,
			File: file.Name})
	}
	f.write(e, r.Sources, r.Diagnostics)
	return r.Outcome
}

// line is the outcome of a launch in one line.
func line(file string, l *recorded.Launch, r *recorded.Result) string {
	text := fmt.Sprintf("%-9s  %s  %s", r.Outcome, l.Kernel, file)
	if l.At != "" {
		text += " from " + l.At
	}
	w := r.Worst
	if w.Count == 0 {
		return text
	}
	far := "not a number of ulps"
	if !math.IsInf(w.ULPs, 0) {
		far = strconv.FormatFloat(w.ULPs, 'g', 3, 64) + " ulps at most"
	}
	counts := []string{fmt.Sprintf("%d of %d elements differ", w.Count, w.Elements), far}
	switch {
	case w.Magnified:
		counts = append(counts,
			fmt.Sprintf("%d of them as far as the rounding errors of its operations move them", w.Beyond))
	case w.Beyond > 0:
		counts = append(counts, fmt.Sprintf("%d too far", w.Beyond))
	}
	return fmt.Sprintf("%s\n           %s is %s, recorded %s; %s", text, r.At, w.Got, w.Want,
		strings.Join(counts, ", "))
}
