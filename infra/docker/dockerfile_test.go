// Package docker holds newt's Dockerfiles, and the test that they fit the tree that they are built from.
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

func dockerfile(t *testing.T, name string) []instruction {
	t.Helper()
	var out []instruction
	open := false
	for line := range strings.Lines(read(t, name)) {
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

// files are the Dockerfiles: the target of the Makefile that builds each, the image's name, and what the
// image stands on.
var files = []struct{ name, target, image, base string }{
	{"Dockerfile", "docker", "newt", "scratch"},
	{"Dockerfile.cuda", "docker-cuda", "newt-cuda", "debian:12.12-slim"},
}

var known = []string{"FROM", "ARG", "COPY", "RUN", "WORKDIR", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}

// Images come by a version in full or from this Makefile; what is copied is there; the image is newt as
// an ordinary user.
func TestDockerfile(t *testing.T) {
	for _, file := range files {
		last := lastOf(t, file.name)
		if !strings.HasPrefix(last["FROM"], file.base) || last["USER"] != "65532:65532" || last["ENTRYPOINT"] != `["/newt"]` || last["VOLUME"] != "/data" {
			t.Errorf("%s: %v", file.name, last)
		}
	}
}

// lastOf checks the instructions of a Dockerfile, and gives the last of each word.
func lastOf(t *testing.T, name string) map[string]string {
	t.Helper()
	stages, last := map[string]bool{}, map[string]string{}
	pinned := regexp.MustCompile(`^([a-z./-]+:\d+\.\d+(\.\d+)?(-[a-z]+)*|newt)$`)
	for _, i := range dockerfile(t, name) {
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
	return last
}

// The commands that the image runs are the Makefile's and newt's own.
func TestCommands(t *testing.T) {
	for _, file := range files {
		commands(t, file.name)
		built := file.target + ":.*\n\tdocker build -f infra/docker/" + regexp.QuoteMeta(file.name) + " -t " + file.image + " "
		if !regexp.MustCompile(`(?m)^` + built).MatchString(read(t, "../../Makefile")) {
			t.Errorf("`make %s` does not build %s", file.target, file.name)
		}
	}
}

func commands(t *testing.T, name string) {
	t.Helper()
	makefile, made := read(t, "../../Makefile"), false
	for _, i := range dockerfile(t, name) {
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
		t.Errorf("%s does not build by the Makefile", name)
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
	for _, file := range files {
		ignores(t, file.name+".dockerignore")
	}
}

func ignores(t *testing.T, name string) {
	t.Helper()
	got, want := patterns(t, name), patterns(t, "../../.gitignore")
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
		t.Errorf("%s: ignored: %q, by git: %q", name, got, want)
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
	var text string
	for _, file := range files {
		text += read(t, file.name)
	}
	for tool, want := range map[string]string{
		"golang": regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../../go.mod"))[1],
		"node":   regexp.MustCompile(`at_least "\$have" (\d+) \|\| lack "node`).FindStringSubmatch(read(t, "../ci/need.sh"))[1],
	} {
		major, minor, _ := strings.Cut(want, ".")
		all := regexp.MustCompile(`FROM (?:--\S+ )?`+tool+`:(\d+)\.(\d+)`).FindAllStringSubmatch(text, -1)
		for _, have := range all {
			if len(have[1]) < len(major) || have[1] < major || have[1] == major && have[2] < minor {
				t.Errorf("%s %v, want %s or later", tool, have, want)
			}
		}
		if len(all) == 0 {
			t.Errorf("no image has %s", tool)
		}
	}
}
