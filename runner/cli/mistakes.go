package cli

import (
	"context"
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	mistakes "github.com/newtlab/newt/compiler/explain"
	"github.com/newtlab/newt/interp/explain"
	"github.com/newtlab/newt/runner/operation"
)

var explainCommand = &command{
	name:  "explain",
	args:  "[CODE] [--json] [--lang en|zh]",
	short: "explain a diagnostic by an example",
	help: "Takes what a diagnostic has in brackets, such as plain-constexpr, and prints a program that newt reports so,\n" +
		"the report, with the message of Triton itself where there is one, and the program put right. Without CODE it\n" +
		"lists all that have an example.",
	run: explainCode,
}

func explainCode(_ context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	asJSON := set.Bool("json", false,
		"print the explanation of CODE as a JSON object, or without CODE those of all as an array")
	words, status, done := c.parse(e, set, args, 0, 1)
	if done {
		return status
	}
	to := diag.Printer{Lang: diag.ParseLang(*lang), Color: e.colors(e.Stdout)}
	if len(words) == 0 && *asJSON {
		list := []operation.Explanation{}
		for _, p := range explain.Pages() {
			list = append(list, explanationOf(p, to.Lang))
		}
		writeJSON(e.Stdout, list)
		return exitOK
	}
	if len(words) == 0 {
		for _, p := range explain.Pages() {
			fmt.Fprintf(e.Stdout, "%-28s %s\n", p.Code, p.Headline(to.Lang))
		}
		return exitOK
	}
	page := explain.Of(words[0])
	if page == nil {
		return c.fail(e, fmt.Errorf("unknown code %q%s", words[0], nearest(words[0], diag.Codes())))
	}
	if *asJSON {
		writeJSON(e.Stdout, explanationOf(page, to.Lang))
		return exitOK
	}
	fmt.Fprint(e.Stdout, page.Text(to))
	return exitOK
}

// explanationOf is a page as JSON.
func explanationOf(p *mistakes.Page, lang diag.Lang) operation.Explanation {
	out := operation.Explanation{Code: p.Code, Headline: p.Headline(lang), Fixed: p.Fixed}
	if p.File != nil {
		out.Program, out.Reports = p.File.Text, diag.ToJSON(p.File, p.List, lang)
	}
	return out
}
