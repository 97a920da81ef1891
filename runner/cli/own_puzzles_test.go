package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
)

// folder copies one of newt's own puzzles into a folder, changing some files.
func folder(t *testing.T, change map[string]string) string {
	t.Helper()
	dir, from := t.TempDir(), "../../puzzles/02_constant_add_block"
	if err := os.CopyFS(filepath.Join(dir, "02_own"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for name, text := range change {
		if err := os.WriteFile(filepath.Join(dir, "02_own", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// course is a course of the puzzle that folder copies.
const course = `{"id": "week1", "title": {"en": "A week", "zh": "一周"}, "regions": [{"title": "Blocks", "puzzles": [2]}]}`

// TestOwnPuzzles: the page is sent the files of each puzzle, and the course that they are, whose map is then the address.
func TestOwnPuzzles(t *testing.T) {
	for _, c := range []struct{ course, home, folders string }{
		{"", "", "02_own"},
		{course, "#/map/week1", "02_own ."},
	} {
		change := map[string]string{}
		if c.course != "" {
			change["../course.json"] = c.course
		}
		handler, home, err := withOwnPuzzles(t.Context(), folder(t, change), diag.English, http.NotFoundHandler())
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", "/api/puzzles", nil))
		var got []ownPuzzle
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got[0].Files) < 8 {
			t.Errorf("%v: %.300s", err, w.Body)
		}
		var folders []string
		for _, p := range got {
			folders = append(folders, p.Folder)
		}
		if home != c.home || strings.Join(folders, " ") != c.folders {
			t.Errorf("home %q, folders %v", home, folders)
		}
		if last := got[len(got)-1]; c.course != "" && (len(last.Files) != 1 || last.Files[0] != ownFile{"course.json", c.course}) {
			t.Errorf("the course is sent as %+v", last)
		}
	}
}

// TestNoOwnPuzzles: without a folder the page, which asks every site, is told that there are none.
func TestNoOwnPuzzles(t *testing.T) {
	handler, _, err := withOwnPuzzles(t.Context(), "", diag.English, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/api/puzzles", nil))
	if w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != "[]" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestOwnPuzzlesThatAreUnsound(t *testing.T) {
	for name, c := range map[string]struct {
		change map[string]string
		want   string
	}{
		"broken json":        {map[string]string{"puzzle.json": "{"}, "puzzle.json"},
		"scripted picture":   {map[string]string{"picture.svg": "<svg viewBox='0 0 1 1'><script/></svg>"}, "picture.svg"},
		"solution that runs": {map[string]string{"solution.py": "import triton\n\n@triton.jit\ndef add_mask2_kernel(x_ptr, z_ptr, N0, B0):\n    return\n"}, "no program writes to `z`"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := withOwnPuzzles(t.Context(), folder(t, c.change), diag.English, http.NotFoundHandler())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want a mention of %q", err, c.want)
			}
		})
	}
	if _, _, err := withOwnPuzzles(t.Context(), t.TempDir(), diag.English, http.NotFoundHandler()); err == nil {
		t.Error("an empty folder is served")
	}
}
