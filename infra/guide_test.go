// Package infra tests the admin's guide: what it tells people to type.
package infra

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/cli"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/operation"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
)

// block is a fenced block of the guide.
type block struct {
	info string // what follows the fence
	text string
	line int
}

func guide(t *testing.T) (string, []block) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	open, n := false, 0
	for line := range strings.Lines(string(text)) {
		n++
		switch info, fence := strings.CutPrefix(strings.TrimSpace(line), "```"); {
		case fence && !open:
			blocks, open = append(blocks, block{info: info, line: n}), true
		case fence:
			open = false
		case open:
			blocks[len(blocks)-1].text += line
		}
	}
	return string(text), blocks
}

// bound is how long a tested block may take, on a machine that does much else.
const bound = 2 * time.Minute

// TestTestedBlocks runs each block that is marked tested, with those that continue it, against a newt that is built
// here.
func TestTestedBlocks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the guide's blocks are for a POSIX shell")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "newt"), "../runner")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	_, blocks := guide(t)
	var tested []block
	for _, b := range blocks {
		switch b.info {
		case "sh tested":
			tested = append(tested, b)
		case "sh tested continued":
			tested[len(tested)-1].text += b.text
		}
	}
	for _, b := range tested {
		t.Run(fmt.Sprint("line ", b.line), func(t *testing.T) { runBlock(t, bin, b) })
	}
	if fleet := tested[len(tested)-1].text; strings.Count(fleet, "newt serve") != 2 || len(tested) != 5 {
		t.Errorf("%d blocks are tested, and the last one is not the fleet's: %s", len(tested), fleet)
	}
}

// freeAddr is an address that nobody listens on.
func freeAddr(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

func runBlock(t *testing.T, bin string, b block) {
	home, text := t.TempDir(), b.text
	for _, port := range []string{"8080", "8081", "4222"} {
		if strings.Count(b.text, "127.0.0.1:"+port) != strings.Count(b.text, port) {
			t.Errorf("a tested block names port %s otherwise than as 127.0.0.1:%[1]s", port)
		}
		text = strings.ReplaceAll(text, "127.0.0.1:"+port, freeAddr(t))
	}
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	sh := exec.CommandContext(ctx, "sh", "-euxc", text)
	sh.Dir = home
	sh.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home}
	var said bytes.Buffer
	sh.Stdout, sh.Stderr = &said, &said
	sh.WaitDelay = time.Second
	if err := sh.Run(); err != nil {
		t.Errorf("%v\n%s", err, said.String())
	}
}

// TestCommands holds every `newt …` of the guide to the flags that newt has, and every make target
// and file that it names to what is there, and the make targets of the workflows too.
func TestCommands(t *testing.T) {
	text, blocks := guide(t)
	for _, b := range blocks {
		if strings.HasPrefix(b.info, "sh") {
			text += strings.ReplaceAll(b.text, "\\\n", " ")
		}
	}
	commands := regexp.MustCompile(`(?m)(?:\bnewt|/newt) (serve|worker|status|token|credentials|doctor|version|puzzle|check|compile)\b([^\n`+"`"+`|&]*)`).FindAllStringSubmatch(text, -1)
	if len(commands) < 10 {
		t.Fatalf("the guide has %d commands", len(commands))
	}
	for _, c := range commands {
		help := helpOf(t, c[1])
		for _, flag := range regexp.MustCompile(`\s--([a-z-]+)`).FindAllStringSubmatch(c[2], -1) {
			if !regexp.MustCompile(`(?m)^  -` + flag[1] + `\b`).MatchString(help) {
				t.Errorf("newt %s has no --%s", c[1], flag[1])
			}
		}
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	workflows, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(workflows) == 0 {
		t.Errorf("workflows: %v, %v", workflows, err)
	}
	for _, name := range workflows {
		workflow, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text += string(workflow)
	}
	for _, m := range regexp.MustCompile("(?m)(?:^|`|run: )make ([a-z]+)").FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(makefile) {
			t.Errorf("the Makefile has no target %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([^#:)\s]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Error(err)
		}
	}
}

func helpOf(t *testing.T, command string) string {
	t.Helper()
	var help bytes.Buffer
	e := &cli.Env{Stdout: &help, Stderr: &help, Getenv: func(string) string { return "" }}
	if status := cli.Main(e, []string{command, "--help"}); status != 0 {
		t.Fatalf("newt %s: %s", command, help.String())
	}
	return help.String()
}

// TestLimits holds the table of limits to the program's and the examples' own numbers.
func TestLimits(t *testing.T) {
	text, _ := guide(t)
	for row, want := range map[string]string{
		"time to send a request, header and body": fmt.Sprintf("%.0f s", server.ReadTimeout.Seconds()),
		"time to take an answer":                  fmt.Sprintf("%.0f s", server.WriteTimeout.Seconds()),
		"idle connection":                         fmt.Sprintf("%.0f s", server.IdleTimeout.Seconds()),
		"request header":                          fmt.Sprintf("%d KiB", server.MaxHeaderBytes>>10),
		"time to finish when stopped":             fmt.Sprintf("%.0f s", server.ShutdownTimeout.Seconds()),
		"a short link's payload":                  fmt.Sprintf("%d KiB, %d KiB unpacked", link.MaxEncoded>>10, link.MaxDecoded>>10),
		"an operation's input":                    fmt.Sprintf("%d MiB, %d MiB of files", operation.MaxInput>>20, operation.MaxBytes>>20),
		"time of an operation": fmt.Sprintf("%.0f s, %.0f s where a program runs, and %.0f s for its turn",
			operation.QuickTime.Seconds(), operation.LongTime.Seconds(), operation.MaxWait.Seconds()),
		"output of an operation":         fmt.Sprintf("%d KiB of each stream, and a document of %d MiB", operation.MaxOutput>>10, operation.MaxDocument>>20),
		"operations that have not ended": fmt.Sprintf("%d of one client, %d in all", protocol.DefaultLimits().ClientJobs, endpoint.MaxTurns),
		"a short link's life":            fmt.Sprintf("as long as the file, or 1 to %d days", share.MaxDays),
	} {
		if !strings.Contains(text, "| "+row+" | "+want+" |") {
			t.Errorf("limit %q is not given as %q", row, want)
		}
	}
}

// TestMetrics holds the table of metrics to the program's own names and words.
func TestMetrics(t *testing.T) {
	text, _ := guide(t)
	source, err := os.ReadFile("../runner/endpoint/metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(newt_\\w+)` \\| .*\\| (.+) \\|$").FindAllStringSubmatch(text, -1) {
		listed[row[1]] = row[2]
	}
	metrics := regexp.MustCompile(`"(newt_\w+)",\s*(?:Help: )?"([^"]+)"`).FindAllSubmatch(source, -1)
	for _, m := range metrics {
		if listed[string(m[1])] != string(m[2]) {
			t.Errorf("%s is listed as %q, and is %q", m[1], listed[string(m[1])], m[2])
		}
	}
	if len(metrics) != len(listed) || len(metrics) < 10 {
		t.Errorf("%d metrics, %d listed", len(metrics), len(listed))
	}
}
