package findings

import (
	"fmt"
	"io"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// commands are the workflow commands of GitHub Actions by severity.
var commands = map[string]string{"error": "error", "warning": "warning", "hint": "notice"}

// What must not stand in a workflow command: % begins an escape, and a line ends the command; a property also ends at a
// comma, and its name at a colon (escapeData and escapeProperty of GitHub's actions/toolkit).
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a command a line:
//
//	::error file=kernels/add.py,line=9,endLine=9,col=5,endColumn=12,title=newt%3A out-of-bounds-load::…
func writeGitHub(w io.Writer, list []diag.JSON, failure string) error {
	for i := range list {
		d := &list[i]
		file, cell := fileAndCell(d.File)
		properties := []string{"file=" + escapeProperty.Replace(file)}
		if p := d.Place; cell == "" && p.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d,endLine=%d", p.Line, p.EndLine))
			if p.Line == p.EndLine { // columns of several lines are refused
				properties = append(properties, fmt.Sprintf("col=%d,endColumn=%d", p.Column, p.EndColumn))
			}
		}
		properties = append(properties, "title="+escapeProperty.Replace("newt: "+d.Code))
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", commands[d.Severity], strings.Join(properties, ","),
			escapeData.Replace(message(d, cell))); err != nil {
			return err
		}
	}
	if failure == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "::error title=newt::%s\n", escapeData.Replace(failure))
	return err
}
