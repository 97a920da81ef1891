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

// repository is what findings are about in what is written for tools: the workflow's checkout, or else the folder that
// newt was started in. NEWT_PAGE is the page that findings link to.
func (e *Env) repository() findings.Repository {
	folder, err := os.Getwd()
	if err != nil {
		folder = "."
	}
	return findings.Repository{Root: cmp.Or(e.Getenv("GITHUB_WORKSPACE"), folder), Page: e.Getenv("NEWT_PAGE"),
		Summary: e.Getenv("GITHUB_STEP_SUMMARY")}
}
