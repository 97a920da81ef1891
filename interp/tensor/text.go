package tensor

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// PrintOptions say how tensors print: torch.set_printoptions.
type PrintOptions struct {
	Precision int   // digits after the point
	Threshold int   // elements from which on only the edges are shown
	EdgeItems int   // elements at each edge of a dimension
	LineWidth int   // characters
	SciMode   *bool // whether floats have an exponent; nil lets the values decide
}

// DefaultPrintOptions are torch's.
var DefaultPrintOptions = PrintOptions{Precision: 4, Threshold: 1000, EdgeItems: 3, LineWidth: 80}

func shapeText(shape []int) string { return "[" + joinText(shape, ", ") + "]" }

func joinText(numbers []int, between string) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, between)
}

// numberText is a float as Python prints it, with a point where it is whole.
func numberText(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".einN") {
		text += ".0"
	}
	return text
}

// cppText is a matrix as torch's C++ prints it, which a few messages do.
func cppText(t *Tensor) string {
	p := &printer{PrintOptions: DefaultPrintOptions, context: t.storage.of}
	p.study(t)
	var b strings.Builder
	columns := t.shape[len(t.shape)-1]
	for i := range polled(p.context, make([]struct{}, t.numel())) {
		text := strings.TrimSuffix(p.element(t.asStrided(layout{offset: t.offset + i}), true), ".")
		b.WriteString(" " + text + word(i%columns == columns-1, "\n", " "))
	}
	return b.String() + "[ " + t.legacyType() + "{" + joinText(t.shape, ",") + "} ]"
}

func sizeText(shape []int) string { return "torch.Size(" + shapeText(shape) + ")" }

// String is the size as Python prints it.
func (s Size) String() string { return sizeText(s) }

