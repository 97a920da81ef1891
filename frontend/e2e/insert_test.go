package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// command presses a key that the browser takes for an editing command, such as paste.
func (p *page) command(key, command string) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		press := input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeRawKeyDown, Key: key, Modifiers: int64(chromedp.ModifierCtrl), Commands: []string{command},
		}
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, press)
		return err
	}))
}

// compose writes text as an input method does: first as a composition that grows, then for good.
func (p *page) compose(text string) {
	p.Helper()
	letters := []rune(text)
	for n := range letters {
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.ImeSetComposition, input.ImeSetCompositionParams{
				Text: string(letters[:n+1]), SelectionStart: int64(n + 1), SelectionEnd: int64(n + 1),
			})
			return err
		}))
	}
	p.insert(text)
}

// TestInsertedText: text that is inserted whole, pasted or composed leaves nothing in the browser's console, such as a
// style that the page's policy refuses. Every test fails on what is written there.
func TestInsertedText(t *testing.T) {
	source := strings.TrimRight(kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x + 10)  # 加十"), "\n")
	type way struct {
		name string
		do   func(p *page)
	}
	p := open(t, "en", "#/puzzle/1")
	p.js(`window.refused = []; addEventListener("securitypolicyviolation", (e) => refused.push(e.violatedDirective + " " + e.sample))`)
	for _, insert := range []way{
		{"inserted", func(p *page) {
			p.key(kb.Backspace)
			p.insert(source)
		}},
		{"inserted over a text", func(p *page) { p.insert(source) }},
		{"pasted", func(p *page) {
			p.insert(source)
			p.key("a", chromedp.ModifierCtrl)
			p.command("x", "cut")
			p.wait("nothing", editor+`.textContent === ""`)
			p.command("v", "paste")
		}},
		{"composed", func(p *page) {
			p.insert(strings.TrimSuffix(source, "加十"))
			p.compose("加十")
		}},
		{"composed over a text", func(p *page) {
			p.compose("加")
			p.key("a", chromedp.ModifierCtrl)
			p.insert(source)
		}},
		{"composed in a name", func(p *page) {
			p.insert(source)
			p.key("a", chromedp.ModifierCtrl)
			p.key(kb.Home, chromedp.ModifierCtrl)
			p.compose("名")
			p.key(kb.Backspace)
		}},
	} {
		p.js(editor + `.focus()`)
		p.key("a", chromedp.ModifierCtrl)
		insert.do(p)
		p.wait("the text", editor+`.textContent.includes("加十")`)
		p.key(kb.Escape)
		if got := p.kept(); got != source {
			t.Errorf("%s: the editor holds %q", insert.name, got)
		}
		p.run()
		if !p.passed() {
			t.Errorf("%s: %s", insert.name, p.text(".pane.result"))
		}
		if refused := eval[[]string](p, `refused`); len(refused) > 0 {
			t.Errorf("%s: the policy refused %q", insert.name, refused)
		}
	}
}
