package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/runner/findings"
	"github.com/newtlab/newt/runner/operation"
)

var checkCommand = &command{
	name:  "check",
	args:  "FILE|FOLDER... [--site DIR] [--strict] [--triton VERSION | --all-versions] [--format text|json|sarif|github] [--lang en|zh]",
	short: "report the errors and warnings of documents",
	help: "Reads FILE (- is standard input), a script, a notebook, Markdown or a pasted session, runs nothing, and reports\n" +
		"every error and warning, with the message of Triton itself where there is one, and every module and name of a\n" +
		"module that newt does not have. What kernels take from other modules is read where newt run finds them. Places\n" +
		"in a notebook are FILE:cell N:LINE.\n\n" +
		"Of a FOLDER the scripts and notebooks are read, those of the folders in it too, but for hidden ones, packages\n" +
		"that are installed there and node_modules. What several documents share is reported once; where there are\n" +
		"several, the last line is a summary. The exit status is 1 if there are errors, and 2 if a file cannot be read.\n\n" +
		"What is said is that of one version of Triton: of --triton, or else of the first comment line of the document that\n" +
		"is \"# triton: VERSION\", wherever it is, or else of the default. --all-versions says for each version whether it\n" +
		"accepts the document, warns or refuses, and why; a fix is listed if it is right in all of them, and the exit status\n" +
		"is 1 if one refuses. As JSON it is an array of {file, versions}, where versions are {triton, verdict, diagnostics}\n" +
		"from the oldest on, verdict is \"accepts\", \"warns\", \"refuses\", or \"unknown\" where newt lacks what it would take to\n" +
		"say, and diagnostics are errors and warnings as --json lists them, without hints.",
	run: check,
}

func check(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	var o checkOptions
	o.define(set)
	everyVersion := set.Bool("all-versions", false, "say what each version of Triton makes of the documents")
	var format findings.Format
	formatFlag(set, &format, "print a JSON array")
	words, status, done := c.parse(e, set, args, 1, math.MaxInt)
	if done {
		return status
	}
	var names []string
	for _, word := range words {
		found, err := documentsIn(word)
		if err != nil {
			status = c.fail(e, err)
		}
		names = append(names, found...)
	}
	if *everyVersion && format.IsForTools() {
		return c.misuse(e, "--all-versions is written as text or as JSON")
	}
	out := checks{ctx: ctx, e: e, format: format, lang: diag.ParseLang(*lang), seen: map[finding]bool{},
		list: []diag.JSON{}, versions: []operation.CheckedVersions{}}
	for _, name := range names {
		d, err := o.open(ctx, e, name)
		switch {
		case err != nil:
		case *everyVersion && d.text != nil:
			out.addVersions(d)
		case d.text != nil:
			out.add(d.set, d.check(d.text, o.triton))
		default:
			out.add(d.set, d.notes)
		}
		if d != nil {
			d.Close()
		}
		if ctx.Err() != nil {
			fmt.Fprintf(e.Stderr, "newt %s: stopped\n", c.name) // a part is not the answer
			return exitFail
		}
		if err != nil {
			status = c.fail(e, err)
		}
	}
	switch {
	case out.format == findings.JSON && *everyVersion:
		writeJSON(e.Stdout, out.versions)
	case out.format == findings.JSON:
		writeJSON(e.Stdout, out.list)
	case out.format.IsForTools():
		failure := ""
		if status == exitUsage {
			failure = "newt check: a file cannot be read"
		}
		if err := out.format.Write(e.Stdout, out.list, failure, e.repository()); err != nil {
			return c.fail(e, err)
		}
	case len(names) > 1 && !*everyVersion:
		fmt.Fprintln(e.Stdout, out.summary().In(out.lang))
	}
	if out.failed {
		status = max(status, exitFail)
	}
	return status
}

// checks are the findings of several documents, each once.
type checks struct {
	ctx      context.Context
	e        *Env
	format   findings.Format
	lang     diag.Lang
	seen     map[finding]bool
	count    [diag.Hint + 1]int          // by severity
	files    int                         // that were read
	failed   bool                        // there are errors, or a version of Triton refuses a document
	list     []diag.JSON                 // what is not written as text
	versions []operation.CheckedVersions // the same of --all-versions
	printed  bool
}

// finding is what a diagnostic says where: two documents that import a module both have those of the module.
type finding struct {
	file, code string
	start      int32
}

// add counts a document's diagnostics, and writes those that no document before it has.
func (c *checks) add(files source.Files, list diag.List) {
	if c.ctx.Err() != nil {
		return
	}
	c.files++
	own := map[finding]bool{}
	var fresh diag.List
	for _, d := range list {
		f := files.File(d.Primary.Span)
		at := finding{f.Name, d.Code, d.Primary.Span.Start - f.Base()}
		own[at] = true
		if !c.seen[at] {
			fresh = append(fresh, d)
			c.count[d.Severity]++
		}
	}
	for at := range own {
		c.seen[at] = true
	}
	c.failed = c.failed || fresh.HasErrors()
	if c.format != findings.Text {
		c.list = append(c.list, diag.ToJSON(files, fresh, c.lang)...)
		return
	}
	if len(fresh) > 0 {
		c.separate()
		fmt.Fprint(c.e.Stdout, c.printer().Print(files, fresh))
	}
}

// separate writes an empty line between the findings of two documents.
func (c *checks) separate() {
	if c.printed {
		fmt.Fprintln(c.e.Stdout)
	}
	c.printed = true
}

func (c *checks) printer() diag.Printer {
	return diag.Printer{Lang: c.lang, Color: c.e.colors(c.e.Stdout)}
}

