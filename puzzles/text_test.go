package puzzles

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	displayMath = regexp.MustCompile(`(?s)\$\$.+?\$\$`)
	inlineMath  = regexp.MustCompile(`\$[^$\n]+\$`)
	codeBlock   = regexp.MustCompile("(?s)```.*?```")
	codeSpan    = regexp.MustCompile("`[^`\n]+`")
	heading     = regexp.MustCompile(`(?m)^#+ `)
	bullet      = regexp.MustCompile(`(?m)^- `)
	han         = regexp.MustCompile(`\p{Han}`)
	halfWidth   = regexp.MustCompile(`\p{Han}[,;:!?()]|[,;:!?(]\p{Han}`)
)

// outline is what a text and its translation have in common.
type outline struct {
	headings, bullets int
	math, code        []string
}

func outlineOf(s string) outline {
	o := outline{headings: len(heading.FindAllString(s, -1)), bullets: len(bullet.FindAllString(s, -1))}
	o.code = codeBlock.FindAllString(s, -1)
	s = codeBlock.ReplaceAllString(s, "")
	o.code = append(o.code, codeSpan.FindAllString(s, -1)...)
	s = codeSpan.ReplaceAllString(s, "")
	o.math = displayMath.FindAllString(s, -1)
	s = displayMath.ReplaceAllString(s, "")
	o.math = append(o.math, inlineMath.FindAllString(s, -1)...)
	slices.Sort(o.math)
	slices.Sort(o.code)
	return o
}

// phrases returns everything that people read of a puzzle, by what it is.
func phrases(p *Puzzle) map[string]Phrase {
	all := map[string]Phrase{"title": p.Title, "classic": p.Classic.Name, "statement": p.Text.Statement, "learned": p.Text.Learned}
	for _, c := range p.Strict {
		all["case "+c.Name.En] = c.Name
	}
	for _, h := range p.Text.Hints {
		all["hint "+h.En] = h
	}
	for _, s := range p.Text.Solutions {
		all["solution "+s.Title.En] = s.Title
		if s.Why != (Phrase{}) {
			all["why "+s.Title.En] = s.Why
		}
	}
	return all
}

// bothCourses are All and the puzzles of package fast, which imports this one.
func bothCourses(t *testing.T) []*Puzzle {
	t.Helper()
	fast, problems := Load(os.DirFS("fast"), nil)
	if len(problems) > 0 || len(fast) == 0 {
		t.Fatal(problems)
	}
	return slices.Concat(All(), fast)
}

func TestBothLanguagesSayTheSame(t *testing.T) {
	for _, p := range bothCourses(t) {
		for what, phrase := range phrases(p) {
			en, zh := outlineOf(phrase.En), outlineOf(phrase.Zh)
			if en.headings != zh.headings || en.bullets != zh.bullets {
				t.Errorf("puzzle %d, %s: headings and bullets %d, %d in English, %d, %d in Chinese",
					p.Number, what, en.headings, en.bullets, zh.headings, zh.bullets)
			}
			if !slices.Equal(en.math, zh.math) {
				t.Errorf("puzzle %d, %s: formulas differ:\nen %q\nzh %q", p.Number, what, en.math, zh.math)
			}
			if !slices.Equal(en.code, zh.code) {
				t.Errorf("puzzle %d, %s: code differs:\nen %q\nzh %q", p.Number, what, en.code, zh.code)
			}
			prose := codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(phrase.Zh, ""), "")
			if !han.MatchString(phrase.Zh) || han.MatchString(phrase.En) || halfWidth.MatchString(prose) {
				t.Errorf("puzzle %d, %s: a language is mixed up or Chinese has half-width punctuation", p.Number, what)
			}
		}
	}
}

// TestAnotherWay: there are several answers to each of the twelve, and of all that have several answers each says why
// one might prefer it.
func TestAnotherWay(t *testing.T) {
	for _, p := range All() {
		several := len(p.Text.Solutions) > 1
		if p.Number <= 12 && !several {
			t.Errorf("puzzle %d has one solution", p.Number)
		}
		for _, s := range p.Text.Solutions {
			if (s.Why != Phrase{}) != several {
				t.Errorf("%s/%s: why is %q", p.Slug, s.File, s.Why.En)
			}
		}
	}
}

func TestStatementsExplainTheSignature(t *testing.T) {
	for _, p := range bothCourses(t) {
		names := slices.Concat(p.Sizes, p.Blocks)
		for _, tensor := range append(slices.Clone(p.Inputs), p.Output) {
			names = append(names, tensor.Name+"_ptr")
		}
		for _, name := range names {
			if !strings.Contains(p.Text.Statement.En, "`"+name+"`") {
				t.Errorf("puzzle %d: the statement does not explain %s", p.Number, name)
			}
		}
		if len(p.Text.Hints) != 3 {
			t.Errorf("puzzle %d has %d hints", p.Number, len(p.Text.Hints))
		}
		if !strings.Contains(p.Text.Statement.En, "## The grid") {
			t.Errorf("puzzle %d: the statement does not describe the grid", p.Number)
		}
	}
}

// The kernels take the tensors in the puzzle's order, then its sizes, then its blocks, and declare
// every block a constexpr.
func TestKernelsHaveTheSignature(t *testing.T) {
	for _, p := range bothCourses(t) {
		var want []string
		for _, tensor := range append(slices.Clone(p.Inputs), p.Output) {
			want = append(want, tensor.Name+"_ptr")
		}
		want = slices.Concat(want, p.Sizes, p.Blocks)
		sources := []string{p.Text.Starter}
		for _, s := range p.Text.Solutions {
			sources = append(sources, s.Source)
		}
		for _, source := range sources {
			if got := parameters(source, p.Kernel); !slices.Equal(got, want) {
				t.Errorf("puzzle %d: parameters %q, want %q", p.Number, got, want)
			}
			for _, block := range p.Blocks {
				if !strings.Contains(source, block+": tl.constexpr") {
					t.Errorf("puzzle %d: %s is no constexpr", p.Number, block)
				}
			}
		}
	}
}

func parameters(source, kernel string) []string {
	_, rest, _ := strings.Cut(source, "def "+kernel+"(")
	list, _, _ := strings.Cut(rest, "):")
	var names []string
	for _, parameter := range strings.Split(list, ",") {
		name, _, _ := strings.Cut(parameter, ":")
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func TestPicturesAreSmallAndServeBothLanguages(t *testing.T) {
	text := regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)
	for _, p := range All() {
		if n := len(p.Text.Picture); n == 0 || n > 6<<10 {
			t.Errorf("puzzle %d: the picture has %d bytes", p.Number, len(p.Text.Picture))
		}
		for _, m := range text.FindAllStringSubmatch(p.Text.Picture, -1) {
			if han.MatchString(m[1]) {
				t.Errorf("puzzle %d: the picture says %q", p.Number, m[1])
			}
		}
	}
}
