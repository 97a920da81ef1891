package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// samples are a document of each form, with the cells that it has: kind, line, source, output.
var samples = []struct {
	name, text string
	format     Format
	cells      []string
}{
	{"script.py", "import torch\n\nprint(1)\n", Python, []string{"code 1 import torch\n\nprint(1)"}},
	{"empty.py", "", Python, []string{"code 1 "}},
	{"cells.py", "# ---\n# jupyter:\n# ---\n\n# %% [markdown] id=\"a\"\n# # Title\n#\n# text\n\n# %%\nx = 1\nx\n\n\n#%% a name\n\ny = 2",
		Python, []string{"markdown 6 # Title\n\ntext", "code 11 x = 1\nx", "code 16 \ny = 2"}},
	{"in.py", "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nx = 1\n\n\n# In[ ]:\n\n\nx\n", Python,
		[]string{"code 1 #!/usr/bin/env python\n# coding: utf-8", "code 5 \n\nx = 1", "code 11 \n\nx"}},
	{"windows.py", "# %%\r\nx = 1\r\ny = 2\r\n\r\n# %%\r\nx\r\n", Python, []string{"code 2 x = 1\ny = 2", "code 6 x"}},
	{"mark.py", "\ufeff# %%\nx\n", Python, []string{"code 2 x"}},
	{"quoted.py", "# %% [markdown]\n\"\"\"\nprose\n\"\"\"\n# %%\n# \\%% not a cell\n", Python,
		[]string{"markdown 2 prose", "code 6 # %% not a cell"}},
	{"a.md", "---\ntitle: x\n---\n\n# Title\n\ntext\n\n```python\nx = 1\n```\n\n```output\n1\n```\n\n```\nverbatim\n```\n\n- item\n\n  ```py\n  y = 2\n    z\n  ```\n",
		Markdown, []string{"markdown 5 # Title\n\ntext", "code 10 x = 1 -> 1\n", "markdown 17 ```\nverbatim\n```\n\n- item", "code 24 y = 2\n  z"}},
	{"nested.md", "~~~~markdown\n```python\nno\n```\n~~~~\n\n```{code-cell} ipython3\nyes\n```\n", Markdown,
		[]string{"markdown 1 ~~~~markdown\n```python\nno\n```\n~~~~", "code 8 yes"}},
	{"open.md", "text\n```python\nx", Markdown, []string{"markdown 1 text", "code 3 x"}},
	{"session.md", "```pycon\n>>> x = 1\n>>> for i in x:\n...     i\n...\n1\n>>> x\n```\nend", Markdown,
		[]string{"code 2 x = 1", "code 3 for i in x:\n    i -> 1\n", "code 7 x", "markdown 9 end"}},
	{"empty.md", "", Markdown, nil},
	{"", "In [1]: import torch\n   ...: x = 1\n\nIn [2]: x\nOut[2]: 1\n\nIn [3]: print(x)\n1\n", Transcript,
		[]string{"code 1 import torch\nx = 1", "code 4 x -> 1", "code 7 print(x) -> 1\n"}},
	{"", "In [1]:\n\nx = 1\ny\nOut[1]:\ntensor([1,\n        2])\nIn [ ]:\nprint(x)\n", Transcript,
		[]string{"code 3 x = 1\ny -> tensor([1,\n        2])", "code 9 print(x)"}},
	{"", "In [1]: for i in x:\n    print(i)\nIn [2]: x = 1\ny = 2\nIn [3]: print(2)\n2\n", Transcript,
		[]string{"code 1 for i in x:\n    print(i)", "code 3 x = 1\ny = 2", "code 5 print(2) -> 2\n"}},
	{"", "In [1]:\nx = 1\nprint(x)\nTraceback (most recent call last):\n", Transcript, []string{"code 2 x = 1\nprint(x) -> Traceback (most recent call last):\n"}},
	{"", ">>> def f():\n...     return 1\n...\n>>> f()\n1\n>>>\n", Transcript,
		[]string{"code 1 def f():\n    return 1", "code 4 f() -> 1\n", "code 6 "}},
	{"", "x = 1\n", Python, []string{"code 1 x = 1"}},
	{"", "# Title\n```python\nx\n```\n", Markdown, []string{"markdown 1 # Title", "code 3 x"}},
	{"a.ipynb", notebook4, Notebook, []string{"markdown 0 # Title", "code 0 x = 1\nx -> 1", "code 0 plot() -> <Figure>", "code 0 1/0 -> ZeroDivisionError"}},
	{"old.ipynb", notebook3, Notebook, []string{"markdown 0 ## Title", "code 0 x = 1 -> 1", "code 0 print(1) -> 1\n"}},
	{"new.ipynb", "", Notebook, nil},
}

