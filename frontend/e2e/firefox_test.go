package e2e

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
)

// firefox is a Firefox that is driven through WebDriver BiDi, one command at a time, and one tab of it.
type firefox struct {
	*testing.T
	conn *websocket.Conn
	last int    // number of the last command
	tab  string // the browsing context that commands go to
}

// object is a JSON object of a command.
type object = map[string]any

// startFirefox starts the Firefox of NEWT_FIREFOX or of the path, and skips the test where there is none.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	path, err := exec.LookPath(cmp.Or(os.Getenv("NEWT_FIREFOX"), "firefox"))
	if err != nil {
		path, err = exec.LookPath("firefox-esr")
	}
	if err != nil {
		t.Skip("there is no Firefox; install it (Debian: apt-get install firefox-esr), or set NEWT_FIREFOX to its binary")
	}
	dir := t.TempDir()
	command := exec.CommandContext(t.Context(), path, "--headless", "--no-remote", "--profile", dir, "--remote-debugging-port", "0")
	command.Env = append(os.Environ(), "HOME="+dir)
	command.WaitDelay = time.Minute
	says, err := command.StderrPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	f, lines := &firefox{T: t}, bufio.NewScanner(says)
	t.Cleanup(func() { f.close(command) })
	listening := regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { // what else it says has room
				for lines.Scan() {
				}
			}()
			f.begin(found[1])
			return f
		}
	}
	t.Fatal("Firefox has ended and listened to nobody")
	return nil
}

func (f *firefox) close(command *exec.Cmd) {
	if f.conn != nil {
		f.conn.Close()
	}
	command.Process.Kill()
	command.Wait() // it was killed
}

