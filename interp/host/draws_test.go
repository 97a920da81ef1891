package host

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tensor"
)

// drawn is a line of draws.jsonl.gz: a draw of CUDA's stream on an H200, whole or its ends and its hash, and the
// generator's offset after it.
type drawn struct {
	Seed               uint64
	Code               string
	Fresh              bool // the seed was set just before; otherwise the draw follows the line before
	Offset             uint64
	Hex                string
	Head, Tail, SHA256 string
}

// TestDraws compares CUDA's random stream with the recorded one, and the offsets exactly.
func TestDraws(t *testing.T) {
	s := New(withLibraries(Options{}))
	s.Run(source.NewFile("imports.py", "import torch\nimport torch.nn.functional as F"))
	stream := s.Tensors().CUDAGenerator
	differ := map[string]string{}
	var seed, next uint64
	for _, d := range lines[drawn](t, "recorded/draws.jsonl.gz") {
		if !strings.Contains(d.Code, "cuda") {
			continue
		}
		if d.Fresh || d.Seed != seed {
			seed, next = d.Seed, 0
		}
		from := next
		next = d.Offset
		if differ[d.Code] != "" || large.Contains(d.Code) && !(d.Fresh && d.Seed == 0 && wide.Contains(d.Code)) {
			continue
		}
		stream.Seed(d.Seed)
		stream.SetOffset(from)
		out := s.Run(source.NewFile("draw.py", d.Code))
		got, ok := AsTensor(out.Value)
		switch {
		case !ok:
			differ[d.Code] = words(out.Diagnostics)
		case stream.Offset() != d.Offset:
			differ[d.Code] = "leaves another offset"
		default:
			differ[d.Code] = d.difference(got)
		}
	}
	for code, how := range differ {
		if how != pendingDraws[code] {
			t.Errorf("%s: %s", code, how)
		}
	}
}

// pendingDraws lists the draws that differ, and how.
var pendingDraws = map[string]string{
	"torch.normal(0.0, torch.arange(1., 21., device='cuda'))": "differs", // 20 times the error of a sample
	"torch.empty(100, device='cuda').cauchy_()":               "differs", // by 5e-6, the error of CUDA's fast tangent
}

type substring []string

func (s substring) Contains(text string) bool {
	for _, x := range s {
		if strings.Contains(text, x) {
			return true
		}
	}
	return false
}

// large are the draws that take long: a few of them, after one seed, are enough.
var (
	large = substring{"00003", "000000", "1048576", "10813", "2097152", "200000", "65536", "30000"}
	wide  = substring{"rand(1081345", "(-2**62, 2**62, (1200000,)", "dropout(torch.ones(1200000", "randperm(30000", "100003"}
)

// difference says how a draw differs from the recorded one. Samples that come from logarithms, sines and cosines are
// compared with the precision of CUDA's fast functions, all others bit for bit.
func (d drawn) difference(got *tensor.Tensor) string {
	raw := got.Bytes()
	if d.Hex != "" {
		return compareDraw(got.DType(), raw, d.Hex)
	}
	if sum := sha256.Sum256(raw); strings.HasPrefix(hex.EncodeToString(sum[:]), d.SHA256) {
		return ""
	}
	n := len(d.Head) / 2
	if how := compareDraw(got.DType(), raw[:n], d.Head); how != "" {
		return how
	}
	if how := compareDraw(got.DType(), raw[len(raw)-len(d.Tail)/2:], d.Tail); how != "" || approximate.Contains(d.Code) {
		return how
	}
	return "differs between its ends"
}

// approximate are the draws that compute with CUDA's fast functions.
var approximate = substring{"normal", "randn", "exponential"}

func compareDraw(d num.DType, got []byte, want string) string {
	if hex.EncodeToString(got) == want {
		return ""
	}
	raw, _ := hex.DecodeString(want)
	c := tensor.New(tensor.Options{})
	shape := []int{len(raw) / d.Info().Bytes}
	x, _ := c.FromBytes(d, shape, got)
	y, err := c.FromBytes(d, shape, raw)
	if err != nil || x == nil {
		return "has another size"
	}
	worst := 0.0
	for i, v := range y.Floats() {
		worst = max(worst, math.Abs(v-x.Floats()[i])/max(math.Abs(v), 1))
	}
	// __sincosf has an absolute error of 2^-21.19 in [-π, π] (CUDA C++ Programming Guide, intrinsic functions), which
	// the radius of up to 6.7 multiplies; narrower dtypes round once more.
	bound := map[num.DType]float64{num.Float16: 0x1p-10, num.BFloat16: 0x1p-7, num.Float32: 4e-6, num.Float64: 1e-14}[d]
	if worst <= bound {
		return ""
	}
	return "differs"
}