const notebook4 = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "aaaa1111",
   "metadata": {"mine": [1, {"a": "\u00e9"}]},
   "source": [
    "# Title"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "bbbb2222",
   "metadata": {},
   "outputs": [
    {
     "data": {
      "text/plain": [
       "1"
      ]
     },
     "execution_count": 3,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": [
    "x = 1\n",
    "x"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "cccc3333",
   "metadata": {},
   "outputs": [
    {
     "data": {
      "image/png": "iVBORw0KGgo=\n",
      "text/plain": [
       "<Figure>"
      ]
     },
     "metadata": {"needs_background": "light"},
     "output_type": "display_data"
    }
   ],
   "source": "plot()"
  },
  {
   "cell_type": "code",
   "execution_count": 4,
   "id": "dddd4444",
   "metadata": {},
   "outputs": [
    {
     "ename": "ZeroDivisionError",
     "evalue": "division by zero",
     "output_type": "error",
     "traceback": [
      "ZeroDivisionError"
     ]
    }
   ],
   "source": [
    "1/0"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3",
   "language": "python",
   "name": "python3"
  },
  "strange": 1e400
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

const notebook3 = `{"metadata":{"name":"old"},"nbformat":3,"nbformat_minor":0,"worksheets":[{"cells":[
{"cell_type":"heading","level":2,"metadata":{},"source":["Title"]},
{"cell_type":"code","collapsed":false,"input":["x = 1"],"language":"python","metadata":{},"outputs":[
 {"output_type":"pyout","prompt_number":1,"text":["1"],"png":"iVBO"}],"prompt_number":1},
{"cell_type":"code","input":"print(1)","language":"python","outputs":[{"output_type":"stream","stream":"stdout","text":["1\n"]}]}]}]}`

func describe(c *Cell) string {
	s := fmt.Sprintf("%s %d %s", c.Kind, c.Line, c.Source)
	for _, o := range c.Outputs {
		text := strings.Join(o.Traceback, "\n")
		if plain, ok := o.Form("text/plain"); ok {
			text = plain
		}
		s += " -> " + o.Text + text
	}
	return s
}

func mustParse(t *testing.T, name, text string) *Document {
	t.Helper()
	d, list := Parse(name, text)
	if d == nil {
		t.Fatalf("%s: %s", name, list[0].Code)
	}
	return d
}

// TestParse reads every sample, and writes it again as it was.
func TestParse(t *testing.T) {
	for _, s := range samples {
		d := mustParse(t, s.name, s.text)
		var got []string
		for _, c := range d.Cells {
			got = append(got, describe(c))
			// The lines of a cell are those of its file, but for what prompts, fences and comments add.
			if lines := strings.Split(plain(s.text), "\n"); c.Line > 0 && c.Kind == Code {
				for i, l := range strings.Split(c.Source, "\n") {
					if at := c.Line - 1 + i; at >= len(lines) || !strings.Contains(strings.ReplaceAll(lines[at], `\%`, "%"), strings.TrimSpace(l)) {
						t.Errorf("%s: line %d is not %q", s.text, at+1, l)
					}
				}
			}
		}
		if d.Format != s.format || !slices.Equal(got, s.cells) {
			t.Errorf("%q: %s\n%q, want\n%q", s.text, d.Format, got, s.cells)
		}
		if d.Encode() != s.text {
			t.Errorf("unchanged, but written as\n%q\nwant\n%q", d.Encode(), s.text)
		}
		// Cell by cell it is the same text too.
		if d.cells = nil; d.Format != Notebook && d.Encode() != s.text {
			t.Errorf("cell by cell written as\n%q\nwant\n%q", d.Encode(), s.text)
		}
		if d.notebook != nil && d.notebook.cells != (extent{}) && d.encodeNotebook() == "" {
			t.Errorf("%s is written as nothing", s.name)
		}
	}
}

// TestChanges: a change of one cell is a change of its text alone.
func TestChanges(t *testing.T) {
	replaced := func(text, old, new string) string {
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q is not once in the text", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	cells, session := samples[2].text, samples[11].text
	for _, c := range []struct {
		name, text string
		change     func(d *Document)
		want       string
	}{
		{"a source", notebook4, func(d *Document) { d.Cells[1].Source = "x = \"é<\\\"\nx\n" },
			replaced(notebook4, "    \"x = 1\\n\",\n    \"x\"\n", "    \"x = \\\"é<\\\\\\\"\\n\",\n    \"x\\n\"\n")},
		{"a source that is a string", notebook4, func(d *Document) { d.Cells[2].Source = "a\nb" }, replaced(notebook4, `"plot()"`, `"a\nb"`)},
		{"no outputs", notebook4, func(d *Document) { d.Cells[3].Outputs, d.Cells[3].Count = nil, 0 },
			replaced(replaced(notebook4, notebook4[strings.Index(notebook4, "[\n    {\n     \"ename\""):strings.Index(notebook4, ",\n   \"source\": [\n    \"1/0\"")], "[]"),
				`"execution_count": 4`, `"execution_count": null`)},
		{"one more output", notebook4, func(d *Document) {
			d.Cells[2].Outputs = append(d.Cells[2].Outputs, Stream("stdout", "a\nb\n"), Shown("display_data", MIME{"text/plain", "f"}, MIME{"image/svg+xml", "<svg>\n</svg>"}))
		}, replaced(notebook4, "     \"output_type\": \"display_data\"\n    }\n", `     "output_type": "display_data"
    },
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "a\n",
      "b\n"
     ]
    },
    {
     "data": {
      "image/svg+xml": [
       "<svg>\n",
       "</svg>"
      ],
      "text/plain": [
       "f"
      ]
     },
     "metadata": {},
     "output_type": "display_data"
    }
`)},
		{"a cell less", notebook4, func(d *Document) { d.Cells = d.Cells[:3] },
			notebook4[:strings.Index(notebook4, ",\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 4")] + notebook4[strings.Index(notebook4, "\n ],\n \"metadata\""):]},
		{"a cell more", notebook4, func(d *Document) {
			d.Cells = append(d.Cells[:1:1], append([]*Cell{{Kind: Code, Source: "new", ID: "eeee5555"}}, d.Cells[1:]...)...)
		}, replaced(notebook4, "    \"# Title\"\n   ]\n  },\n", "    \"# Title\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"eeee5555\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n    \"new\"\n   ]\n  },\n")},
		{"a cell's body", cells, func(d *Document) { d.Cells[1].Source = "# %% x" }, replaced(cells, "x = 1\nx", "# \\%% x")},
		{"prose", cells, func(d *Document) { d.Cells[0].Source = "a\n\n%% b" }, replaced(cells, "# # Title\n#\n# text", "# a\n#\n# \\%% b")},
		{"a cell at the end", cells, func(d *Document) { d.Cells = append(d.Cells, &Cell{Kind: Prose, Source: "end"}) },
			cells + "\n# %% [markdown]\n# end\n\n"},
		{"Markdown", samples[7].text, func(d *Document) {
			d.Cells[1].Outputs = []Output{Stream("stdout", "2")}
			d.Cells[3].Source = "a\nb"
		}, replaced(replaced(samples[7].text, "1\n```\n\n```\nv", "2\n```\n\n```\nv"), "y = 2\n    z", "a\n  b")},
		{"Markdown without outputs", samples[7].text, func(d *Document) { d.Cells[1].Outputs = nil },
			replaced(samples[7].text, "\n```output\n1\n```\n", "")},
		{"a session in Markdown", samples[10].text, func(d *Document) { d.Cells[1].Source = "a\nb" },
			replaced(samples[10].text, "for i in x:\n...     i\n...\n", "a\n... b\n")},
		{"a session", session, func(d *Document) { d.Cells[1].Outputs, d.Cells[0].Source = nil, "a\nb" },
			session},
	} {
		name := map[bool]string{true: "a.ipynb", false: "a.py"}[strings.HasPrefix(c.text, "{")]
		if strings.Contains(c.text, "```") {
			name = "a.md"
		}
		if c.name == "a session" {
			c.text = samples[12].text
			c.want = strings.Replace(strings.Replace(c.text, "Out[2]: 1\n", "", 1), "import torch\n   ...: x = 1", "a\n   ...: b", 1)
			name = ""
		}
		d := mustParse(t, name, c.text)
		c.change(d)
		if got := d.Encode(); got != c.want {
			t.Errorf("%s: written as\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestConvert: a document in another format has the same cells, also after it has been written and read.
func TestConvert(t *testing.T) {
	for _, s := range samples {
		d := mustParse(t, s.name, s.text)
		for _, format := range []Format{Python, Notebook, Markdown} {
			text := d.As("x", format).Encode()
			again, list := ParseAs(format, "x", text)
			if again == nil {
				t.Fatalf("%s as %s: %s", s.name, format, list[0].Code)
			}
			var want, got []string
			for _, c := range d.Cells {
				if strings.TrimSpace(c.Source) != "" {
					want = append(want, strings.TrimSpace(c.Source))
				}
			}
			for _, c := range again.Cells {
				if strings.TrimSpace(c.Source) != "" {
					got = append(got, strings.TrimSpace(c.Source))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s as %s:\n%s\nhas %q, want %q", s.name, format, text, got, want)
			}
		}
	}
}

// TestText: an unchanged text changes nothing, a changed cell keeps its outputs and its place in the file.
func TestText(t *testing.T) {
	for _, s := range samples {
		d := mustParse(t, s.name, s.text)
		d.Update(d.Text())
		if got := d.Encode(); got != s.text {
			t.Errorf("%s: after an update with its own text\n%q\nwant\n%q", s.name, got, s.text)
		}
	}
	d := mustParse(t, "a.ipynb", notebook4)
	d.Update(strings.Replace(d.Text(), "x = 1", "x = 2", 1))
	if want := strings.Replace(notebook4, "x = 1", "x = 2", 1); d.Encode() != want {
		t.Errorf("written as\n%s\nwant\n%s", d.Encode(), want)
	}
	d.Update("# %%\nnew = 0\n\n" + d.Text())
	if len(d.Cells) != 5 || d.Cells[2].ID != "bbbb2222" || len(d.Cells[2].Outputs) != 1 {
		t.Errorf("after a cell at the beginning: %q", d.Text())
	}
}

// TestPictures: a picture within prose has a name in the text, and is itself in the file.
func TestPictures(t *testing.T) {
	uri := "data:image/png;base64," + strings.Repeat("iVBORw0K", 40)
	prose := func(n int) string {
		return fmt.Sprintf(`{"cell_type": "markdown", "metadata": {}, "source": ["# Part %d  \n", "![a](%s)"]}`, n, uri)
	}
	text := `{"cells": [` + prose(1) + ", " + prose(2) + `], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}`
	d := mustParse(t, "a.ipynb", text)
	shown, pictures := d.Text(), d.Pictures()
	if len(pictures) != 1 || strings.Contains(shown, "iVBOR") || strings.Count(shown, "![a]("+pictures[0].Name+")") != 2 {
		t.Fatalf("%d pictures in\n%s", len(pictures), shown)
	}
	d.Update(strings.Replace(shown, "Part 2", "Part two", 1))
	if want := strings.Replace(text, "Part 2", "Part two", 1); d.Encode() != want {
		t.Errorf("written as\n%s\nwant\n%s", d.Encode(), want)
	}
	if got := d.Restored(shown); strings.Count(got, uri) != 2 {
		t.Errorf("restored:\n%s", got)
	}
}

func TestScript(t *testing.T) {
	d := mustParse(t, "cells.py", samples[2].text).Script()
	if len(d.Cells) != 1 || d.Cells[0].Source != samples[2].text || d.Cells[0].Line != 1 {
		t.Errorf("%+v", d.Cells[0])
	}
}

// TestRefused: what is not a document says why, and where.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, code, at string }{
		{"a.py", "x\xff", "document-encoding", "\xff"},
		{"a.ipynb", "{\"cells\": [}", "document-json", "}"},
		{"a.ipynb", "{\"nbformat\": 4, \"cells\": [{\"sou", "document-json", ""},
		{"a.ipynb", "<<<<<<< HEAD\n{}", "document-json", "<<<<<<< HEAD\n{}"},
		{"a.ipynb", "[]", "document-notebook", "[]"},
		{"a.ipynb", "{}", "document-notebook", "{}"},
		{"a.ipynb", `{"nbformat": 4}`, "document-notebook", `{"nbformat": 4}`},
		{"a.ipynb", `{"nbformat": 4, "cells": {}}`, "document-notebook", `{"nbformat": 4, "cells": {}}`},
		{"a.ipynb", `{"nbformat": 3}`, "document-notebook", `{"nbformat": 3}`},
		{"a.ipynb", `{"nbformat": 2, "worksheets": []}`, "document-notebook-version", `2, "worksheets": []}`},
		{"a.ipynb", `{"nbformat": "4", "cells": []}`, "document-notebook-version", `"4", "cells": []}`},
		{"a.ipynb", `{"nbformat": 4, "cells": [{"cell_type": "code"}]}`, "document-notebook-cell", `{"cell_type": "code"}]}`},
		{"a.ipynb", `{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}`, "document-notebook-cell", `{"cell_type": "code", "source": [1]}]}`},
		{"a.ipynb", `{"nbformat": 4, "cells": [7]}`, "document-notebook-cell", "7]}"},
		{"a.ipynb", `{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "x"}]}, {}, 4]}`, "document-notebook-cell", `{"cell_type": "x"}]}, {}, 4]}`},
		{"a.ipynb", "\ufeff" + `{"nbformat": 4, "cells": [], "metadata": {"kernelspec": {"language": "julia"}}}`, "document-language", `4, "cells": [], "metadata": {"kernelspec": {"language": "julia"}}}`},
		{"a.ipynb", strings.Repeat("[", 100_000), "document-json", ""},
	} {
		d, list := Parse(c.name, c.text)
		if d != nil || len(list) != 1 || list[0].Code != c.code {
			t.Errorf("%.40q: %v", c.text, list)
			continue
		}
		if at := c.text[min(int(list[0].Primary.Span.Start), len(c.text)):]; c.at != "" && at != c.at {
			t.Errorf("%.40q: the place is %q, want %q", c.text, at, c.at)
		}
	}
}

func TestLimits(t *testing.T) {
	if d, list := Parse("a.py", strings.Repeat("# %%\n", MaxCells+1)); d != nil || list[0].Code != "document-cells" {
		t.Errorf("%v", list)
	}
}

func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		source, text string
		notes        string
	}{
		{"x = 1\nx % 2\n", "x = 1\nx % 2\n", ""},
		{"%matplotlib inline\nx", "#%matplotlib inline\nx", ""},
		{"!pip install torch\nx", "#!pip install torch\nx", "1 document-shell"},
		{"if x:\n    !ls\ny", "if x:\n    pass  # !ls\ny", "2 document-shell"},
		{"files = !ls", "#files = !ls", "1 document-magic"},
		{"%time x = f()", "x = f()", ""},
		{"%timeit -n 10 -r3 f()", "f()", "1 document-magic-once"},
		{"\n%%time\nx", "\n#%%time\nx", ""},
		{"%%timeit -n 3\nx", "#%%timeit -n 3\nx", "1 document-magic-once"},
		{"%%bash\nls", "", "1 document-magic"},
		{"torch.add?\n?f\nf??", "#torch.add?\n#?f\n#f??", ""},
		{"x = (a\n%b)\n'''\n!ls\n'''\ny = 1 \\\n% 2", "x = (a\n%b)\n'''\n!ls\n'''\ny = 1 \\\n% 2", ""},
		{"'it\n%who\n\"\\\"\"\n%who", "'it\n#%who\n\"\\\"\"\n#%who", ""},
		{"x = [ # )\n'''a\\'b''']\n%fetch a.py", "x = [ # )\n'''a\\'b''']\n#%fetch a.py", "3 document-magic"},
		{"if x:\n  %run it's.py -n 3", "if x:\n  get_ipython().run_line_magic('run', 'it\\'s.py -n 3')", ""},
		{"!A=1 python3 -m a \"b\"\n!python x.py > y\n!python-config",
			"get_ipython().system('A=1 python3 -m a \"b\"')\n#!python x.py > y\n#!python-config", "2 document-shell, 3 document-shell"},
	} {
		got := CodeOf(c.source)
		var notes []string
		for _, n := range got.Notes {
			notes = append(notes, fmt.Sprint(n.Line, " ", n.Code))
		}
		if got.Text != c.text || strings.Join(notes, ", ") != c.notes {
			t.Errorf("%q gives %q, %v", c.source, got.Text, notes)
		}
	}
	if c := CodeOf("%%writefile -a \"lib/f.py\"\nx = 1\n"); c.File != "lib/f.py" || c.Content != "x = 1\n" || !c.Append || c.Text != "" {
		t.Errorf("%+v", c)
	}
	if c := CodeOf("%%html\n<b>x</b>"); len(c.Shows) != 1 || c.Shows[0].Data[0] != (MIME{"text/html", "<b>x</b>"}) {
		t.Errorf("%+v", c)
	}
	if c := CodeOf("%%capture out\nx"); !c.Quiet || c.Text != "#%%capture out\nx" {
		t.Errorf("%+v", c)
	}
}

func TestPlace(t *testing.T) {
	for name, want := range map[string]string{"a.ipynb": "a.ipynb:cell 2 1", "cells.py": "cells.py 11", "a.md": "a.md 10"} {
		for _, s := range samples {
			if s.name == name {
				d := mustParse(t, s.name, s.text)
				if file, line := d.Place(d.Cells[1]); fmt.Sprint(file, " ", line) != want {
					t.Errorf("%s %d, want %s", file, line, want)
				}
			}
		}
	}
}

// FuzzParse: any text is a document or is refused with a place; a document is written as it was, can be changed, and its
// text gives the same document.
func FuzzParse(f *testing.F) {
	for _, s := range samples {
		f.Add(s.name, s.text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		d, list := Parse(name, text)
		if d == nil {
			if at := list[0].Primary.Span; at.Start < 0 || at.Start > at.End || int(at.End) > len(text) {
				t.Fatalf("the place %v is not in the text", at)
			}
			return
		}
		if d.Encode() != text {
			t.Fatalf("written as %q", d.Encode())
		}
		for _, c := range d.Cells {
			CodeOf(c.Source)
		}
		d.Update(d.Text())
		if d.Encode() != text && d.Format != Notebook && !strings.Contains(text, "\r") {
			t.Fatalf("after an update written as %q", d.Encode())
		}
		for _, c := range d.Cells {
			c.Source, c.Outputs, c.Count = c.Source+"\n1", []Output{Stream("stdout", "1\n")}, 7
		}
		if again, list := ParseAs(d.Format, name, d.Encode()); again == nil && list[0].Code != "document-cells" {
			t.Fatalf("changed, it is refused: %s\n%s", list[0].Code, d.Encode())
		}
	})
}

// BenchmarkNotebook reads a notebook with 20 MB of pictures, changes a cell and writes it.
func BenchmarkNotebook(b *testing.B) {
	picture := `{"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["x"], "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"image/png": "` +
		strings.Repeat("iVBORw0KGgo", 100_000) + `\n"}}]}`
	text := `{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [` + strings.Repeat(picture+",", 18) + picture + "]}"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d, _ := Parse("a.ipynb", text)
		d.Cells[3].Source = "y"
		_ = d.Encode()
	}
}
