package cli

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/interp/host"
)

// TestTune: without a GPU the configs are ranked, the one that needs too much comes last, and the first one is used.
func TestTune(t *testing.T) {
	const file = "testdata/autotuned.py"
	stdout, stderr, status := newt(t, "tune", file, "--device", "cpu")
	number := regexp.MustCompile(`(?m)^ +([0-9.]+ ms|needs too much) .*(M: \d+)`)
	var blocks []string
	for _, row := range number.FindAllStringSubmatch(stderr, -1) {
		blocks = append(blocks, row[2])
	}
	if status != exitOK || stdout != "1024.0 {'M': 128, 'N': 128, 'K': 64}\n" || strings.Join(blocks, ", ") != "M: 128, M: 64, M: 16, M: 128" ||
		!strings.HasPrefix(stderr, "matmul, key (1024, 'torch.float16', 'torch.float16', 'torch.float16'): 4 configs") ||
		!strings.HasSuffix(stderr, "Nothing was timed: the first is used.\n") {
		t.Errorf("status %d, order %v\n%s%s", status, blocks, stdout, stderr)
	}

	_, stderr, _ = newt(t, "tune", "--top", "2", "--json", file, "--device", "cpu")
	out := reported(t, stderr)
	orders := out.Autotune
	if len(out.Diagnostics) > 0 {
		t.Errorf("%s", stderr)
	}
	if len(orders) != 1 || len(orders[0].Configs) != 4 {
		t.Fatalf("%s", stderr)
	}
	first, last := orders[0].Configs[0], orders[0].Configs[3]
	if !first.Kept || first.ExpectedMS == nil || first.Bound != "cache" || last.Kept || last.ExpectedMS != nil {
		t.Errorf("first %+v, last %+v", first, last)
	}

	if _, stderr, status := newt(t, "tune", write(t, addOne)); status != exitOK || !strings.HasPrefix(stderr, "Nothing to tune: ") {
		t.Errorf("a file that launches nothing: status %d\n%s", status, stderr)
	}

	for _, top := range []string{"0", "-1", "few"} {
		if _, stderr, status := newt(t, "tune", "--top", top, file); status != exitUsage ||
			!strings.Contains(stderr, "it must be a number from 1 on") {
			t.Errorf("--top %s: status %d\n%s", top, status, stderr)
		}
	}
}

// TestTuneMeasured: times are those of the kernel's last order, by config, and are correlated from three on.
func TestTuneMeasured(t *testing.T) {
	tuned := tuning{top: 3}
	for _, key := range []string{"(1,)", "(2,)"} {
		tuned.orders = append(tuned.orders, &host.Ranking{Kernel: "k", Key: key, Configs: []host.RankedConfig{
			{Label: "a", Expected: host.Estimate{MS: 1, Bound: "memory"}, Kept: true},
			{Label: "b", Expected: host.Estimate{MS: 2, Bound: "latency"}, Kept: true},
			{Label: "c", Expected: host.Estimate{MS: 3, Bound: "compute"}, Kept: true},
			{Label: "d", Expected: host.Estimate{MS: math.Inf(1)}},
		}})
	}
	for _, m := range []host.Measurement{
		{Name: "k", Label: "a", Value: 10, Best: "a"}, {Name: "k", Label: "b", Value: 30, Best: "a"},
		{Name: "k", Label: "c", Value: 20, Best: "a"}, {Name: "k", Label: "d", Value: 40, Best: "a"},
		{Name: "other", Label: "a", Value: 50, Best: "a"}, {Name: "k", Label: "a", Value: 60},
	} {
		tuned.measured(&m)
	}
	if got := orderText(tuned.orders[0], &arch.GPUs[0], diag.English); !strings.Contains(got, "Nothing was timed") {
		t.Errorf("the first key:\n%s", got)
	}
	for lang, want := range map[diag.Lang]string{
		diag.English: "k, key (2,): 4 configs, in the order that a model of the H100 SXM expects\n" +
			"        expected      bound by  measured  config\n" +
			"            1 ms        memory     10 ms  a\n" +
			"            2 ms       latency     30 ms  b\n" +
			"            3 ms  instructions     20 ms  c\n" +
			"  needs too much                       -  d\n" +
			"Rank correlation (Spearman) of expected and measured times: 0.50\n",
		diag.Chinese: "k，键 (2,)：4 个配置，按 H100 SXM 模型预计的快慢排列\n" +
			"      预计  瓶颈   实测  配置\n" +
			"      1 ms  显存  10 ms  a\n" +
			"      2 ms  延迟  30 ms  b\n" +
			"      3 ms  指令  20 ms  c\n" +
			"  资源不足            -  d\n" +
			"预计与实测时间的秩相关系数（Spearman）：0.50\n",
	} {
		if got := orderText(tuned.orders[1], &arch.GPUs[0], lang); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
