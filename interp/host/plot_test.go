package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/figure"
)

// plotted runs a cell of a notebook and gives the figures that it shows, each as JSON at that time, and its outcome.
func plotted(t *testing.T, notebook bool, text string) (figures []string, out Outcome) {
	t.Helper()
	s := New(withLibraries(Options{Display: func(d Display) {
		if d.Figure == nil {
			t.Errorf("shows %q, not a figure", d.Text)
			return
		}
		text, err := json.Marshal(d.Figure)
		if err != nil {
			t.Error(err)
		}
		figures = append(figures, string(text))
	}}))
	out = s.Run(source.NewFile("cell.py", "import matplotlib.pyplot as plt\nimport numpy as np\nimport torch\n"+text))
	if end := s.EndCell(notebook); end.Diagnostics.HasErrors() {
		t.Error(words(end.Diagnostics))
	}
	return figures, out
}

// TestPlots checks what the functions of pyplot make: each text is part of the figure as JSON.
func TestPlots(t *testing.T) {
	for text, want := range map[string][]string{
		"plt.plot([1, 2], [3, 4])":                                                    {`"kind":"line","x":[1,2],"y":[3,4],"cycle":0,"style":"-"`},
		"plt.plot([3, 4])":                                                            {`"x":[0,1],"y":[3,4]`},
		"plt.plot([1], [2], 'r--o', label='a')":                                       {`"label":"a"`, `"color":"#ff0000"`, `"style":"--"`, `"marker":"o"`},
		"plt.plot([1], [2], 'o')":                                                     {`"marker":"o"`},
		"plt.plot([1], [2], 'g')":                                                     {`"color":"#008000"`, `"style":"-"`},
		"plt.plot([1], [2], [3], [4])":                                                {`"cycle":0`, `"x":[3],"y":[4],"cycle":1`},
		"plt.plot(np.array([[1., 2.], [3., 4.]]))":                                    {`"y":[1,3]`, `"y":[2,4]`},
		"plt.plot(torch.arange(2), [None, 1])":                                        {`"x":[0,1],"y":[null,1]`},
		"plt.loglog([1], [2], base=2)":                                                {`"x":{"base":2},"y":{"base":2}`},
		"plt.semilogx([1], [2])":                                                      {`"x":{"base":10},"y":{}`},
		"plt.xscale('log'); plt.xscale('linear')":                                     {`"x":{}`},
		"plt.scatter([1, 2], [3, 4], s=9, c=['r', 'b'])":                              {`"kind":"scatter"`, `"sizes":[9]`, `"colors":["#ff0000","#0000ff"]`},
		"plt.scatter([1, 2], [3, 4], c=[0, 5], cmap='hot')":                           {`"colors":["#0b0000","#ffffff"]`},
		"plt.bar(['p', 'q'], [1, 2], bottom=[3, 4])":                                  {`"names":["p","q"]`, `"x":[0,1],"y":[1,2],"base":[3,4]`},
		"plt.barh([0], [2], color=(1, 0, 0))":                                         {`"kind":"sidebars"`, `"color":"#ff0000"`},
		"plt.hist([0, 1, 1, 2], bins=2)":                                              {`"x":[0.5,1.5],"y":[1,3]`, `"width":1`},
		"plt.hist([0, 1, 1, 2], bins=2, density=True)":                                {`"y":[0.25,0.75]`},
		"plt.bar([1], [2], linewidth=3)":                                              {`"width":0.8`},
		"plt.legend(handles=plt.plot([1], [2]), labels=['h'])":                        {`"label":"h"`},
		"print(plt.xlim(1, 2)); plt.axis([3, 4, 5, 6])":                               {`"x":{"low":3,"high":4},"y":{"low":5,"high":6}`},
		"plt.fill_between([1, 2], [3, 4], alpha=0.2)":                                 {`"kind":"band"`, `"base":[0,0]`, `"alpha":0.2`},
		"plt.axhline(3, ls=':')":                                                      {`"kind":"horizontal","y":[3]`, `"style":":"`},
		"plt.text(1, 2, 'hi')":                                                        {`"kind":"text","x":[1],"y":[2]`, `"text":"hi"`},
		"plt.errorbar([1], [2], yerr=[0.5], fmt='o')":                                 {`"kind":"band","x":[1],"y":[2.5],"base":[1.5]`},
		"plt.imshow([[1, 2], [3, 4]], cmap='gray', vmax=8)":                           {`"rows":2,"columns":2,"channels":1,"values":[1,2,3,4],"low":1,"high":8,"colormap":"gray"`, `"equal":true`},
		"plt.imshow(torch.zeros(1, 1, 3, dtype=torch.uint8))":                         {`"channels":3,"values":[0,0,0],"low":0,"high":255`},
		"plt.imshow([[1]]); plt.colorbar()":                                           {`"colorbar":true`},
		"plt.title('T'); plt.xlabel('X'); plt.ylabel('Y')":                            {`"title":"T","x":{"label":"X"},"y":{"label":"Y"}`},
		"plt.grid(); plt.legend(['a']); plt.axis('off')":                              {`"hidden":true,"grid":true,"legend":true`},
		"plt.plot([1], [2])\nplt.legend(['a'])":                                       {`"label":"a"`},
		"plt.xlim(1, 2); plt.ylim(top=3)":                                             {`"x":{"low":1,"high":2},"y":{"high":3}`},
		"plt.xticks([1, 2], ['a', 'b'])":                                              {`"ticks":[1,2],"names":["a","b"]`},
		"fig, ax = plt.subplots(figsize=(2, 3)); ax.set(title='T', xscale='log')":     {`"width":2,"height":3,"rows":1,"columns":1`, `"title":"T","x":{"base":10}`},
		"f, a = plt.subplots(2, 2); a[1, 0].plot([1], [2]); a.flat[3].set_title('d')": {`"row":1,"column":0,"x":{},"y":{},"marks":[{"kind":"line"`, `"row":1,"column":1,"title":"d"`},
		"plt.subplot(1, 2, 2); plt.suptitle('S')":                                     {`"title":"S"`, `"rows":1,"columns":2,"axes":[{"row":0,"column":1`},
		"b = plt.bar([1], [2]); plt.bar_label(b)":                                     {`"kind":"text","x":[1],"y":[2]`, `"text":"2"`},
	} {
		figures, out := plotted(t, true, text)
		if out.Diagnostics.HasErrors() || len(figures) != 1 {
			t.Errorf("%s: %d figures, %s", text, len(figures), words(out.Diagnostics))
			continue
		}
		for _, part := range want {
			if !strings.Contains(figures[0], part) {
				t.Errorf("%s makes\n%s\nwithout %s", text, figures[0], part)
			}
		}
	}
}

