package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
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
	Solutions []solutionText `json:"solutions"` // the first one; waysContent has all
	Learned   string         `json:"learned"`
	Refused   []string       `json:"refused,omitempty"`
	Goals     []goal.Goal    `json:"goals,omitempty"`
	Timing    map[string]int `json:"timing,omitempty"`
}

type solutionText struct {
	Title  string `json:"title"`
	Why    string `json:"why,omitempty"` // HTML: why one might prefer it
	Source string `json:"source"`
}

// waysContent renders all solutions of both courses in one language as JSON, by the puzzle's number. The page fetches
// them when somebody has solved a puzzle, or gives up.
func waysContent(lang string) ([]byte, error) {
	ways := map[int][]solutionText{}
	for _, p := range slices.Concat(puzzles.All(), fast.All()) {
		for _, s := range p.Text.Solutions {
			why, err := markdown.Statement(s.Why.In(lang))
			if err != nil {
				return nil, fmt.Errorf("puzzle %d, %s: %w", p.Number, lang, err)
			}
			ways[p.Number] = append(ways[p.Number], solutionText{s.Title.In(lang), why, s.Source})
		}
	}
	return json.Marshal(ways)
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
		Number: p.Number, Title: p.Title.In(lang), Starter: p.Text.Starter,
		Hints: []string{}, Solutions: []solutionText{}, Refused: p.Text.Refused, Goals: p.Goals,
		Timing: p.Timing,
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
	first := p.Text.Solutions[0]
	text.Solutions = append(text.Solutions, solutionText{Title: first.Title.In(lang), Source: first.Source})
	return text, nil
}
