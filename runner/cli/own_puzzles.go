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

// loadOwnPuzzles reads a folder of puzzles and holds each to the checks that newt's own pass. What makes it a course is
// sent as the file of the folder ".", and home is then the part of an address that opens its map. The error says
// everything that is wrong.
func loadOwnPuzzles(ctx context.Context, dir string, lang diag.Lang) (list []ownPuzzle, home string, err error) {
	a := readAuthored(ctx, dir)
	if len(a.flaws) > 0 {
		return nil, "", errors.New(a.text(diag.Printer{Lang: lang}))
	}
	list = make([]ownPuzzle, 0, len(a.puzzles)+1)
	for _, p := range a.puzzles {
		o, err := readOwnPuzzle(a.files, p.Slug, ownPuzzleFiles)
		if err != nil {
			return nil, "", err
		}
		list = append(list, o)
	}
	if a.course == nil {
		return list, "", nil
	}
	course, err := readOwnPuzzle(a.files, ".", []string{"course.json"})
	return append(list, course), "#/map/" + a.course.ID, err
}

func readOwnPuzzle(dir fs.FS, folder string, patterns []string) (ownPuzzle, error) {
	o := ownPuzzle{Folder: folder}
	for _, pattern := range patterns {
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
// asks of every site is no error in a browser's console. Where they are a course, home is loadOwnPuzzles's.
func withOwnPuzzles(
	ctx context.Context, dir string, lang diag.Lang, next http.Handler,
) (_ http.Handler, home string, err error) {
	list := []ownPuzzle{}
	if dir != "" {
		if list, home, err = loadOwnPuzzles(ctx, dir, lang); err != nil {
			return nil, "", fmt.Errorf("the puzzles in %s cannot be served:\n%w", dir, err)
		}
	}
	body, err := json.Marshal(list)
	if err != nil {
		return nil, "", err
	}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.HandleFunc("GET /api/puzzles", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(body)
	})
	return mux, home, nil
}
