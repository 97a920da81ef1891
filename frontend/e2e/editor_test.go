package e2e

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// editor is CodeMirror's content, which stands in a shadow root.
const editor = `document.querySelector("#editor")?.shadowRoot?.querySelector(".cm-content")`

// inEditor is an element of the editor.
func inEditor(selector string) string {
	return fmt.Sprintf(`document.querySelector("#editor").shadowRoot.querySelector(%q)`, selector)
}

// key presses a key with its modifiers.
func (p *page) key(keys string, modifiers ...chromedp.Modifier) {
	p.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// enter presses the Enter key. What the editor handles makes no character of its own, as
// pressing a real key would not either.
func (p *page) enter() {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			press := input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, press); err != nil {
				return err
			}
		}
		return nil
	}))
}

// insert types text as an input method does, all at once.
func (p *page) insert(text string) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// write replaces the whole source at once.
func (p *page) write(source string) {
	p.Helper()
	p.js(editor + `.focus()`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert(strings.TrimRight(source, "\n"))
	p.written(source)
}

// typeLines replaces the whole source by typing it line by line, over what the editor has indented
// by itself.
func (p *page) typeLines(source string) {
	p.Helper()
	p.js(editor + `.focus()`)
	p.key("a", chromedp.ModifierCtrl)
	p.key(kb.Backspace)
	for i, line := range strings.Split(strings.TrimRight(source, "\n"), "\n") {
		if i > 0 {
			p.key(kb.Escape) // a list of completions would take the Enter
			p.enter()
			p.key(kb.Home, chromedp.ModifierShift)
		}
		if line == "" {
			p.key(kb.Delete)
			continue
		}
		p.insert(line)
	}
	p.written(source)
}

// written closes what typing has opened, and looks whether the page holds the source.
func (p *page) written(source string) {
	p.Helper()
	p.key(kb.Escape)
	if got := p.kept(); got != strings.TrimRight(source, "\n") {
		p.Fatalf("typed %q, the editor holds %q", source, got)
	}
}

// kept is the newest text of the page's document in the browser's storage, saved first: all of
// the text, where the editor draws only the lines in view.
func (p *page) kept() string {
	p.Helper()
	p.js(`dispatchEvent(new PageTransitionEvent("pagehide")); dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`)
	return eval[string](p, `probe.savedText()`)
}

// source is what the editor shows: all of a short text.
func (p *page) source() string {
	p.Helper()
	return eval[string](p, `[...`+editor+`.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")`)
}

// run presses Ctrl+Enter and waits for the outcome of this run.
func (p *page) run() {
	p.Helper()
	p.js(`window.outcomeBefore = document.querySelector("#verdict")`)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the outcome", `document.querySelector("#verdict") && document.querySelector("#verdict") !== window.outcomeBefore`)
}

// passed reports whether the last run's verdict is that all is right.
func (p *page) passed() bool {
	p.Helper()
	return eval[string](p, `document.querySelector("#verdict").dataset.pass`) == "true"
}
