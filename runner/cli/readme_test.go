package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// word is an argument of a shell line, plain or in double quotes.
var word = regexp.MustCompile(`"[^"]*"|\S+`)

// Every `go run ./runner …` line of the README's code blocks must work from a fresh clone.
func TestReadmeCommands(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i, block := range strings.Split(string(text), "```") {
		if i%2 == 0 || !strings.HasPrefix(block, "sh\n") {
			continue
		}
		for line := range strings.SplitSeq(block, "\n") {
			command, ok := strings.CutPrefix(line, "go run ./runner ")
			if !ok {
				continue
			}
			var args []string
			for _, w := range word.FindAllString(command, -1) {
				args = append(args, strings.Trim(w, `"`))
			}
			if stdout, stderr, status := newt(t, args...); status != exitOK {
				t.Errorf("%s: status %d\n%s%s", line, status, stdout, stderr)
			}
			ran++
		}
	}
	if ran < 4 {
		t.Errorf("only %d commands were found in README.md", ran)
	}
}
