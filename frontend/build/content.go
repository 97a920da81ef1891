package main

import (
	"encoding/json"
	"fmt"

	"github.com/newtlab/newt/puzzles"
)

// languages are those that the page speaks.
var languages = []string{"en", "zh"}

// puzzleText is one puzzle as the page shows it; src/content/content.ts has the same fields.
type puzzleText struct {
	Number    int            `json:"number"`
	Title     string         `json:"title"`
	HTML      string         `json:"html"`
	Picture   string         `json:"picture"`
	Starter   string         `json:"starter"`
	Hints     []string       `json:"hints"`
	Solutions []solutionText `json:"solutions"`
	Learned   string         `json:"learned"`
}

type solutionText struct {
	Title  string `json:"title"`
	Source string `json:"source"`
}

// puzzleContent renders every puzzle's text in one language as JSON.
func puzzleContent(lang string) ([]byte, error) {
	list := []puzzleText{}
	for _, p := range puzzles.All() {
		text, err := renderPuzzle(p, lang)
		if err != nil {
			return nil, fmt.Errorf("puzzle %d, %s: %w", p.Number, lang, err)
		}
		list = append(list, text)
	}
	return json.Marshal(map[string]any{"puzzles": list})
}

func renderPuzzle(p *puzzles.Puzzle, lang string) (puzzleText, error) {
	text := puzzleText{
		Number: p.Number, Title: p.Title.In(lang), Picture: p.Text.Picture,
		Starter: p.Text.Starter, Hints: []string{}, Solutions: []solutionText{},
	}
	var err error
	if text.HTML, err = renderMarkdown(p.Text.Statement.In(lang)); err != nil {
		return text, err
	}
	if text.Learned, err = renderMarkdown(p.Text.Learned.In(lang)); err != nil {
		return text, err
	}
	for _, hint := range p.Text.Hints {
		html, err := renderMarkdown(hint.In(lang))
		if err != nil {
			return text, err
		}
		text.Hints = append(text.Hints, html)
	}
	for _, s := range p.Text.Solutions {
		text.Solutions = append(text.Solutions, solutionText{s.Title.In(lang), s.Source})
	}
	return text, nil
}
