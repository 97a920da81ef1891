package cli

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/newtlab/newt/runner/people"
)

var tokenCommand = &command{
	name:  "token",
	args:  "add NAME --people FILE [--oidc] [--weight N] [--jobs N] [--bytes N] | list --people FILE | revoke NAME --people FILE",
	short: "give people tokens for a runner",
	help: "Changes the file that `newt serve --people FILE` reads, which notices it within a second. add prints\n" +
		"the new token, which is nowhere else: the file has its hash. With --oidc a person has no token, but\n" +
		"those of the provider of `newt serve --oidc`. revoke ends the connections and jobs of a person. Of\n" +
		"two people who want the devices all the time, one with twice the weight gets twice the device time.",
	run: token,
}

// tokenFlags are the flags of token.
type tokenFlags struct {
	file   *string
	oidc   *bool
	weight *float64
	jobs   *int
	bytes  *int64
}

// tokenVerbs are what token does, with the number of their arguments.
var tokenVerbs = map[string]struct {
	args int
	run  func(e *Env, f tokenFlags, args []string) error
}{
	"add":    {1, addToken},
	"list":   {0, listTokens},
	"revoke": {1, revokeToken},
}

func token(_ context.Context, e *Env, c *command, args []string) int {
	set, _ := c.flags(e)
	f := tokenFlags{
		set.String("people", "", "file of people"),
		set.Bool("oidc", false, "add a person whom an OpenID Connect provider knows by the name"),
		set.Float64("weight", 1, "of the person's share of the device time"),
		set.Int("jobs", 0, "that the person may have unfinished; 0: as many as the runner allows"),
		set.Int64("bytes", 0, "of memory for the person's jobs; 0: as many as the runner allows"),
	}
	words, status, done := c.parse(e, set, args, 1, 2)
	if done {
		return status
	}
	verb, ok := tokenVerbs[words[0]]
	if !ok || len(words) != verb.args+1 {
		return c.misuse(e, "say add NAME, list or revoke NAME")
	}
	if *f.file == "" {
		return c.misuse(e, "--people is missing: the file that newt serve --people reads")
	}
	if err := verb.run(e, f, words[1:]); err != nil {
		return c.fail(e, err)
	}
	return exitOK
}

func addToken(e *Env, f tokenFlags, args []string) error {
	person := people.Person{
		Name: args[0], OIDC: *f.oidc, Since: time.Now().Format(time.DateOnly),
		Weight: *f.weight, Jobs: *f.jobs, Bytes: *f.bytes,
	}
	token := ""
	if !person.OIDC {
		token, person.Hash = people.NewToken()
	}
	err := people.Edit(*f.file, func(list []people.Person) ([]people.Person, error) {
		if slices.ContainsFunc(list, isNamed(person.Name)) {
			return nil, fmt.Errorf("%s is in the file already: revoke it first", person.Name)
		}
		return append(list, person), nil
	})
	if err == nil && token != "" {
		fmt.Fprintln(e.Stdout, token)
	}
	return err
}

func isNamed(name string) func(people.Person) bool {
	return func(p people.Person) bool { return p.Name == name }
}

func revokeToken(e *Env, f tokenFlags, args []string) error {
	return people.Edit(*f.file, func(list []people.Person) ([]people.Person, error) {
		if !slices.ContainsFunc(list, isNamed(args[0])) {
			return nil, fmt.Errorf("%s is not in %s", args[0], *f.file)
		}
		return slices.DeleteFunc(list, isNamed(args[0])), nil
	})
}

func listTokens(e *Env, f tokenFlags, _ []string) error {
	list, err := people.Read(*f.file)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(e.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "NAME\tSINCE\tWEIGHT\tJOBS\tBYTES")
	for _, p := range list {
		fmt.Fprintf(out, "%s\t%s\t%v\t%s\t%s\n", p.Name, p.Since, p.Weight, limited(int64(p.Jobs)), limited(p.Bytes))
	}
	return out.Flush()
}

// limited writes a limit, of which 0 is none.
func limited(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
