package launch_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// notQuoted are the refusals that newt puts in words of its own alone, and why.
var notQuoted = map[string]string{
	"subscript_slice": "Triton names its own class of slices, newt the slice",
	"undefined_name":  "Triton's words are the headline",
	"sum_builtin":     "Triton's words are the headline",
	"helper_plain":    "Triton gives an address",
	"full_default":    "Triton gives an address",
	"global_int":      "the recording lacks the beginning of what newt quotes",
	"global_float":    "the recording lacks the beginning of what newt quotes",
	"recursion":       "Triton gives a mangled name",
	"expand_scalar":   "Triton takes n[:, None] and refuses the store that follows",
	"arange_float":    "newt says that the number is not whole, as Triton does of shapes",
	"zeros_dyn":       "newt takes the value of n and finds that it is no power of two",
	"pid_dyn":         "newt takes the value of n and finds that it is no axis",

	"arange_arg":              "newt takes the value of n and finds that it is no power of two",
	"helper_constexpr_tensor": "newt takes the value of n and finds that it is no power of two",
	"constexpr_param_arange":  "newt takes the value of n and finds that it is no power of two",

	"mask_int":       "Triton could not read its own IR",
	"kernel_returns": "Triton's back end gives up without a reason",

	"value_plain_tuple":   "Triton takes the attribute for a field of a named tuple",
	"value_function":      "Triton names its own class of functions",
	"index_ellipsis":      "Triton names the class of …",
	"index_constexpr":     "Triton ends with a mistake of its own",
	"range_unknown":       "Triton names the constructor of its class",
	"static_range_stages": "Triton names the constructor of its class",
	"assert_text":         "Triton names the class of the condition as well",
	"assert_tuple":        "Triton names the class of the condition as well",
	"ternary_types":       "Triton names the types that Python's numbers would get, newt those that they have",
}

// stops are the kernels that end with a fault, as they should with these arguments.
var stops = map[string]string{"assert_stmt": "assert-failed", "assert_tile": "assert-failed", "device_assert_false": "assert-failed",
	"while_const": "loop-budget"}

// refused are the kernels that Triton takes and newt refuses.
var refused = map[string]string{"ptr_cast_int": "pointers are no integers: interp/tile/RATIONALE.md"}

var (
	exception = regexp.MustCompile(`^\w+(: |\(['"])`)
	wrapped   = regexp.MustCompile(`constexpr\[(\w+)\]|triton\.language\.(\w+)`)
)

// core is what Triton says without the exception around it, and without what differs between two
// ways to name the same thing.
func core(words string) string {
	words = exception.ReplaceAllString(words, "")
	words = strings.TrimSuffix(strings.TrimSuffix(words, `")`), "')")
	words = wrapped.ReplaceAllString(words, "$1$2")
	return strings.ToLower(strings.NewReplacer("'", "", `"`, "", "\\", "").Replace(words))
}

func quotes(list diag.List, words string) bool {
	for _, d := range list {
		if said := d.In(diag.English).Triton; said != "" && (strings.Contains(core(said), core(words)) || strings.Contains(core(words), core(said))) {
			return true
		}
	}
	return false
}

// TestTritonSays: what Triton 3.6 takes runs without a word; what it refuses runs or is refused
// with Triton's own words.
func TestTritonSays(t *testing.T) {
	f, err := os.Open("../../compiler/lower/testdata/triton_says.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head, err := os.ReadFile("../../compiler/lower/testdata/triton_says.py")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct{ Name, Source, Triton string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		t.Run(row.Name, func(t *testing.T) {
			args := []launch.Arg{{Tensor: &launch.Tensor{DType: num.Int32, Data: make([]byte, 4096)}}, {Value: int64(20)}, {Value: int64(16), Constexpr: true}}
			k, list := launch.Compile(source.NewFile("k.py", "# triton: 3.6\n"+string(head)+row.Source), "k", args, false)
			for _, d := range list {
				said := d.Severity == diag.Error || d.Severity == diag.Warning && d.IsRefused()
				if row.Triton == "" && refused[row.Name] == "" && said {
					t.Errorf("Triton takes it; newt says %s", d.In(diag.English).Headline)
				}
			}
			if row.Triton != "" && !quotes(list, row.Triton) && notQuoted[row.Name] == "" {
				t.Errorf("Triton says %q", core(row.Triton))
				for _, d := range list {
					t.Logf("%s: %q", d.Code, d.In(diag.English).Triton)
				}
			}
			if k == nil {
				return
			}
			if _, fault := k.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args, device.Launch{Grid: [3]int{1, 1, 1}, Budget: 1 << 24}); fault != nil && fault.Code != stops[row.Name] {
				t.Errorf("it stops: %s", fault.In(diag.English).Headline)
			}
		})
	}
}
