package puzzles

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/compiler/diag"
)

// soundCourse is one of three puzzles.
const soundCourse = `{
  "id": "week1",
  "title": "A week",
  "regions": [{"title": "Blocks", "puzzles": [2, 1]}, {"title": {"en": "Rows", "zh": "行"}, "puzzles": [601]}],
  "after": {"601": [1]},
  "ideas": [{"id": "mask", "puzzle": 2},
    {"id": "tail", "puzzle": 1, "title": "Tail", "text": "What is left.", "words": ["tail"]}]
}
`

// courseOf is a folder of three puzzles, of which one has a problem, with a course.json.
func courseOf(course string) fstest.MapFS {
	fsys := sample()
	for name, file := range sample() {
		second := strings.Replace(string(file.Data), `"number": 1`, `"number": 2`, 1)
		fsys["02"+strings.TrimPrefix(name, "01")] = &fstest.MapFile{Data: []byte(second)}
	}
	fsys["601_broken/puzzle.json"] = &fstest.MapFile{Data: []byte("{}")}
	fsys["course.json"] = &fstest.MapFile{Data: []byte(course)}
	return fsys
}

// TestLoadCourse: a folder is a course by its course.json, in the order of the regions. A puzzle that cannot be read is
// one problem and not two.
func TestLoadCourse(t *testing.T) {
	c, list, problems := LoadCourse(courseOf(soundCourse), nil)
	if c == nil || len(list) != 2 || len(problems) != 1 {
		t.Fatalf("course %v, %d puzzles, problems %v", c, len(list), problems)
	}
	if c.ID != "week1" || c.Title.In("zh") != "A week" || c.Regions[1].Title.In("zh") != "行" || !slices.Equal(c.After["601"], []int{1}) {
		t.Errorf("%+v", c)
	}
	if c, _, problems := LoadCourse(sample(), nil); c != nil || len(problems) > 0 {
		t.Errorf("without course.json: course %v, problems %v", c, problems)
	}
}

// TestCourseProblems: what is wrong in course.json is said with its place, its reason and what to do, in both languages.
func TestCourseProblems(t *testing.T) {
	for _, c := range []struct{ old, new, code, at, near string }{
		{`"week1"`, `"Week 1"`, "course-name", `"Week 1"`, ""},
		{`"week1"`, `"fast"`, "course-name", `"fast"`, ""},
		{"  \"id\": \"week1\",\n", "", "puzzle-missing", "{", ""},
		{`"A week"`, `{"en": "A week"}`, "puzzle-phrase", `{"en": "A week"}`, ""},
		{`"title": "A week"`, `"titel": "A week"`, "puzzle-json-field", `"titel"`, "title"},
		{`[{"title": "Blocks", "puzzles": [2, 1]}, {"title": {"en": "Rows", "zh": "行"}, "puzzles": [601]}]`, `[]`, "puzzle-count", `[]`, ""},
		{`"Blocks"`, `""`, "puzzle-phrase", `""`, ""},
		{`[2, 1]`, `[2, 1, 3]`, "course-number", `3]`, ""},
		{`[2, 1]`, `[2, 1, 2]`, "course-twice", `2]`, ""},
		{`[2, 1]`, `[2, "1"]`, "puzzle-json-type", `"1"`, ""},
		{`[601]`, `[]`, "course-left-out", `[{"title": "Blocks"`, ""},
		{`{"601": [1]}`, `{"six": [1]}`, "course-number", `"six"`, ""},
		{`{"601": [1]}`, `{"601": [3]}`, "course-number", `3]`, ""},
		{`{"601": [1]}`, `{"2": [1]}`, "course-after", `1]`, ""},
		{`{"601": [1]}`, `{"2": [2]}`, "course-after", `2]`, ""},
		{`"mask"`, `"maks"`, "course-idea", `"maks"`, "mask"},
		{`"mask", "puzzle": 2`, `"mask", "puzzle": 3`, "course-number", `3}`, ""},
		{`"tail",`, `"mask",`, "course-idea-twice", `"mask", "puzzle": 1`, ""},
		{`"tail",`, `"the tail",`, "course-name", `"the tail"`, ""},
		{`"title": "Tail", `, ``, "puzzle-phrase", `{"id": "tail"`, ""},
		{`"text": "What is left.", `, ``, "puzzle-phrase", `{"id": "tail"`, ""},
		{`["tail"]`, `["tail", " "]`, "puzzle-phrase", `" "]`, ""},
		{"]}]\n", "]}],\n", "puzzle-json", "}", ""},
	} {
		text := strings.Replace(soundCourse, c.old, c.new, 1)
		if text == soundCourse {
			t.Fatalf("%q is not in the course", c.old)
		}
		course, _, problems := LoadCourse(courseOf(text), nil)
		if course != nil || len(problems) != 2 {
			t.Errorf("%s: course %v, problems %v", c.new, course, problems)
			continue
		}
		file, d := problems[1].Diagnostic()
		if place := text[d.Primary.Span.Start:]; file.Name != "course.json" || d.Code != c.code || !strings.HasPrefix(place, c.at) {
			t.Errorf("%s: %s: %s, not %s, at %.30q", c.new, file.Name, d.Code, c.code, place)
		}
		if near := d.Primary.Text; c.near != "" && (len(near.Args) == 0 || near.Args[0] != c.near) {
			t.Errorf("%s: near is %v", c.new, near)
		}
		for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
			if m := d.In(lang); m.Headline == "" || m.Why == "" || m.Help == "" {
				t.Errorf("%s: %+v", c.new, m)
			}
		}
	}
}

// TestOwnCourses: both of newt's courses have their puzzles in regions, in the order that the page goes through them.
func TestOwnCourses(t *testing.T) {
	for _, dir := range []string{".", "fast"} {
		c := &Course{ID: "own"}
		if err := c.read(os.DirFS(dir)); err != nil {
			t.Error(err)
		}
		list, _ := Load(os.DirFS(dir), nil)
		var want, got []int
		for _, p := range list {
			want = append(want, p.Number)
		}
		for _, r := range c.Regions {
			got = append(got, r.Puzzles...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the regions have %v, not %v", dir, got, want)
		}
	}
}
