package cli

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var completionCommand = &command{
	name:  "completion",
	args:  "bash|zsh|fish",
	short: "print a script with which a shell completes newt's commands and flags",
	help: "Prints a script for a shell. For bash, put   source <(newt completion bash)   into ~/.bashrc; for zsh, after\n" +
		"compinit,   source <(newt completion zsh)   into ~/.zshrc; for fish, run   newt completion fish >\n" +
		"~/.config/fish/completions/newt.fish",
	run: func(_ context.Context, e *Env, c *command, args []string) int {
		set, _ := c.flags(e)
		words, status, done := c.parse(e, set, args, 1, 1)
		if done {
			return status
		}
		shell := shells[words[0]]
		if shell == nil {
			return c.misuse(e, fmt.Sprintf("a shell is one of %s, not %q",
				strings.Join(slices.Sorted(maps.Keys(shells)), ", "), words[0]))
		}
		fmt.Fprint(e.Stdout, shell())
		return exitOK
	},
}

// shells write the script for a shell.
var shells = map[string]func() string{
	"bash": bashCompletion,
	"zsh":  func() string { return "autoload -U +X bashcompinit && bashcompinit\n" + bashCompletion() },
	"fish": fishCompletion,
}

var flagName = regexp.MustCompile(`(?m)^  -(\S+)`)

// flagNames are the flags of a command, as its help lists them.
func (c *command) flagNames() (names []string) {
	var help bytes.Buffer
	e := &Env{Stdout: &help, Stderr: &help, Getenv: func(string) string { return "" }}
	c.run(context.Background(), e, c, []string{"--help"})
	for _, m := range flagName.FindAllStringSubmatch(help.String(), -1) {
		names = append(names, m[1])
	}
	return names
}

// bashCompletion completes the command, then its flags and names of files.
func bashCompletion() string {
	var b strings.Builder
	var names []string
	b.WriteString("_newt() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} flags=\n\tcase ${COMP_WORDS[1]} in\n")
	for _, c := range commands {
		names = append(names, c.name)
		if flags := c.flagNames(); len(flags) > 0 {
			fmt.Fprintf(&b, "\t%s) flags='--%s' ;;\n", c.name, strings.Join(flags, " --"))
		}
	}
	fmt.Fprintf(&b, "\tesac\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '%s' -- \"$word\"))\n",
		strings.Join(names, " "))
	b.WriteString("\telif [[ $word == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n" +
		"\telse\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\tfi\n}\ncomplete -o filenames -F _newt newt\n")
	return b.String()
}

func fishCompletion() string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c newt -n __fish_use_subcommand -f -a %s -d '%s'\n", c.name,
			strings.ReplaceAll(c.short, "'", `\'`))
		for _, name := range c.flagNames() {
			option := "-l " + name
			if len(name) == 1 {
				option = "-s " + name
			}
			fmt.Fprintf(&b, "complete -c newt -n '__fish_seen_subcommand_from %s' %s\n", c.name, option)
		}
	}
	return b.String()
}
