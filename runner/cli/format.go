package cli

import (
	"cmp"
	"flag"
	"os"

	"github.com/newtlab/newt/runner/findings"
)

// formatFlag adds --format, and --json for that of JSON.
func formatFlag(set *flag.FlagSet, format *findings.Format, asJSON string) {
	set.Var(format, "format", "how findings are written: text, json, sarif (SARIF 2.1.0) or github (the workflow "+
		"commands of GitHub Actions)")
	set.BoolFunc("json", asJSON+"; the same as --format json", func(text string) error {
		if *format = findings.JSON; text == "false" {
			*format = findings.Text
		}
		return nil
	})
}

// repository is the folder that names of files are relative to in what is written for tools: that of the workflow's
// checkout, or else the one that newt was started in.
func (e *Env) repository() string {
	folder, err := os.Getwd()
	if err != nil {
		folder = "."
	}
	return cmp.Or(e.Getenv("GITHUB_WORKSPACE"), folder)
}
