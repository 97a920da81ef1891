package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
)

// ownPuzzle is a puzzle's folder as GET /api/puzzles sends it: the page loads it as it would one
// that came in a link.
type ownPuzzle struct {
	Folder string    `json:"folder"`
	Files  []ownFile `json:"files"`
}

type ownFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ownPuzzleFiles are the files of a folder that are sent: what puzzles/README.md lists.
var ownPuzzleFiles = []string{"puzzle.json", "text.json", "spec.py", "starter.py", "solution*.py", "statement*.md", "picture.svg"}

// loadOwnPuzzles reads a folder of puzzles and holds each to the checks that newt's own pass.
// The error says everything that is wrong.
func loadOwnPuzzles(ctx context.Context, dir string, lang diag.Lang) ([]ownPuzzle, error) {
	a := readAuthored(ctx, dir)
	if len(a.flaws) > 0 {
		return nil, errors.New(a.text(diag.Printer{Lang: lang}))
	}
	out := make([]ownPuzzle, 0, len(a.puzzles))
	for _, p := range a.puzzles {
		o, err := readOwnPuzzle(a.files, p.Slug)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

func readOwnPuzzle(dir fs.FS, folder string) (ownPuzzle, error) {
	o := ownPuzzle{Folder: folder}
	for _, pattern := range ownPuzzleFiles {
		names, err := fs.Glob(dir, path.Join(folder, pattern))
		if err != nil {
			return o, err
		}
		slices.Sort(names)
		for _, name := range names {
			text, err := fs.ReadFile(dir, name)
			if err != nil {
				return o, err
			}
			o.Files = append(o.Files, ownFile{path.Base(name), string(text)})
		}
	}
	return o, nil
}

// withOwnPuzzles serves the puzzles of a folder beside the page; no folder means none, and an empty list: what the page
// asks of every site is no error in a browser's console.
func withOwnPuzzles(ctx context.Context, dir string, lang diag.Lang, next http.Handler) (http.Handler, error) {
	list := []ownPuzzle{}
	if dir != "" {
		var err error
		if list, err = loadOwnPuzzles(ctx, dir, lang); err != nil {
			return nil, fmt.Errorf("the puzzles in %s cannot be served:\n%w", dir, err)
		}
	}
	body, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("GET /api/puzzles", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(body)
	})
	return mux, nil
}
