package share

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/share/link"
)

func testService() *service {
	return &service{Options: withDefaults(Options{Title: func(n int) (string, string, bool) { return "Long <sum>", "长求和", n == 7 }})}
}

func TestTitle(t *testing.T) {
	for _, c := range []struct {
		state link.State
		lang  diag.Lang
		want  string
	}{
		{link.State{Puzzle: 7}, diag.English, "Puzzle 7: Long <sum>"},
		{link.State{Puzzle: 7}, diag.Chinese, "第 7 题：长求和"},
		{link.State{Puzzle: 8}, diag.English, "A Triton kernel"},
		{link.State{}, diag.Chinese, "一个 Triton kernel"},
		{link.State{Source: kernel}, diag.English, "add_kernel"},
		{link.State{Source: "@triton.jit(noinline=True)\ndef  one(x): pass\n@triton.jit\n@other\ndef two(x): pass"}, diag.English, "two"},
		{link.State{Source: "@triton.jit\n"}, diag.English, "A Triton kernel"},
		{link.State{Source: kernel, Free: &link.Free{Kernel: "chosen"}}, diag.English, "chosen"},
		{link.State{Free: &link.Free{Kernel: strings.Repeat("k", 500)}}, diag.English, strings.Repeat("k", maxName)},
		{link.State{Puzzle: 1, Custom: &link.Custom{Folder: "01_my_own"}}, diag.English, "Puzzle 1: my own"},
	} {
		if got := testService().title(c.state, c.lang); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.state, got, c.want)
		}
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// tags are the elements of a page: those of any page, whatever it is about.
func tags(page string) string {
	var all []string
	for _, t := range tag.FindAllString(page, -1) {
		name, _, _ := strings.Cut(strings.Trim(t, "<>"), " ")
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

// FuzzPage: no text adds an element to a page, and every one gives a card.
func FuzzPage(f *testing.F) {
	f.Add("Puzzle 7", kernel)
	f.Add(`"><script>alert(1)</script>`, "\t\x00# \u202e")
	want := tags(preview{}.html())
	f.Fuzz(func(t *testing.T, title, source string) {
		page := preview{title: title, description: source, address: title, picture: source, target: title}.html()
		if got := tags(page); got != want {
			t.Errorf("%q, %q: the page has %s", title, source, got)
		}
		if !strings.Contains(page, "<title>"+html.EscapeString(title)+"</title>") {
			t.Errorf("%q is not the title of\n%s", title, page)
		}
		if _, err := drawCard(title, source); err != nil {
			t.Errorf("%q, %q: %v", title, source, err)
		}
	})
}
