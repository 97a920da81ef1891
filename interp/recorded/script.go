package recorded

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tensor"
)

// imports are what the scripts of launches need besides what the kernels do.
const imports = `import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor
`

// maxShown is how many launches a document has: a page shows all its cells at once.
const maxShown = 100

// Document is a script that makes the first launches again, in cells: of each the source, the launch, and a comparison
// of what it has written with the recording. Next to it are Files.
func (f *File) Document() *document.Document {
	d := document.New(strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))+".py", document.Python,
		&document.Cell{Kind: document.Prose, Source: f.about()}, code(imports))
	last := ""
	for i := range f.shown() {
		l := &f.Launches[i]
		title := fmt.Sprintf("## %s", l.Kernel)
		if l.At != "" {
			title += ", " + l.At
		}
		d.Cells = append(d.Cells, &document.Cell{Kind: document.Prose, Source: title + list(l.Notes)})
		if text := f.source(l); text != last { // launches of one kernel often follow one another
			d.Cells, last = append(d.Cells, code(text)), text
		}
		s := f.script(l)
		d.Cells = append(d.Cells, code(s.launch))
		if s.compare != "" {
			d.Cells = append(d.Cells, code(s.compare+"print(\"as recorded\")"))
		}
	}
	if more := len(f.Launches) - len(f.shown()); more > 0 {
		text := fmt.Sprintf("Launches of the file that are not shown: %d. `newt replay` makes all of them again.", more)
		d.Cells = append(d.Cells, &document.Cell{Kind: document.Prose, Source: text})
	}
	return d
}

// shown are the launches that the document has.
func (f *File) shown() []Launch { return f.Launches[:min(len(f.Launches), maxShown)] }

// Files are the storages, by the names that the script has for them.
func (f *File) Files() host.Files { return members(f.members) }

// Member is a member of the archive.
type Member struct {
	Name string
	Data []byte
}

// Storages are the members that are storages of the document's launches, each once.
func (f *File) Storages() (list []Member) {
	names := map[string]bool{}
	for _, l := range f.shown() {
		for _, s := range l.Storages {
			names[s.Before], names[s.After] = true, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, Member{name, f.members[name]})
	}
	return list
}

type members map[string][]byte