// TestPlotErrors checks that what cannot be drawn raises matplotlib's exception.
func TestPlotErrors(t *testing.T) {
	for text, want := range map[string]string{
		"plt.plot([1], [2, 3])":                  "ValueError: x and y must have same first dimension, but have shapes (1,) and (2,)",
		"plt.plot([1], foo=2)":                   "AttributeError: Artist.set() got an unexpected keyword argument 'foo'",
		"plt.plot([1], 'nope')":                  "ValueError: 'nope' is not a valid format string (unrecognized character 'n')",
		"plt.plot([1], color='nope')":            "ValueError: 'nope' is not a valid value for color",
		"plt.imshow(torch.zeros(1, 1, 2))":       "TypeError: Invalid shape (1, 1, 2) for image data",
		"plt.imshow([[1]], cmap='nope')":         "ValueError: 'nope' is not a known colormap name",
		"plt.plot(torch.ones(1, device='cuda'))": "TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
		"plt.subplots(1000, 1000)":               "ValueError: over a limit of newt: a figure has 1 to 100 plots, not 1000 by 1000",
		"plt.bar([1, 2], [1, 2, 3])":             "ValueError: shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape (2,) and arg 1 with shape (3,).",
	} {
		_, out := plotted(t, true, text)
		if !strings.HasSuffix(out.Traceback, want+"\n") {
			t.Errorf("%s: %s\nwant %s", text, out.Traceback, want)
		}
	}
}

