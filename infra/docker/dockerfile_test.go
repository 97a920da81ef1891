// Package docker holds newt's Dockerfile, and the test that it fits the tree that it is built from.
package docker

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/cli"
)

// instruction is a line of the Dockerfile: its word, and the rest with continued lines joined.
type instruction struct{ word, rest string }

func dockerfile(t *testing.T) []instruction {
	t.Helper()
	var out []instruction
	open := false
	for line := range strings.Lines(read(t, "Dockerfile")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		text, more := strings.CutSuffix(line, `\`)
		if open {
			out[len(out)-1].rest += " " + strings.TrimSpace(text)
		} else {
			word, rest, _ := strings.Cut(text, " ")
			out = append(out, instruction{word, strings.TrimSpace(rest)})
		}
		open = more
	}
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var known = []string{"FROM", "ARG", "COPY", "RUN", "WORKDIR", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}

// Images come by a version in full; what is copied is there; the image is newt as an ordinary user.
func TestDockerfile(t *testing.T) {
	stages, last := map[string]bool{}, map[string]string{}
	pinned := regexp.MustCompile(`^[a-z./-]+:\d+\.\d+\.\d+(-[a-z]+)*$`)
	for _, i := range dockerfile(t) {
		words := strings.Fields(i.rest)
		options := map[string]string{}
		for len(words) > 0 && strings.HasPrefix(words[0], "--") {
			name, value, _ := strings.Cut(words[0][2:], "=")
			options[name], words = value, words[1:]
		}
		switch i.word {
		case "FROM":
			if words[0] != "scratch" && !stages[words[0]] && !pinned.MatchString(words[0]) {
				t.Errorf("FROM %s does not name a version in full", words[0])
			}
			if len(words) == 3 {
				stages[words[2]] = true
			}
		case "COPY":
			if from, ok := options["from"]; ok && !stages[from] {
				t.Errorf("COPY from %q, which is no stage", from)
			} else if !ok {
				for _, source := range words[:len(words)-1] {
					if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
						t.Errorf("COPY: %v", err)
					}
				}
			}
		}
		if !slices.Contains(known, i.word) {
			t.Errorf("instruction %q", i.word)
		}
		last[i.word] = i.rest
	}
	if !strings.HasPrefix(last["FROM"], "scratch") || last["USER"] != "65532:65532" || last["ENTRYPOINT"] != `["/newt"]` || last["VOLUME"] != "/data" {
		t.Errorf("the image: %v", last)
	}
}

// The commands that the image runs are the Makefile's and newt's own.
func TestCommands(t *testing.T) {
	makefile, made := read(t, "../../Makefile"), false
	for _, i := range dockerfile(t) {
		switch i.word {
		case "RUN":
			for _, m := range regexp.MustCompile(`\bmake (\w+)((?: [A-Z]+=)?)`).FindAllStringSubmatch(i.rest, -1) {
				made = true
				if !regexp.MustCompile(`(?m)^` + m[1] + `:`).MatchString(makefile) {
					t.Errorf("the Makefile has no target %s", m[1])
				}
				if variable := strings.Trim(m[2], " ="); variable != "" && !strings.Contains(makefile, "$("+variable+")") {
					t.Errorf("the Makefile does not read %s", variable)
				}
			}
		case "CMD":
			takes(t, list(t, i.rest))
		case "HEALTHCHECK":
			_, command, _ := strings.Cut(i.rest, "CMD ")
			words := list(t, command)
			if words[0] != "/newt" {
				t.Errorf("HEALTHCHECK: %q", words)
			}
			takes(t, words[1:])
		}
	}
	if !made {
		t.Error("the image does not build newt by the Makefile")
	}
	if !strings.Contains(makefile, "docker build -f infra/docker/Dockerfile") {
		t.Error("`make docker` does not build this Dockerfile")
	}
}

func list(t *testing.T, text string) []string {
	t.Helper()
	var words []string
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return words
}

// takes checks that newt has the command and its flags.
func takes(t *testing.T, words []string) {
	t.Helper()
	var help bytes.Buffer
	e := &cli.Env{Stdout: &help, Stderr: &help, Getenv: func(string) string { return "" }}
	if status := cli.Main(e, []string{words[0], "--help"}); status != 0 {
		t.Fatalf("newt %s: %s", words[0], help.String())
	}
	for _, word := range words[1:] {
		flag := strings.TrimPrefix(word, "--")
		if flag != word && !regexp.MustCompile(`(?m)^  -`+flag+`\b`).MatchString(help.String()) {
			t.Errorf("newt %s has no %s", words[0], word)
		}
	}
}

// What git ignores stays out of the image's build, and nothing else does: a tracked file left out
// would make the commit look changed.
func TestIgnored(t *testing.T) {
	got, want := patterns(t, "Dockerfile.dockerignore"), patterns(t, "../../.gitignore")
	for i, p := range want {
		// git's patterns: from the root where they begin with a slash, at any depth where they have none.
		keep, p := strings.HasPrefix(p, "!"), strings.TrimPrefix(p, "!")
		if rooted := strings.Contains(strings.TrimSuffix(p, "/"), "/"); !rooted || strings.HasSuffix(p, "/node_modules/") {
			p = "**/" + filepath.Base(p)
		}
		p = strings.Trim(p, "/")
		if keep {
			p = "!" + p
		}
		want[i] = p
	}
	slices.Sort(got)
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("ignored: %q, by git: %q", got, want)
	}
}

// patterns are the lines of an ignore file.
func patterns(t *testing.T, name string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(read(t, name)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// The images' Go and Node are not older than the tree asks for.
func TestToolchains(t *testing.T) {
	text := read(t, "Dockerfile")
	for tool, want := range map[string]string{
		"golang": regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../../go.mod"))[1],
		"node":   regexp.MustCompile(`at_least "\$have" (\d+) \|\| lack "node`).FindStringSubmatch(read(t, "../ci/need.sh"))[1],
	} {
		have := regexp.MustCompile(`FROM (?:--\S+ )?` + tool + `:(\d+)\.(\d+)`).FindStringSubmatch(text)
		major, minor, _ := strings.Cut(want, ".")
		if have == nil || len(have[1]) < len(major) || have[1] < major || have[1] == major && have[2] < minor {
			t.Errorf("%s %v, want %s or later", tool, have, want)
		}
	}
}
