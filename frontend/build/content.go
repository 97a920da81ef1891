package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/wasm/markdown"
)

// languages are those that the page speaks.
var languages = []string{"en", "zh"}

// puzzleText is one puzzle as the page shows it; src/content/content.ts has the same fields.
type puzzleText struct {
	Number    int            `json:"number"`
	Title     string         `json:"title"`
	HTML      string         `json:"html"`
	Picture   string         `json:"picture"`
	Shows     string         `json:"shows"` // what the picture shows, in words
	Starter   string         `json:"starter"`
	Hints     []string       `json:"hints"`
	Solutions []solutionText `json:"solutions"`
	Learned   string         `json:"learned"`
	Goals     []goal.Goal    `json:"goals,omitempty"`
}

type solutionText struct {
	Title  string `json:"title"`
	Source string `json:"source"`
}

// puzzleContent renders the texts of puzzles in one language as JSON.
func puzzleContent(of []*puzzles.Puzzle, lang string) ([]byte, error) {
	list := []puzzleText{}
	for _, p := range of {
		text, err := renderPuzzle(p, lang)
		if err != nil {
			return nil, fmt.Errorf("puzzle %d, %s: %w", p.Number, lang, err)
		}
		list = append(list, text)
	}
	return json.Marshal(map[string]any{"puzzles": list})
}

// described is the title of a picture, or its description in one language.
var described = regexp.MustCompile(`(?s)<title>.*?</title>\n?|<desc lang="(\w+)">(.*?)</desc>\n?`)

// splitPicture takes a picture's title and descriptions out of it and gives the description in lang. The page has that
// as the picture's text; a title of its own would come up under the pointer.
func splitPicture(svg, lang string) (picture, shows string) {
	for _, m := range described.FindAllStringSubmatch(svg, -1) {
		if m[1] == lang {
			shows = html.UnescapeString(m[2])
		}
	}
	return strings.Replace(described.ReplaceAllString(svg, ""), ` role="img"`, ` aria-hidden="true"`, 1), shows
}

func renderPuzzle(p *puzzles.Puzzle, lang string) (puzzleText, error) {
	text := puzzleText{
		Number: p.Number, Title: p.Title.In(lang),
		Goals: p.Goals, Starter: p.Text.Starter, Hints: []string{}, Solutions: []solutionText{},
	}
	text.Picture, text.Shows = splitPicture(p.Text.Picture, lang)
	if text.Picture != "" && text.Shows == "" {
		return text, errors.New("the picture has no description")
	}
	var err error
	if text.HTML, err = markdown.Statement(p.Text.Statement.In(lang)); err != nil {
		return text, err
	}
	if text.Learned, err = markdown.Statement(p.Text.Learned.In(lang)); err != nil {
		return text, err
	}
	for _, hint := range p.Text.Hints {
		html, err := markdown.Statement(hint.In(lang))
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
