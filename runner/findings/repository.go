package findings

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/share/link"
)

// Repository is the source tree that findings are about, and what is known of where they are read.
type Repository struct {
	Root    string // the names of files in it are written relative to it
	Page    string // the address of a page of newt's, to which findings link; "" for none
	Summary string // the file to append a summary in Markdown to; "" for none
}

// maxLinked is the size of the largest file that a link holds, in bytes.
const maxLinked = 1 << 20

// linker makes links to a page.
type linker struct {
	Repository
	made map[string]string // by file
}

// link is an address at which the page opens a file, as the repository has it; "" if there is none. What a symbolic
// link leads to is no file of the repository.
func (l *linker) link(file string) string {
	if made, ok := l.made[file]; ok || l.Page == "" {
		return made
	}
	l.made[file] = ""
	address, err := url.Parse(l.Page)
	name := filepath.Join(l.Root, filepath.FromSlash(file))
	info, missing := os.Lstat(name)
	if err != nil || missing != nil || !info.Mode().IsRegular() || info.Size() > maxLinked || !filepath.IsLocal(file) {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	state := link.State{Source: string(text), View: "document",
		Document: &link.Document{Name: filepath.Base(file), Format: "python"}}
	if strings.HasSuffix(file, ".ipynb") {
		state.Document.Format = "notebook"
	}
	payload, err := link.Encode(state)
	if err != nil || len(payload) > link.MaxAddress {
		return ""
	}
	address.Fragment = "l=" + payload
	l.made[file] = address.String()
	return l.made[file]
}

// maxSummary bounds a summary: GitHub drops one of more than a mebibyte.
const maxSummary = 900 << 10

// summarize appends a summary to a file: GitHub shows ten annotations of each level of a step, and no links in them.
func (l *linker) summarize(list []diag.JSON, failure string) error {
	f, err := os.OpenFile(l.Summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.summary(list, failure))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// summary is a table of the findings of each file.
func (l *linker) summary(list []diag.JSON, failure string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### newt: %d findings\n", len(list))
	if failure != "" {
		fmt.Fprintf(&b, "\n%s\n", markdown(failure))
	}
	last := ""
	for i := range list {
		d := &list[i]
		file, cell := fileAndCell(d.File)
		if b.Len() > maxSummary {
			fmt.Fprintf(&b, "\n%d more findings are left out.\n", len(list)-i)
			break
		}
		if i == 0 || file != last {
			title := markdown(file)
			if address := l.link(file); address != "" && b.Len()+len(address) < maxSummary {
				title = fmt.Sprintf("%s, [open in newt](%s)", title, address)
			}
			fmt.Fprintf(&b, "\n%s\n\n| line | | finding |\n|---|---|---|\n", title)
			last = file
		}
		line := ""
		if d.Place.Line > 0 {
			line = strings.TrimPrefix(fmt.Sprintf("%s, %d", cell, d.Place.Line), ", ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s (%s) |\n", markdown(line), d.Severity, markdown(d.Headline), markdown(d.Code))
	}
	b.WriteString("\n")
	return b.String()
}

// escapeMarkdown keeps a text from ending its cell or its line, and from being anything but text.
var escapeMarkdown = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "[", `\[`, "]", `\]`, "!", `\!`, `\`, `\\`,
	"*", `\*`, "_", `\_`, "~", `\~`)

// markdown is a text in Markdown, what is between two backticks as code.
func markdown(text string) string {
	parts := strings.Split(escapeMarkdown.Replace(html.EscapeString(text)), "`")
	for i := 1; i < len(parts); i += 2 {
		if i < len(parts)-1 {
			parts[i] = "<code>" + parts[i] + "</code>"
		} else {
			parts[i] = "\\`" + parts[i]
		}
	}
	return strings.Join(parts, "")
}