var verdictPhrases = map[editor.Verdict]string{
	editor.Accepts: "check.triton-accepts", editor.Warns: "check.triton-warns",
	editor.Refuses: "check.triton-refuses", editor.Unknown: "check.triton-unknown",
}

// addVersions writes what each version of Triton makes of a document: a table, and below it what they say, each text
// once with the versions that say it.
func (c *checks) addVersions(d *checkedDocument) {
	list := editor.CheckVersions(d.text, d.check)
	if c.ctx.Err() != nil {
		return
	}
	for _, v := range list {
		c.failed = c.failed || v.Verdict == editor.Refuses
	}
	if c.format == findings.JSON {
		out := operation.CheckedVersions{File: d.name}
		for _, v := range list {
			out.Versions = append(out.Versions,
				operation.CheckedVersion{Triton: v.Version.String(), Verdict: v.Verdict,
					Diagnostics: diag.ToJSON(d.set, v.List, c.lang)})
		}
		c.versions = append(c.versions, out)
		return
	}
	c.separate()
	fmt.Fprintln(c.e.Stdout, d.name)
	said := map[string][]string{} // by what is said, who says it
	var order []string
	for _, v := range list {
		fmt.Fprintf(c.e.Stdout, "  Triton %s  %s\n", v.Version,
			diag.Text{Key: verdictPhrases[v.Verdict]}.In(c.lang))
		for _, d1 := range v.List {
			text := c.printer().One(d.set, d1)
			if said[text] == nil {
				order = append(order, text)
			}
			said[text] = append(said[text], v.Version.String())
		}
	}
	for _, text := range order {
		fmt.Fprintf(c.e.Stdout, "\nTriton %s:\n%s", strings.Join(said[text], ", "), text)
	}
}

func (c *checks) summary() diag.Text {
	return diag.Text{Key: "check.summary",
		Args: []any{c.files, c.count[diag.Error], c.count[diag.Warning], c.count[diag.Hint]}}
}

// documentsIn are the scripts and notebooks of a folder, or the file itself.
func documentsIn(name string) (list []string, err error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return []string{name}, nil // reading it says what is wrong
	}
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != name && isForeign(path):
			return fs.SkipDir
		case !d.IsDir() && slices.Contains([]string{".py", ".ipynb"}, strings.ToLower(filepath.Ext(path))):
			list = append(list, path)
		}
		return nil
	})
	if len(list) == 0 {
		err = cmp.Or(err, fmt.Errorf("%s has no scripts or notebooks: no file ends in .py or .ipynb", name))
	}
	return list, err
}

// isForeign reports whether what a folder holds is not the project's own: it is hidden, a virtual environment, or where
// packages are installed.
func isForeign(path string) bool {
	base := filepath.Base(path)
	if strings.HasPrefix(base, ".") || slices.Contains([]string{"__pycache__", "node_modules", "site-packages"}, base) {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "pyvenv.cfg"))
	return err == nil
}

// checkOptions say how documents are checked.
type checkOptions struct {
	strict   bool
	triton   triton.Version
	packages sites
}

// define adds the flags of the options.
func (o *checkOptions) define(set *flag.FlagSet) {
	set.BoolVar(&o.strict, "strict", false, "report as errors what Triton's GPU compiler refuses")
	tritonFlag(set, &o.triton)
	o.packages.define(set)
}

// checkedDocument is a document that can be checked: all cells together, since they share their names. Without a text
// it cannot be, and its notes say why.
type checkedDocument struct {
	name    string
	text    *source.File
	set     source.Files
	notes   diag.List // on the document and its cells
	beside  *folders
	options host.Options
	strict  bool
	ctx     context.Context
}

// open reads the document in a file. Close it after use.
func (o *checkOptions) open(ctx context.Context, e *Env, name string) (*checkedDocument, error) {
	doc, file, list, err := readDocument(name)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return &checkedDocument{name: name, set: file, notes: list}, nil
	}
	return o.openDocument(ctx, e, doc)
}

// openDocument is open for a document that has been read.
func (o *checkOptions) openDocument(ctx context.Context, e *Env, doc *document.Document) (*checkedDocument, error) {
	beside, err := foldersOf(e, doc.Name, o.packages)
	if err != nil {
		return nil, err
	}
	beside.asModule()
	d := &checkedDocument{name: doc.Name, beside: beside, options: compilation(ctx, beside), strict: o.strict, ctx: ctx}
	d.options.Files = script.FilesOf(doc, beside)
	text, files, notes := doc.Program()
	set, joined := files.(*source.Set)
	if !joined {
		set = &source.Set{}
		text = set.Add(text)
	}
	d.text, d.set, d.notes = text, set, notes
	return d, nil
}

// Close releases the folders that the document's modules are read from.
func (d *checkedDocument) Close() {
	if d.beside != nil {
		d.beside.Close()
	}
}

// check checks a text in the document's place for a version of Triton.
func (d *checkedDocument) check(text *source.File, version triton.Version) diag.List {
	asked, _ := triton.Requested(text.Text)
	options := d.options
	options.Triton = version.Or(asked)
	tree, _ := syntax.Parse(text) // whose errors Check reports
	live := liveCode(options)
	modules := host.NewModules(options, d.set.(*source.Set), filepath.ToSlash(filepath.Dir(d.name)))
	list := append(slices.Clone(d.notes), editor.Check(d.ctx, text, editor.Options{Strict: d.strict, Triton: version,
		Unchecked: true, Library: !host.Launches(live(tree)), Live: live, Import: modules.Import})...)
	list.AddNew(host.Lacks(tree, options)...)
	list.Sort()
	return list
}
