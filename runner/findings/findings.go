// Package findings writes diagnostics for the tools around a repository: as a log of SARIF 2.1.0, which code hosts and
// editors read, and as the workflow commands of GitHub Actions, which annotate a change.
package findings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// Format is how findings are written.
type Format string

// The formats.
const (
	Text   Format = "" // for people
	JSON   Format = "json"
	SARIF  Format = "sarif"
	GitHub Format = "github"
)

// String implements flag.Value.
func (f *Format) String() string { return cmp.Or(string(*f), "text") }

// Set implements flag.Value.
func (f *Format) Set(text string) error {
	switch Format(text) {
	case "text":
		*f = Text
		return nil
	case JSON, SARIF, GitHub:
		*f = Format(text)
		return nil
	}
	return fmt.Errorf("it is none of text, json, sarif and github")
}

// IsForTools reports whether Write writes the format.
func (f Format) IsForTools() bool { return f == SARIF || f == GitHub }

// Write writes a list in a format for tools, and the failure where a command could not look at what it was given; it
// is empty where it could. Names of files in the repository become relative to its root.
func (f Format) Write(w io.Writer, list []diag.JSON, failure string, of Repository) error {
	for i := range list {
		list[i].File = relative(list[i].File, of.Root)
		for k := range list[i].Related {
			list[i].Related[k].File = relative(list[i].Related[k].File, of.Root)
		}
	}
	links := &linker{of, map[string]string{}}
	if of.Summary != "" {
		if err := links.summarize(list, failure); err != nil {
			return err
		}
	}
	if f == GitHub {
		return writeGitHub(w, list, failure)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifOf(list, failure, links))
}

// relative is a file's name as seen from a folder, with slashes. Texts that are no files have names in angle brackets.
func relative(name, root string) string {
	if name == "" || strings.HasPrefix(name, "<") {
		return name
	}
	if whole, err := filepath.Abs(name); err == nil {
		if below, err := filepath.Rel(root, whole); err == nil && filepath.IsLocal(below) {
			name = below
		}
	}
	return path.Clean(filepath.ToSlash(name))
}

// fileAndCell takes the name of a cell's text apart, "a.ipynb:cell 3": the lines of the diagnostic are the cell's, and
// those of the file are not known. cell is empty of other texts.
func fileAndCell(name string) (file, cell string) {
	if i := strings.LastIndex(name, ":cell "); i >= 0 {
		return name[:i], name[i+1:]
	}
	return name, ""
}

// message is what a diagnostic says without its place: the headline, and what to do about it.
func message(d *diag.JSON, cell string) string {
	text := d.Headline
	if cell != "" {
		text = fmt.Sprintf("%s, line %d: %s", cell, d.Place.Line, text)
	}
	for _, more := range []string{d.Why, d.Help} {
		if more != "" {
			text += "\n" + more
		}
	}
	return text
}