// tupleText is a shape as Python prints a tuple.
func tupleText(shape []int) string {
	text := strings.Trim(shapeText(shape), "[]")
	if len(shape) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// String is the tensor as Python prints it.
func (t *Tensor) String() string { return t.Text(DefaultPrintOptions) }

// Text is the tensor as Python prints it with options.
func (t *Tensor) Text(o PrintOptions) string {
	if t.Parameter {
		plain := *t
		plain.Parameter = false
		return "Parameter containing:\n" + plain.Text(o)
	}
	var suffixes []string
	const prefix = "tensor("
	if t.storage.cuda {
		suffixes = append(suffixes, "device='"+CUDA.String()+"'")
	}
	if t.numel() == 0 {
		if len(t.shape) != 1 {
			suffixes = append(suffixes, "size="+tupleText(t.shape))
		}
		if t.dtype != num.Float32 {
			suffixes = append(suffixes, "dtype=torch."+TorchName(t.dtype))
		}
		return o.finish(prefix+"[]", append(suffixes, t.gradSuffix()...))
	}
	if t.dtype != num.Float32 && t.dtype != num.Int64 && t.dtype != num.Int1 && t.dtype != num.Complex64 {
		suffixes = append(suffixes, "dtype=torch."+TorchName(t.dtype))
	}
	p := &printer{PrintOptions: o, context: t.storage.of, summarize: t.numel() > o.Threshold}
	p.study(t)
	body := p.text(t.asStrided(t.layout), len(prefix))
	return o.finish(prefix+body, append(suffixes, t.gradSuffix()...))
}

func (t *Tensor) gradSuffix() []string {
	n := t.graphNode()
	switch {
	case !t.requiresGradient():
		return nil
	case n == nil || n.leaf != nil:
		return []string{"requires_grad=True"}
	}
	return []string{"grad_fn=<" + n.name + ">"}
}

// finish adds the suffixes, on a line of their own where the last line would grow too long.
func (o PrintOptions) finish(text string, suffixes []string) string {
	// torch counts so, too: one more than the line has.
	last := len(text) - strings.LastIndexByte(text, '\n') + 1
	for _, s := range suffixes {
		if last+len(s)+2 > o.LineWidth {
			text += ",\n" + strings.Repeat(" ", len("tensor(")) + s
			last = len("tensor(") + len(s)
			continue
		}
		text += ", " + s
		last += len(s) + 2
	}
	return text + ")"
}

// printer formats the elements of one tensor alike.
type printer struct {
	PrintOptions
	context    *Context // that polls
	summarize  bool
	float      bool
	integral   bool // all finite values are whole numbers
	scientific bool
	width      int
	imaginary  *printer // of complex tensors: formats the imaginary parts, as p does the real ones
}

// study decides the format from the elements that will be shown.
func (p *printer) study(t *Tensor) {
	p.float, p.width = t.isFloat(), 1
	var shown []float64
	if t.IsComplex() {
		var parts []float64
		p.visitShown(t, 0, func(part *Tensor) {
			for _, z := range polled(p.context, part.complexes()) {
				shown, parts = append(shown, real(z)), append(parts, imag(z))
			}
		})
		p.imaginary = &printer{PrintOptions: p.PrintOptions, context: p.context, width: 1}
		p.studyFloats(shown)
		p.imaginary.studyFloats(parts)
		return
	}
	if !p.float {
		p.visitShown(t, 0, func(part *Tensor) {
			for _, v := range polled(p.context, part.Ints()) {
				p.width = max(p.width, len(p.integer(t.dtype, v)))
			}
		})
		return
	}
	p.visitShown(t, 0, func(part *Tensor) { shown = append(shown, part.Floats()...) })
	p.studyFloats(shown)
}

// studyFloats looks at the finite values other than zero alone, as torch does.
func (p *printer) studyFloats(shown []float64) {
	p.integral = true
	low, high := math.Inf(1), 0.0
	for _, v := range polled(p.context, shown) {
		if v-v == 0 && v != 0 {
			low, high = math.Min(low, math.Abs(v)), math.Max(high, math.Abs(v))
			p.integral = p.integral && v == math.Ceil(v)
		}
	}
	// The rule of torch's formatter (torch/_tensor_str.py): a wide range, or numbers too large or small.
	p.scientific = high > 0 && (high/low > 1000 || high > 1e8 || !p.integral && low < 1e-4)
	if p.SciMode != nil {
		p.scientific = *p.SciMode
	}
	for _, v := range polled(p.context, shown) {
		if v-v == 0 && v != 0 {
			p.width = max(p.width, len(p.number(v)))
		}
	}
}

// number is one float without padding.
func (p *printer) number(v float64) string {
	switch {
	case v != v:
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case p.scientific:
		return strconv.FormatFloat(v, 'e', p.Precision, 64)
	case p.integral:
		return strconv.FormatFloat(v, 'f', 0, 64) + "."
	}
	return strconv.FormatFloat(v, 'f', p.Precision, 64)
}

func (p *printer) integer(d num.DType, v int64) string {
	switch {
	case d == num.Int1 && v != 0:
		return "True"
	case d == num.Int1:
		return "False"
	case d == num.Uint64:
		return strconv.FormatUint(uint64(v), 10)
	}
	return strconv.FormatInt(v, 10)
}

// visitShown visits the parts of t that are printed: the edges of each dimension from d on if p summarizes.
func (p *printer) visitShown(t *Tensor, d int, visit func(part *Tensor)) {
	if !p.summarize || d == len(t.shape) {
		visit(t)
		return
	}
	if n, edge := t.shape[d], p.EdgeItems; n > 2*edge {
		p.visitShown(t.window(d, 0, edge), d+1, visit)
		p.visitShown(t.window(d, n-edge, edge), d+1, visit)
		return
	}
	p.visitShown(t, d+1, visit)
}

// text lays t out, its lines after the first indented.
func (p *printer) text(t *Tensor, indent int) string {
	switch len(t.shape) {
	case 0:
		return p.element(t, false)
	case 1:
		return p.vector(t, indent)
	}
	n := t.shape[0]
	var parts []string
	for i := 0; i < n; i++ {
		if p.summarize && n > 2*p.EdgeItems && i == p.EdgeItems {
			parts = append(parts, "...")
			i = n - p.EdgeItems
		}
		row := layout{t.shape[1:], t.strides[1:], t.offset + i*t.strides[0]}
		parts = append(parts, p.text(t.asStrided(row), indent+1))
	}
	between := "," + strings.Repeat("\n", len(t.shape)-1) + strings.Repeat(" ", indent+1)
	return "[" + strings.Join(parts, between) + "]"
}

// vector lays out a 1-dim tensor, as many elements a line as fit.
func (p *printer) vector(t *Tensor, indent int) string {
	// Each cell is followed by a comma and a space.
	width := p.width
	if p.imaginary != nil {
		width += p.imaginary.width + 1
	}
	perLine := max((p.LineWidth-indent)/(width+2), 1)
	n := t.shape[0]
	var cells []string
	if p.summarize && n > 2*p.EdgeItems {
		cells = slices.Concat(p.cells(t, 0, p.EdgeItems), []string{" ..."}, p.cells(t, n-p.EdgeItems, n))
	} else {
		cells = p.cells(t, 0, n)
	}
	var lines []string
	for start := 0; start < len(cells); start += perLine {
		lines = append(lines, strings.Join(cells[start:min(start+perLine, len(cells))], ", "))
	}
	return "[" + strings.Join(lines, ",\n"+strings.Repeat(" ", indent+1)) + "]"
}

// cells are some elements of a vector, read at once and padded to one width.
func (p *printer) cells(t *Tensor, from, to int) []string {
	part := t.asStrided(layout{[]int{to - from}, t.strides, t.offset + from*t.strides[0]})
	cells := make([]string, 0, to-from)
	if p.imaginary != nil {
		for _, z := range polled(p.context, part.complexes()) {
			cells = append(cells, p.complexNumber(z, true))
		}
		return cells
	}
	if p.float {
		for _, v := range polled(p.context, part.Floats()) {
			cells = append(cells, p.padded(p.number(v)))
		}
		return cells
	}
	for _, v := range polled(p.context, part.Ints()) {
		cells = append(cells, p.padded(p.integer(t.dtype, v)))
	}
	return cells
}

// complexNumber is one complex number. Its imaginary part begins with its sign.
func (p *printer) complexNumber(z complex128, pad bool) string {
	re, im := p.number(real(z)), p.imaginary.number(imag(z))
	if pad {
		re = p.padded(re)
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return re + im + "j"
}

func (p *printer) padded(text string) string {
	return strings.Repeat(" ", max(p.width-len(text), 0)) + text
}

func (p *printer) element(t *Tensor, pad bool) string {
	var text string
	if p.imaginary != nil {
		return p.complexNumber(t.complexItem(), pad)
	}
	if p.float {
		text = p.number(t.Floats()[0])
	} else {
		text = p.integer(t.dtype, t.Ints()[0])
	}
	if pad {
		text = p.padded(text)
	}
	return text
}
