// Package pytestplugin has the plugin of pytest that runs the launches of Triton kernels in a suite on the CPU under
// sanitizers, and the process that makes these launches.
//
// The plugin, newt_pytest.py, stands in for package triton in CPython. It starts `newt pytest-plugin --serve`, which
// first says a Hello on a line: what the plugin needs to know of Triton. Then, for each launch,
//
//	plugin    the number of bytes on a line, and a recording of one launch (package interp/recorded)
//	process   a Launched on a line, and then the bytes of each storage that it names
//
// A recording's storages are those before the launch; what they hold after it is the answer.
package pytestplugin

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/recorded"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/runner/recorder"
)

// Source is the plugin.
//
//go:embed newt_pytest.py
var Source string

// Protocol is the version of the messages. The plugin refuses a process of another one: it was printed by another newt.
const Protocol = 1

// Options say how launches are made.
type Options struct {
	Triton triton.Version
	Lang   diag.Lang
	// Fails says which findings fail a test; a launch that stops always does.
	Fails func(*diag.Diagnostic) bool
	// Script makes the options of a launch.
	Script func() script.Options
}

// Hello is what the plugin needs to know.
type Hello struct {
	Protocol int    `json:"protocol"`
	Triton   string `json:"triton"`   // the version that is followed: "3.8.0"
	Recorder string `json:"recorder"` // the text of newt_record.py, which writes recordings
	// Parts are the Python parts of triton's modules by their names, some of them empty.
	Parts map[string]string `json:"parts"`
	// Language are the names in triton.language and the modules below it, and Constants those of them that are numbers.
	Language  map[string][]string `json:"language"`
	Constants map[string]int      `json:"constants"`
	DTypes    []DType             `json:"dtypes"`
}

// DType is a dtype of triton.language.
type DType struct {
	Attribute string `json:"attribute"` // under triton.language: "float16"
	Name      string `json:"name"`      // "fp16"
	Bits      int    `json:"bits"`
	Float     bool   `json:"float"`
	Signed    bool   `json:"signed"`
}

// Launched is what a launch came to.
type Launched struct {
	Outcome string `json:"outcome"` // "", or "fault" or "refused", as that of a replay
	Printed string `json:"printed"`
	// Line is the line of the findings' text at which the recording's source begins. A place before or behind the
	// source is that of the launch.
	Line     int       `json:"line"`
	Findings []Finding `json:"findings"`
	Written  []Written `json:"written"` // the storages that the launch has changed
}

// Written is a storage, and how many bytes it has.
type Written struct {
	Storage int `json:"storage"`
	Bytes   int `json:"bytes"`
}

// Finding is a diagnostic, and whether a test fails for it.
type Finding struct {
	diag.JSON
	Fails bool `json:"fails"`
}

// parts are the modules of triton that have no member that the plugin does not have. triton.compiler is not there: it
// compiles for a GPU.
var parts = strings.Fields(`triton.backends triton.backends.compiler triton.knobs triton.runtime.autotuner
	triton.runtime.driver triton.testing triton.tools triton.tools.mxfp triton._internal_testing`)

func helloOf(v triton.Version) Hello {
	h := Hello{Protocol: Protocol, Triton: v.Full(), Recorder: recorder.Source, Parts: map[string]string{},
		Language: map[string][]string{}, Constants: map[string]int{}}
	for _, name := range parts {
		h.Parts[name] = host.PythonPart(name)
	}
	for d := range num.NumDTypes {
		info := d.Info()
		h.DTypes = append(h.DTypes, DType{info.Attr, d.String(), info.Bits, info.Float, info.Signed})
	}
	for _, module := range tl.Modules() {
		if module == "triton" {
			continue
		}
		names := []string{}
		for _, name := range tl.Members(module) {
			row := tl.LookupIn(module, name)
			if row != nil && !row.IsThere(v) || tl.IsModule(module+"."+name) {
				continue
			}
			if names = append(names, name); row != nil && row.Bind == tl.Constant {
				h.Constants[name] = row.Value
			}
		}
		h.Language[module] = names
	}
	return h
}

// Serve says a Hello and makes launches until there are no more.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	e := json.NewEncoder(w)
	if err := e.Encode(helloOf(o.Triton)); err != nil {
		return err
	}
	for {
		if err := w.Flush(); err != nil {
			return err
		}
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		} else if err != nil {
			return err
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(line, "\n"), 10, 64)
		if err != nil || n < 0 || n > recorded.MaxBytes {
			return fmt.Errorf("a recording of %.40q bytes", line)
		}
		var data bytes.Buffer // grows with what arrives
		if _, err := io.CopyN(&data, r, n); err != nil {
			return err
		}
		l, contents := o.launch(ctx, data.Bytes())
		if err := e.Encode(l); err != nil {
			return err
		}
		for _, s := range l.Written {
			if _, err := w.Write(contents[s.Storage]); err != nil {
				return err
			}
		}
	}
}

// launch makes the launch of a recording, and gives what is in its storages then.
func (o *Options) launch(ctx context.Context, recording []byte) (*Launched, [][]byte) {
	out := &Launched{Findings: []Finding{}, Written: []Written{}}
	file, wrong := recorded.Read("launch", recording, recorded.MaxBytes)
	if wrong == nil && len(file.Launches) != 1 {
		wrong = diag.New("recorded-many", source.Span{}, "launches", len(file.Launches), 1)
	}
	if wrong != nil {
		out.Outcome = string(recorded.Refused)
		out.add(o, source.NewFile("launch", ""), diag.List{wrong})
		return out, nil
	}
	s := o.Script()
	s.Host.Triton = o.Triton
	s.Emit = func(e script.Event) {
		if e.Kind == script.Printed && e.Output.Name == "stdout" {
			out.Printed += e.Output.Text
		}
	}
	r, contents := file.Launch(ctx, 0, s)
	out.Outcome, out.Line = string(r.Outcome), r.SourceLine
	out.add(o, r.Sources, r.Diagnostics)
	for i, content := range contents {
		if !bytes.Equal(content, file.Before(0, i)) {
			out.Written = append(out.Written, Written{i, len(content)})
		}
	}
	return out, contents
}

// add adds diagnostics to the findings.
func (l *Launched) add(o *Options, files source.Files, list diag.List) {
	for i, j := range diag.ToJSON(files, list, o.Lang) {
		l.Findings = append(l.Findings, Finding{j, list[i].Severity == diag.Error || o.Fails(list[i])})
	}
}