// begin opens a session, whose tabs have the probes and tell of errors.
func (f *firefox) begin(address string) {
	f.Helper()
	conn, _, err := websocket.DefaultDialer.Dial(address+"/session", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.conn = conn
	f.call("session.new", object{"capabilities": object{}}, nil)
	f.call("session.subscribe", object{"events": []string{"log.entryAdded"}}, nil)
	f.call("script.addPreloadScript", object{"functionDeclaration": "() => { " + probes + "; globalThis.probe = probe }"}, nil)
}

// call sends a command and waits for its result; errors that pages log meanwhile fail the test.
func (f *firefox) call(method string, params, result any) {
	f.Helper()
	f.last++
	err := f.conn.WriteJSON(object{"id": f.last, "method": method, "params": params})
	for err == nil {
		var got struct {
			ID             int
			Method         string
			Result         json.RawMessage
			Error, Message string
			Params         struct{ Level, Text string }
		}
		f.conn.SetReadDeadline(time.Now().Add(2 * *patience)) // a page waits for less
		if err = f.conn.ReadJSON(&got); err != nil {
			break
		}
		switch {
		case got.Method == "log.entryAdded" && got.Params.Level == "error":
			f.Errorf("the browser complained: %s", got.Params.Text)
		case got.ID == f.last && got.Error != "":
			err = errors.New(got.Error + ": " + got.Message)
		case got.ID == f.last && result != nil:
			if err = json.Unmarshal(got.Result, result); err == nil {
				return
			}
		case got.ID == f.last:
			return
		}
	}
	f.Fatalf("%s: %v", method, err)
}

// open opens a tab of a profile of its own.
func (f *firefox) open() {
	f.Helper()
	var made struct{ UserContext, Context string }
	f.call("browser.createUserContext", object{}, &made)
	f.call("browsingContext.create", object{"type": "tab", "userContext": made.UserContext}, &made)
	f.tab = made.Context
	f.call("browsingContext.setViewport", object{"context": f.tab, "viewport": object{"width": 1440, "height": 900}}, nil)
}

func (f *firefox) visit(address string) {
	f.Helper()
	f.call("browsingContext.navigate", object{"context": f.tab, "url": address, "wait": "complete"}, nil)
}

// ask stores the value of an expression in the page, whose promise is awaited.
func (f *firefox) ask(expression string, value any) {
	f.Helper()
	var got struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	f.call("script.evaluate", object{
		"expression": "(async () => JSON.stringify(await (" + expression + ") ?? null))()",
		"target":     object{"context": f.tab}, "awaitPromise": true,
	}, &got)
	if err := json.Unmarshal([]byte(got.Result.Value), value); err != nil {
		f.Fatalf("%s: %s %v", expression, got.ExceptionDetails.Text, err)
	}
}

func (f *firefox) wait(what, condition string) {
	f.Helper()
	var holds bool
	if f.ask(fmt.Sprintf("probe.until(async () => (%s), %d)", condition, patience.Milliseconds()), &holds); !holds {
		var text string
		f.ask("document.body.innerText", &text)
		f.Fatalf("waited in vain for %s: %s\nthe page shows:\n%s", what, condition, text)
	}
}

// click clicks the middle of an element once it is there.
func (f *firefox) click(element string) {
	f.Helper()
	f.wait("an element that is not disabled", fmt.Sprintf("(%s)?.disabled === false || (%[1]s)?.disabled === undefined && (%[1]s)", element))
	var at [2]float64
	f.ask(probe("middle", script(element)), &at)
	f.call("input.performActions", object{"context": f.tab, "actions": []object{{"type": "pointer", "id": "mouse", "actions": []object{
		{"type": "pointerMove", "x": int(at[0]), "y": int(at[1])}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
	}}}}, nil)
}

// enterKey and the others are keys without a character, as WebDriver names them.
const enterKey, escapeKey, homeKey, shiftKey, controlKey, deleteKey = "\uE007", "\uE00C", "\uE011", "\uE008", "\uE009", "\uE017"

// press presses keys one after the other, while those of held are down.
func (f *firefox) press(held, keys string) {
	f.Helper()
	actions := []object{}
	press := func(kind, keys string) {
		for _, key := range keys {
			actions = append(actions, object{"type": kind, "value": string(key)})
		}
	}
	press("keyDown", held)
	for _, key := range keys {
		press("keyDown", string(key))
		press("keyUp", string(key))
	}
	press("keyUp", held)
	f.call("input.performActions", object{"context": f.tab, "actions": []object{{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

// typeLines replaces the editor's text key by key, over what the editor indents by itself.
func (f *firefox) typeLines(text string) {
	f.Helper()
	f.click(editor)
	f.press(controlKey, "a")
	f.press("", deleteKey)
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			f.press("", escapeKey+enterKey) // a list of completions would take the Enter
			f.press(shiftKey, homeKey)
			f.press("", deleteKey)
		}
		f.press("", line)
	}
	f.press("", escapeKey)
	f.wait("the text as it was typed", fmt.Sprintf(`probe.lines().map((l) => l.textContent).join("\n") === %q`, text))
}

// picture writes what the tab looks like to the folder of -pictures.
func (f *firefox) picture(name string) {
	f.Helper()
	if *pictures == "" {
		return
	}
	var taken struct{ Data string }
	f.call("browsingContext.captureScreenshot", object{"context": f.tab}, &taken)
	data, err := base64.StdEncoding.DecodeString(taken.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, name+".png"), data, 0o644)
	}
	if err != nil {
		f.Fatal(err)
	}
}

// TestFirefox goes the way of a first visit in Firefox: a solution that is typed, what it does to memory, a document, and a
// link that another reader opens.
func TestFirefox(t *testing.T) {
	soak.Only(t, "Chromium, which all other tests use, is one engine of two")
	f := startFirefox(t)
	puzzle, _ := puzzles.Get(1)
	solution := strings.TrimSpace(puzzle.Text.Solutions[0].Source)
	for _, theme := range []string{"light", "dark"} {
		f.open()
		f.visit(origin)
		f.wait("the first picture", pictured)
		f.ask(fmt.Sprintf(`localStorage.setItem("newt:settings", JSON.stringify({ lang: "en", theme: %q }))`, theme), new(any))
		f.visit(origin + "/?" + theme + "#/puzzle/1")
		f.wait("the theme", fmt.Sprintf(`document.documentElement.dataset.theme === %q && document.querySelector(".katex math")`, theme))
		f.typeLines(solution)
		f.press(controlKey, enterKey)
		f.wait("a right answer", `document.querySelector("#verdict")?.dataset.pass === "true"`)
		f.picture("firefox-solved-" + theme)

		f.click(`document.querySelector("#tab-memory")`)
		f.click(`document.querySelector("[data-tensor=z] canvas")`)
		f.wait("what the cell holds", `/z\[\d+\]/.test(document.querySelector("[data-tensor=z] .memory-cell")?.innerText)`)
		f.picture("firefox-memory-" + theme)

		f.ask(`location.hash = "#/document"`, new(any))
		f.wait("the cells", `document.querySelectorAll(".outline li").length > 1`)
		f.click(`document.querySelector("#run-all")`)
		f.wait("their end", endedCells+` > 1 && !document.querySelector(".run.stop")`)
		f.wait("no failure", `!document.querySelector('.outline [data-state="failed"]')`)
		f.picture("firefox-document-" + theme)

		f.ask(`location.hash = "#/puzzle/1"`, new(any))
		f.wait("the puzzle again", `document.querySelector("h1")?.innerText === "Constant Add" && probe.line("def add_kernel")`)
		f.click(`document.querySelector("#share")`)
		f.wait("the link", `document.querySelector(".link-field input")?.value`)
		var link string
		f.ask(`document.querySelector(".link-field input").value`, &link)
		f.open()
		f.visit(link)
		f.wait("the author's text", fmt.Sprintf(editor+` && probe.lines().map((l) => l.textContent).join("\n") === %q`, solution))
		f.wait("what it does to memory", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=false]")`)
		f.picture("firefox-link-" + theme)
	}
}
