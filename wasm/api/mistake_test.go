package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestMistake: what is wrong with an answer is said in a sentence, with the line and a change after which it passes.
func TestMistake(t *testing.T) {
	s := newDocumentServer(testBudget, testLibraries)
	for _, c := range []struct {
		puzzle   int
		from, to string // a change of the solution
		line     int
		en, zh   string
	}{
		{4, "j[:, None] * N0 + i", "j[:, None] * N1 + i", 14,
			"the stride of `j[:, None]` is `N0` here, not `N1`", "`j[:, None]` 在这里的步长应为 `N0`，而不是 `N1`"},
		{7, "other=0.0", "other=1.0", 13,
			"the lanes that the mask excludes load 1.0 here, and that changes the result", "被掩码排除的通道在这里读到 1.0，这会改变结果"},
		{7, ", other=0.0", "", 14,
			"lanes that were not loaded take part in this operation", "没有加载的通道也参与了这个运算"},
	} {
		request := &PuzzleRequest{Puzzle: c.puzzle, Source: strings.Replace(answerTo(c.puzzle), c.from, c.to, 1)}
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			text, err := json.Marshal(&Request{Lang: lang, Mistake: request})
			if err != nil {
				t.Fatal(err)
			}
			reply := send(t, s, text).Mistake
			if reply == nil || reply.Found == nil {
				t.Fatalf("puzzle %d: %+v", c.puzzle, reply)
			}
			d := reply.Found
			if d.Headline != want || d.Line != c.line || len(d.Fixes) != 1 {
				t.Errorf("puzzle %d: line %d: %s, with %d fixes", c.puzzle, d.Line, d.Headline, len(d.Fixes))
			}
			mended := request.Source
			for _, e := range d.Fixes[0].Edits {
				mended = mended[:e.From] + e.Insert + mended[e.To:]
			}
			again, _ := json.Marshal(&Request{Puzzle: &PuzzleRequest{Puzzle: c.puzzle, Source: mended}})
			if v := send(t, s, again).Verdict; v == nil || !v.Pass {
				t.Errorf("puzzle %d: the change does not make it pass:\n%s", c.puzzle, mended)
			}
		}
	}
	for _, source := range []string{answerTo(2), "def"} {
		text, _ := json.Marshal(&Request{Mistake: &PuzzleRequest{Puzzle: 2, Source: source}})
		if r := send(t, s, text).Mistake; r == nil || r.Found != nil {
			t.Errorf("%+v", r)
		}
	}
}
