package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/model"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/runner/operation"
)

var tuneCommand = &command{
	name:  "tune",
	args:  "[--device auto|cpu|cuda:N|ws://HOST:PORT] [--gpu NAME] [--top N] FILE [ARGUMENTS]",
	short: "run a script, and rank the configs of its triton.autotune by a model before timing the best few",
	help: "Runs FILE as newt run does. Where a kernel under triton.autotune meets a new key, a few programs of each config\n" +
		"are simulated, and a model of the device, or of the GPU of --gpu, says how long the launch may take; the\n" +
		"configs that it puts first are timed on the device, and the fastest of them is used. Without a GPU nothing is\n" +
		"timed, and the first is used. A kernel with a perf_model of its own is left to that.\n\n" +
		"The configs in their order, with what was expected and measured of each, are written to standard error.",
	run: tuneDocument,
}

// timedConfigs is how many configs are timed where nothing else is asked for. In runner/gpu/bench's sweep of library
// kernels the fastest of three was within 0.3 percent of the fastest of all.
const timedConfigs = 3

func tuneDocument(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	f := runFlags{lang: lang}
	set.StringVar(&f.device, "device", "auto", "device for the launches: auto, cpu, cuda:N or ws://HOST:PORT")
	f.packages.define(set)
	formatFlag(set, &f.format, "write diagnostics and the order of the configs as one JSON object to standard error")
	set.Func("top", fmt.Sprintf("how many configs of a kernel are timed (default %d)", timedConfigs),
		func(text string) (err error) {
			if f.tuning.top, err = strconv.Atoi(text); err != nil || f.tuning.top < 1 {
				return errors.New("it must be a number from 1 on")
			}
			return nil
		})
	f.tuning.top = timedConfigs
	set.Func("gpu", gpuUsage, f.chooseGPU)
	return f.parseAndRun(ctx, e, c, set, args)
}

// gpuNames is what --gpu takes.
func gpuNames() string {
	var names []string
	for _, g := range arch.GPUs {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

// gpuUsage is the description of --gpu.
var gpuUsage = "GPU that is modelled or simulated, by `NAME`: " + gpuNames()

// chooseGPU reads the value of --gpu.
func (f *runFlags) chooseGPU(name string) error {
	if f.gpu = arch.FindGPU(name); f.gpu == nil {
		return errors.New("newt has figures of " + gpuNames())
	}
	return nil
}

// tuning are the orders of configs that a document has asked for. The zero value asks for none.
type tuning struct {
	top    int
	orders []*host.Ranking
}

// gpuModel makes the model that configs are ranked by.
func gpuModel(on *arch.GPU) script.Model {
	m := model.New(on)
	return func(ctx context.Context, k *launch.Kernel, args []launch.Arg, o device.Options, grid [3]int) (host.Estimate,
		*diag.Diagnostic) {
		defer m.Restore()
		here, err := launch.Here(args)
		if err != nil {
			return host.Estimate{}, launch.Diagnostic(err)
		}
		on := launch.Target{Device: m, Options: o}
		if _, fault := k.Run(ctx, on, here, device.Launch{Grid: grid}); fault != nil {
			return host.Estimate{}, fault
		}
		x := m.Last().Expect(o, float64(launch.Bytes(here)))
		return host.Estimate{MS: x.Seconds() * 1e3, Bound: x.Bound()}, nil
	}
}

// measured takes a measurement, where it is of a config of the last order.
func (t *tuning) measured(x *host.Measurement) {
	if n := len(t.orders); n > 0 {
		t.orders[n-1].Measure(x)
	}
}

func asJSON(r *host.Ranking) operation.Ranking {
	o := operation.Ranking{Kernel: r.Kernel, Key: r.Key, Correlation: finite(r.Correlation())}
	for _, c := range r.Configs {
		o.Configs = append(o.Configs, operation.RankedConfig{Config: c.Label, ExpectedMS: finite(c.Expected.MS),
			Bound: c.Expected.Bound, Kept: c.Kept, MeasuredMS: measuredMS(&c)})
	}
	return o
}

// measuredMS is nil of a config that was not timed, or could not be.
func measuredMS(c *host.RankedConfig) *float64 {
	if c.Measured == 0 {
		return nil
	}
	return finite(c.Measured)
}

// finite is a number that JSON can hold, nil for any other.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// tuneWords are the texts of a table, by language; the bounds are those of host.Estimate.
var tuneWords = [2]map[string]string{
	diag.English: {
		"head":     "%s, key %s: %d configs, in the order that a model of the %s expects\n",
		"expected": "expected", "bound": "bound by", "measured": "measured", "config": "config",
		"memory": "memory", "cache": "L2 cache", "compute": "instructions", "latency": "latency",
		"too much":    "needs too much",
		"nothing":     "Nothing was timed: the first is used.\n",
		"no configs":  "Nothing to tune: no kernel under triton.autotune with several configs was launched.\n",
		"correlation": "Rank correlation (Spearman) of expected and measured times: %.2f\n",
	},
	diag.Chinese: {
		"head":     "%s，键 %s：%d 个配置，按 %s 模型预计的快慢排列\n",
		"expected": "预计", "bound": "瓶颈", "measured": "实测", "config": "配置",
		"memory": "显存", "cache": "L2 缓存", "compute": "指令", "latency": "延迟",
		"too much":    "资源不足",
		"nothing":     "未做计时：使用第一个配置。\n",
		"no configs":  "没有可调优的内容：没有启动过带有多个配置的 triton.autotune kernel。\n",
		"correlation": "预计与实测时间的秩相关系数（Spearman）：%.2f\n",
	},
}

// json are the orders as JSON, nil where none were asked for.
func (t *tuning) json() (list []operation.Ranking) {
	for _, r := range t.orders {
		list = append(list, asJSON(r))
	}
	return list
}

// write writes a table for each order that was asked for, or that there is none.
func (t *tuning) write(w io.Writer, on *arch.GPU, lang diag.Lang) {
	if t.top > 0 && len(t.orders) == 0 {
		io.WriteString(w, tuneWords[lang]["no configs"])
	}
	for _, r := range t.orders {
		io.WriteString(w, orderText(r, on, lang))
	}
}

func orderText(r *host.Ranking, on *arch.GPU, lang diag.Lang) string {
	words := tuneWords[lang]
	var b strings.Builder
	fmt.Fprintf(&b, words["head"], r.Kernel, r.Key, len(r.Configs), on.Name)
	number := func(ms *float64, otherwise string) string {
		if ms == nil {
			return otherwise
		}
		return fmt.Sprintf("%.4g ms", *ms)
	}
	timed := false
	rows := [][]string{{words["expected"], words["bound"], words["measured"], words["config"]}}
	for _, c := range r.Configs {
		measured := measuredMS(&c)
		timed = timed || measured != nil
		rows = append(rows, []string{number(finite(c.Expected.MS), words["too much"]), words[c.Expected.Bound],
			number(measured, "-"), c.Label})
	}
	diag.WriteTable(&b, rows)
	if !timed {
		b.WriteString(words["nothing"])
	}
	if correlation := r.Correlation(); !math.IsNaN(correlation) {
		fmt.Fprintf(&b, words["correlation"], correlation)
	}
	return b.String()
}