// TestShowFigures checks when figures are shown: by show and at the end of a notebook's cell, once; in a script also
// those that were only saved.
func TestShowFigures(t *testing.T) {
	const one, two = "plt.plot([1]); ", "plt.figure(); plt.plot([2]); "
	for _, test := range []struct {
		notebook bool
		text     string
		names    string
	}{
		{true, one, "-"}, {false, one, ""}, {false, one + "plt.show()", "-"}, {true, one + "plt.show()", "-"},
		{true, one + two, "- -"}, {false, one + "plt.savefig('a.png'); plt.show()", "a.png"},
		{false, one + "plt.savefig('d/b')", "b.png"}, {false, one + "plt.savefig('a.png'); plt.savefig('b.svg')", "a.png b.svg"},
		{true, one + "plt.close()", ""}, {true, one + two + "plt.close('all')", ""}, {true, one + two + "plt.close(1)", "-"},
		{false, one + "plt.savefig('a.png'); plt.close()", "a.png"},
	} {
		figures, out := plotted(t, test.notebook, test.text)
		var names []string
		for _, text := range figures {
			var f figure.Figure
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				t.Error(err)
			}
			names = append(names, f.Name+"-"[min(len(f.Name), 1):])
		}
		if got := strings.Join(names, " "); got != test.names || out.Diagnostics.HasErrors() {
			t.Errorf("notebook %v: %s shows %q, want %q; %s", test.notebook, test.text, got, test.names, words(out.Diagnostics))
		}
	}
}

// TestReportFigure checks the figure that triton.testing draws of a benchmark.
func TestReportFigure(t *testing.T) {
	figures, out := plotted(t, false, `
import triton
@triton.testing.perf_report(triton.testing.Benchmark(x_names=["n", "m"], x_vals=[2, 4], x_log=True, line_arg="who",
    line_vals=["a", "b"], line_names=["A", "B"], styles=[("blue", "-"), (None, "--")], ylabel="GB/s", plot_name="speed", args={}))
def bench(n, m, who):
    return (n, n - 1, n + 1) if who == "a" else n * 2
bench.run(save_path="out")
print(open("out/speed.csv").read())
`)
	if out.Diagnostics.HasErrors() || len(figures) != 1 {
		t.Fatalf("%d figures, %s", len(figures), words(out.Diagnostics))
	}
	for _, part := range []string{`"name":"speed.png"`, `"x":{"label":"n","base":10},"y":{"label":"GB/s"}`, `"legend":true`,
		`"kind":"band","x":[2,4],"y":[3,5],"base":[1,3],"color":"#0000ff","cycle":0,"alpha":0.15`,
		`"label":"A","x":[2,4],"y":[2,4],"color":"#0000ff"`, `"label":"B","x":[2,4],"y":[4,8],"cycle":0,"style":"--"`} {
		if !strings.Contains(figures[0], part) {
			t.Errorf("without %s:\n%s", part, figures[0])
		}
	}
}

// TestErrorInLibraryText checks that an exception of newt's own Python is shown at the call that led to it.
func TestErrorInLibraryText(t *testing.T) {
	file := source.NewFile("cell.py", "import matplotlib.pyplot as plt\nplt.plot([1], foo=2)\n")
	out := New(withLibraries(Options{})).Run(file)
	if len(out.Diagnostics) != 1 {
		t.Fatalf("%d diagnostics", len(out.Diagnostics))
	}
	if got := file.Slice(out.Diagnostics[0].Primary.Span); got != "plt.plot([1], foo=2)" {
		t.Errorf("shown at %q", got)
	}
}
