package author

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/puzzles"
)

// folder writes the puzzle's files.
func (m *maker) folder() *Folder {
	name := strings.ToLower(m.Kernel)
	return &Folder{
		Name: fmt.Sprintf("%02d_%s", m.Number, name[:min(len(name), 40)]),
		Files: []File{
			{"puzzle.json", m.json()},
			{"solution.py", m.Source},
			{"spec.py", m.spec()},
			{"starter.py", m.starter()},
			{"statement.en.md", m.statement(english)},
			{"statement.zh.md", m.statement(chinese)},
		},
	}
}

// spec is the author's source with a function that launches the kernel as the call does.
func (m *maker) spec() string {
	var b strings.Builder
	for _, module := range []string{"torch", "triton"} {
		if line := "import " + module; !slices.Contains(strings.Split(m.Source, "\n"), line) {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString(strings.TrimSpace(m.Source))
	b.WriteString("\n\n\n" +
		"# What the tests expect: what the kernel above makes of each test's inputs. To check it against\n" +
		"# something else, compute the tensor in torch and return that.\n")
	out := m.puzzle.Output
	params := []string{}
	for _, t := range m.puzzle.Inputs {
		params = append(params, t.Name)
	}
	if out.Fill != "" {
		params = append(params, out.Name)
	}
	call := []string{}
	for _, a := range m.Args {
		call = append(call, a.Name)
		if a.Tensor == nil {
			params = append(params, a.Name)
		}
	}
	fmt.Fprintf(&b, "def %s(%s):\n", m.puzzle.Spec, strings.Join(params, ", "))
	if out.Fill == "" {
		device := ""
		if len(m.puzzle.Inputs) > 0 {
			device = ", device=" + m.puzzle.Inputs[0].Name + ".device"
		}
		fmt.Fprintf(&b, "    %s = torch.zeros(%s, dtype=torch.%s%s)\n",
			out.Name, tuple(out.Shape), out.DType.Info().Attr, device)
	}
	fmt.Fprintf(&b, "    %s[%s](%s)\n    return %s\n",
		m.Kernel, tuple(m.puzzle.Grid), strings.Join(call, ", "), out.Name)
	return b.String()
}

// tuple writes expressions as a Python tuple.
func tuple(expressions []string) string {
	text := python(strings.Join(expressions, ", "))
	if len(expressions) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// starter is the source without its functions, and the kernel's first lines.
func (m *maker) starter() string {
	tree, _ := syntax.Parse(m.file)
	var lines []string
	for _, s := range tree.Body {
		switch s.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef, *syntax.ExprStmt:
		default:
			lines = append(lines, m.file.Slice(s.Span()))
		}
	}
	lines = append(lines, "", "", "@triton.jit", m.signature(tree),
		fmt.Sprintf("    # Make %s what the statement says.", m.output), "    pass", "    ")
	return strings.Join(lines, "\n")
}

// maxLine is how long a starter's lines may be, so that a narrow editor shows them whole.
const maxLine = 44

// signature is the kernel's def, over several lines where one would be too long.
func (m *maker) signature(tree *syntax.Module) string {
	kernels := lower.Kernels(tree)
	def := kernels[slices.IndexFunc(kernels, func(d *syntax.FunctionDef) bool { return d.Name == m.Kernel })]
	var params []string
	for _, p := range def.Params.List {
		text := p.Name
		if p.Annotation != nil {
			text += ": " + m.file.Slice(p.Annotation.Span())
		}
		if p.Default != nil {
			text += " = " + m.file.Slice(p.Default.Span())
		}
		params = append(params, text)
	}
	short := fmt.Sprintf("def %s(%s):", m.Kernel, strings.Join(params, ", "))
	if len(short) <= maxLine {
		return short
	}
	text, line := fmt.Sprintf("def %s(\n", m.Kernel), "   "
	for _, p := range params {
		if len(line)+len(p)+2 > maxLine && line != "   " {
			text, line = text+line+"\n", "   "
		}
		line += " " + p + ","
	}
	return text + line + "\n):"
}

// json is puzzle.json, a field a line and a test a line.
func (m *maker) json() string {
	p := m.puzzle
	fields := []struct {
		name  string
		value any
		empty bool
	}{
		{"number", p.Number, false},
		{"title", p.Title, false},
		{"kernel", p.Kernel, false},
		{"spec", p.Spec, false},
		{"inputs", list(p.Inputs), false},
		{"output", p.Output, false},
		{"sizes", list(p.Sizes), false},
		{"blocks", list(p.Blocks), false},
		{"constants", p.Constants, len(p.Constants) == 0},
		{"named", p.Named, false},
		{"grid", p.Grid, false},
		{"free", p.Free, len(p.Free) == 0},
		{"tolerance", p.Tolerance, false},
		{"classic", p.Classic, false},
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, f := range fields {
		if !f.empty {
			fmt.Fprintf(&b, "  %q: %s,\n", f.name, spaced(f.value))
		}
	}
	b.WriteString("  \"strict\": [")
	for i, c := range p.Strict {
		fmt.Fprintf(&b, "%s\n    %s", map[bool]string{true: ","}[i > 0], spaced(c))
	}
	b.WriteString("\n  ]\n}\n")
	return b.String()
}

// list is never nil, so that no items are written as [].
func list[T any](items []T) []T { return append([]T{}, items...) }

// spaced is JSON on one line with a space after each colon and comma, as people write it.
func spaced(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings, numbers and maps of them always marshal
	}
	var b strings.Builder
	quoted := false
	for i, c := range data {
		b.WriteByte(c)
		quoted = quoted != (c == '"' && (i == 0 || data[i-1] != '\\'))
		if !quoted && (c == ':' || c == ',') {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// phrases are what a statement is made of in one language; %s stand for names and shapes.
type phrases struct {
	lead, args, grid string
	input, output    string // name, dtype, shape
	size, block      string // name, the first test's value
	constant         string // name, value
	axis             string // programs, axis
	join             string
}

var english = phrases{
	lead: "**To the author: say here what the kernel computes**, best with a formula: the reader must learn what `%s` is to hold. " +
		"An example: $$z_i = x_i + y_i$$\n",
	args: "## Arguments", grid: "## The grid",
	input: "- `%s`: %s, shape `%s`.", output: "- `%s`: %s, shape `%s`: the output, which the kernel writes.",
	size: "- `%s`: an integer, %d in the first test.", block: "- `%s`: a power of two that is known while compiling, %d in the first test.",
	constant: "- `%s`: always `%s`.", axis: "`%s` programs along axis %d", join: ", ",
}

var chinese = phrases{
	lead: "**致出题人：请在这里说明 kernel 要计算什么**，最好写成公式，让读者知道 `%s` 里应该是什么。例如：$$z_i = x_i + y_i$$\n",
	args: "## 参数", grid: "## 网格",
	input: "- `%s`：%s，形状 `%s`。", output: "- `%s`：%s，形状 `%s`，是 kernel 要写入的输出。",
	size: "- `%s`：整数，第一个测试里是 %d。", block: "- `%s`：编译时已知的 2 的幂，第一个测试里是 %d。",
	constant: "- `%s`：始终是 `%s`。", axis: "轴 %[2]d 上有 `%[1]s` 个程序", join: "，",
}

// statement is what a reader is told, as far as the call says it.
func (m *maker) statement(w phrases) string {
	lines := []string{fmt.Sprintf(w.lead, m.output), w.args, ""}
	for _, a := range m.Args {
		lines = append(lines, m.explain(w, a))
	}
	var axes []string
	for i, e := range m.puzzle.Grid {
		axes = append(axes, fmt.Sprintf(w.axis, e, i))
	}
	end := map[bool]string{true: "。", false: "."}[w.join == "，"]
	lines = append(lines, "", w.grid, "", strings.Join(axes, w.join)+end, "")
	return strings.Join(lines, "\n")
}

func (m *maker) explain(w phrases, a Arg) string {
	p := m.puzzle
	switch {
	case a.Tensor != nil:
		form := map[bool]string{true: w.output, false: w.input}[a.Name == m.output]
		t := m.tensor(a.Name)
		return fmt.Sprintf(form, t.Name, t.DType.Info().Attr, tuple(t.Shape))
	case slices.Contains(p.Sizes, a.Name):
		return fmt.Sprintf(w.size, a.Name, m.value(a.Name))
	case slices.Contains(p.Blocks, a.Name):
		return fmt.Sprintf(w.block, a.Name, m.value(a.Name))
	}
	value, _ := json.Marshal(puzzles.Constant{Value: a.Value})
	return fmt.Sprintf(w.constant, a.Name, value)
}