// ReadFile implements host.Files.
func (m members) ReadFile(name string) ([]byte, error) {
	if data, ok := m[name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func code(text string) *document.Cell {
	return &document.Cell{Kind: document.Code, Source: strings.TrimRight(text, "\n")}
}

// about says where the launches were recorded.
func (f *File) about() string {
	text := "# " + path.Base(f.Name)
	for _, name := range slices.Sorted(maps.Keys(f.Versions)) {
		text += fmt.Sprintf("\n- %s %s", name, f.Versions[name])
	}
	return text + list(f.Notes)
}

// list is notes as Markdown. They are one line each, whatever they hold.
func list(notes []string) (text string) {
	for _, n := range notes {
		text += "\n- " + strings.Join(strings.Fields(n), " ")
	}
	return text
}

func (f *File) source(l *Launch) string { return string(f.members[l.Source]) }

// program is the code of one launch.
type program struct {
	launch  string
	compare string   // "" where the launch changed nothing
	names   []string // of the variables that hold the storages, in their order
}

// scripting writes a script.
type scripting struct {
	*Launch
	taken map[string]bool
	exprs map[*Tensor]string
}

// script writes the code that makes the tensors of a launch and launches its kernel.
func (f *File) script(l *Launch) (s program) {
	w := &scripting{Launch: l, taken: taken(f.source(l)), exprs: map[*Tensor]string{}}
	views := make([][]operand, len(l.Storages))
	for _, t := range l.tensors() {
		views[t.Storage] = append(views[t.Storage], t)
	}
	for i, storage := range l.Storages {
		name, from, view := w.storage(i, views[i])
		s.names = append(s.names, name)
		s.launch += fmt.Sprintf("%s = %s%s\n", name, from(storage.Before), view)
		if storage.After != storage.Before {
			after := from(storage.After) + view
			s.compare += fmt.Sprintf("torch.testing.assert_close(%s, %s, equal_nan=True)\n", name, after)
		}
	}
	for _, a := range l.Addresses {
		words := w.words(a.Storage, views[a.Storage])
		s.launch += fmt.Sprintf("%s%s[%d] = %s.data_ptr()", s.names[a.Storage], words, a.At, s.names[a.Of])
		if offset := a.Offset - w.begins(a.Of, views[a.Of]); offset != 0 {
			s.launch += fmt.Sprintf(" + %d", offset)
		}
		s.launch += "\n"
	}
	s.launch += w.call()
	return s
}

// words is what follows the variable of a storage to make a tensor of all its 64-bit integers.
func (w *scripting) words(storage int, views []operand) string {
	n := w.Storages[storage].Bytes / 8
	if len(views) == 1 {
		return fmt.Sprintf(".as_strided((%d,), (1,), 0)", n)
	}
	d, elements := w.base(storage, views)
	return viewOf(&Tensor{DType: "int64", Shape: []int{n}, Strides: []int{1}}, d, elements)
}

// begins is the byte of a storage at which its variable begins.
func (w *scripting) begins(storage int, views []operand) int {
	if len(views) != 1 {
		return 0
	}
	return views[0].Offset * dtypes(views[0].DType)
}

// storage names the variable of a storage, and says how to make it of a file. Where one tensor alone is in the storage,
// the variable is that tensor, by the name of its parameter, and view makes it of the storage.
func (w *scripting) storage(i int, views []operand) (name string, from func(file string) string, view string) {
	d, elements := w.base(i, views)
	from = func(file string) string {
		if elements == 0 { // no file can be mapped that has no bytes
			return fmt.Sprintf("torch.empty(0, dtype=torch.%s, device=\"cuda\")", d)
		}
		return fmt.Sprintf("torch.from_file(%s, size=%d, dtype=torch.%s).cuda()", quote(file), elements, d)
	}
	if len(views) == 1 {
		name = w.unique(views[0].name)
		w.exprs[views[0].Tensor] = name
		return name, from, viewOf(views[0].Tensor, d, elements)
	}
	name = w.unique(fmt.Sprintf("storage%d", i))
	for _, v := range views {
		w.exprs[v.Tensor] = name + viewOf(v.Tensor, d, elements)
	}
	return name, from, ""
}

// base is the dtype that all tensors in a storage have, uint8 where they have several, and how many elements of it the
// storage has.
func (l *Launch) base(storage int, views []operand) (dtype string, elements int) {
	s := l.Storages[storage]
	dtype = cmp.Or(s.DType, "uint8")
	if len(views) > 0 {
		dtype = views[0].DType
	}
	for _, v := range views {
		if v.DType != dtype {
			dtype = "uint8"
		}
	}
	if s.Bytes%dtypes(dtype) != 0 {
		dtype = "uint8"
	}
	return dtype, s.Bytes / dtypes(dtype)
}

// dtypes is the size of a dtype of torch's in bytes.
func dtypes(name string) int {
	d, _ := tensor.DTypeNamed(name)
	return d.Info().Bytes
}

// viewOf is what follows a storage as a tensor of so many elements of a dtype to make a tensor that lies in it.
func viewOf(t *Tensor, dtype string, elements int) (text string) {
	if t.DType != dtype {
		size := dtypes(t.DType)
		if elements%size != 0 {
			text = fmt.Sprintf("[:%d]", elements-elements%size)
		}
		text += ".view(torch." + t.DType + ")"
		elements /= size
	}
	shape := launch.Shape{Sizes: t.Shape, Strides: t.Strides}
	switch {
	case t.Offset != 0 || shape.Len() != elements || !shape.Contiguous():
		return text + fmt.Sprintf(".as_strided(%s, %s, %d)", tuple(t.Shape), tuple(t.Strides), t.Offset)
	case len(t.Shape) != 1:
		return text + fmt.Sprintf(".view(%s)", tuple(t.Shape))
	}
	return text
}

// call is the launch. From the first argument that is no tensor on, the arguments have names.
func (w *scripting) call() string {
	grid := w.Grid[:]
	for len(grid) > 1 && grid[len(grid)-1] == 1 {
		grid = grid[:len(grid)-1]
	}
	var args []string
	byName := false
	for i := range w.Args {
		a := &w.Args[i]
		byName = byName || a.Value.Tensor == nil && a.Value.Descriptor == nil
		text := w.value(&a.Value)
		if byName {
			text = a.Name + "=" + text
		}
		args = append(args, text)
	}
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		args = append(args, name+"="+option(w.Options[name]))
	}
	return fmt.Sprintf("%s[%s](%s)\n", w.Kernel, tuple(grid), strings.Join(args, ", "))
}

func (w *scripting) value(v *Value) string {
	switch {
	case v.Tensor != nil && v.Tensor.As != "":
		return fmt.Sprintf("triton.reinterpret(%s, tl.%s)", w.exprs[v.Tensor], v.Tensor.As)
	case v.Tensor != nil:
		return w.exprs[v.Tensor]
	case v.Descriptor != nil:
		d := v.Descriptor
		padding := ""
		if d.Padding != "zero" {
			padding = ", padding=" + quote(d.Padding)
		}
		return fmt.Sprintf("TensorDescriptor(%s, %s, %s, %s%s)", w.exprs[&d.Base], bracketed(d.Shape),
			bracketed(d.Strides), bracketed(d.Block), padding)
	case v.Bool != nil:
		return pythonBool(*v.Bool)
	case v.Int != nil:
		return string(*v.Int)
	case v.Float != nil:
		if _, err := strconv.ParseInt(*v.Float, 10, 64); err == nil || strings.Trim(*v.Float, "-0123456789.e+") != "" {
			return "float(" + quote(*v.Float) + ")"
		}
		return *v.Float
	case v.Str != nil:
		return quote(*v.Str)
	case v.DType != nil:
		return "tl." + *v.DType
	case v.Function != nil:
		return *v.Function
	case v.Constexpr != nil:
		return "tl.constexpr(" + w.value(v.Constexpr) + ")"
	case v.Tuple != nil:
		return parenthesized(w.values(v.items()))
	case v.Named != nil:
		return v.Named.Type + "(" + strings.Join(w.values(v.items()), ", ") + ")"
	}
	return "None"
}

func (w *scripting) values(list []Value) (out []string) {
	for i := range list {
		out = append(out, w.value(&list[i]))
	}
	return out
}

// unique makes a name that nothing else in the script has.
func (w *scripting) unique(name string) string {
	out := name
	for n := 2; w.taken[out]; n++ {
		out = fmt.Sprintf("%s_%d", name, n)
	}
	w.taken[out] = true
	return out
}

// taken are the words on the lines of a source that are not indented: the names that it defines are among them. Of a
// function's own line only its name is.
func taken(source string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(imports + source) {
		if line[0] == ' ' || line[0] == '\t' || line[0] == ')' {
			continue
		}
		if strings.HasPrefix(line, "def ") {
			line, _, _ = strings.Cut(line, "(")
		}
		for _, name := range words(line) {
			names[name] = true
		}
	}
	return names
}

func tuple(list []int) string { return parenthesized(decimals(list)) }

func bracketed(list []int) string { return "[" + strings.Join(decimals(list), ", ") + "]" }

func decimals(list []int) (out []string) {
	for _, n := range list {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// parenthesized is a tuple in Python.
func parenthesized(parts []string) string {
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func pythonBool(b bool) string { return python.Repr(python.Bool(b)) }

func quote(s string) string { return python.Repr(python.Str(s)) }
