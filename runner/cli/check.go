package cli

import (
	"cmp"
	"context"
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
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
)

var checkCommand = &command{
	name:  "check",
	args:  "FILE|FOLDER... [--site DIR] [--strict] [--json] [--lang en|zh]",
	short: "report the errors and warnings of documents",
	help: "Reads FILE (- is standard input), a script, a notebook, Markdown or a pasted session, runs nothing, and reports\n" +
		"every error and warning, with the message of Triton itself where there is one, and every module and name of a\n" +
		"module that newt does not have. What kernels take from other modules is read where newt run finds them. Places\n" +
		"in a notebook are FILE:cell N:LINE.\n\n" +
		"Of a FOLDER the scripts and notebooks are read, those of the folders in it too, but for hidden ones, packages\n" +
		"that are installed there and node_modules. What several documents share is reported once; where there are\n" +
		"several, the last line is a summary. The exit status is 1 if there are errors, and 2 if a file cannot be read.",
	run: check,
}

func check(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	strict := set.Bool("strict", false, "report as errors what Triton's GPU compiler refuses")
	asJSON := set.Bool("json", false, "print a JSON array")
	var packages sites
	packages.define(set)
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
	all := checks{seen: map[finding]bool{}, json: []diag.JSON{}}
	for _, name := range names {
		files, list, err := checkFile(ctx, e, name, packages, *strict)
		if ctx.Err() != nil {
			fmt.Fprintf(e.Stderr, "newt %s: stopped\n", c.name) // a part is not the answer
			return exitFail
		}
		if err != nil {
			status = c.fail(e, err)
			continue
		}
		list = all.add(files, list)
		if *asJSON {
			all.json = append(all.json, diag.ToJSON(files, list, diag.ParseLang(*lang))...)
			continue
		}
		if len(list) > 0 && all.printed {
			fmt.Fprintln(e.Stdout)
		}
		all.printed = all.printed || len(list) > 0
		writeDiagnostics(e, e.Stdout, files, list, *lang)
	}
	switch {
	case *asJSON:
		writeJSON(e.Stdout, all.json)
	case len(names) > 1:
		fmt.Fprintln(e.Stdout, all.summary().In(diag.ParseLang(*lang)))
	}
	if all.count[diag.Error] > 0 {
		status = max(status, exitFail)
	}
	return status
}

// checks are the findings of several documents, each once.
type checks struct {
	seen    map[finding]bool
	count   [diag.Hint + 1]int // by severity
	files   int                // that were read
	json    []diag.JSON
	printed bool
}

// finding is what a diagnostic says where: two documents that import a module both have those of the module.
type finding struct {
	file, code string
	start      int32
}

// add counts a document's diagnostics, and returns those that no document before it has.
func (c *checks) add(files source.Files, list diag.List) (fresh diag.List) {
	c.files++
	own := map[finding]bool{}
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
	return fresh
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

// checkFile checks the document in a file.
func checkFile(ctx context.Context, e *Env, name string, packages sites, strict bool) (
	source.Files, diag.List, error) {
	doc, file, list, err := readDocument(name)
	if err != nil || doc == nil {
		return source.Files(file), list, err
	}
	return checkDocument(ctx, e, doc, packages, strict)
}

// checkDocument checks all cells together, since they share their names.
func checkDocument(ctx context.Context, e *Env, doc *document.Document, packages sites, strict bool) (
	source.Files, diag.List, error) {
	beside, err := foldersOf(e, doc.Name, packages)
	if err != nil {
		return nil, nil, err
	}
	defer beside.Close()
	beside.asModule()
	options := compilation(ctx, beside)
	options.Files = script.FilesOf(doc, beside)
	text, files, list := doc.Program()
	set, joined := files.(*source.Set)
	if !joined {
		set = &source.Set{}
		text = set.Add(text)
	}
	tree, _ := syntax.Parse(text) // whose errors Check reports
	live := liveCode(options)
	modules := host.NewModules(options, set, filepath.ToSlash(filepath.Dir(doc.Name)))
	list = append(list, editor.Check(ctx, text, editor.Options{Strict: strict, Unchecked: true,
		Library: !host.Launches(live(tree)), Live: live, Import: modules.Import})...)
	list.AddNew(host.Lacks(tree, options)...)
	list.Sort()
	return set, list, nil
}
