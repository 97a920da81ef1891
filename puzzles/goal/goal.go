// Package goal says what a fast answer to a puzzle is: limits of what its launch takes on a simulated GPU, as Lens
// counts it. Package lens counts; this package knows the names of the counts and compares.
package goal

//go:generate go run ../../infra/tsgen -in goal.go -from puzzles/goal/goal.go -out ../../frontend/src/gen/goal.ts

import "slices"

// Levels is how many levels there are: bronze, silver, gold. Level 0 is that of an answer that is right.
const Levels = 3

// Goal bounds one count. Exactly one of Most and Least is there; its limits are those of the levels, from bronze on,
// and each level asks for no less than the one before.
type Goal struct {
	Count string    `json:"count"` // a name of Counts
	Most  []float64 `json:"most,omitempty"`
	Least []float64 `json:"least,omitempty"`
}

// Ladder is how fast a right answer is: its level is the lowest of its rungs'.
type Ladder struct {
	Level int    `json:"level"` // 0 to Levels
	Rungs []Rung `json:"rungs"`
}

// Rung is a goal with what was counted.
type Rung struct {
	Count  string    `json:"count"`
	Label  string    `json:"label"` // the count's name in the language of the request
	Value  float64   `json:"value"`
	Least  bool      `json:"least"`  // the limits are the least that levels ask for, and not the most that they allow
	Limits []float64 `json:"limits"` // of the levels, from bronze on
	Level  int       `json:"level"`
}

// Counts are what goals can bound, by name. (*lens.Report).Counts says how each is counted.
var Counts = []string{
	"sectors", "requests", "bytes", "wavefronts", "conflicts", "updates", "instructions", "longest", "warps", "tensor", "waves",
}

// labels are the names of Counts for people, in English and in Chinese. A program that grades nothing does without this
// variable.
var labels = [][2]string{
	{"sectors of global memory", "全局内存扇区"},
	{"requests of warps to global memory", "warp 对全局内存的请求"},
	{"bytes of different sectors", "不同扇区的字节数"},
	{"wavefronts of shared memory", "共享内存 wavefront"},
	{"wavefronts of shared memory beyond the ideal", "超出理想值的共享内存 wavefront"},
	{"atomic updates of words", "原子更新的字数"},
	{"instructions of warps", "warp 指令"},
	{"instructions of the program that executes most", "执行最多的那个程序的指令"},
	{"warps on a multiprocessor at a time", "一个 SM 上同时运行的 warp"},
	{"percent of the float operations on tensor cores", "张量核心上的浮点运算占比（%）"},
	{"sectors that waves of 16 programs read, each once a wave", "每 16 个程序一波，各波读取的不同扇区"},
}

// label is the count's name in lang, "en" or "zh".
func (g Goal) label(lang string) string {
	of := labels[slices.Index(Counts, g.Count)]
	if lang == "zh" {
		return of[1]
	}
	return of[0]
}

// limits are those of the levels.
func (g Goal) limits() []float64 {
	if len(g.Least) > 0 {
		return g.Least
	}
	return g.Most
}

// meets reports whether a value is within a limit.
func (g Goal) meets(value, limit float64) bool {
	if len(g.Least) > 0 {
		return value >= limit
	}
	return value <= limit
}

// level is the highest level whose limit a value meets.
func (g Goal) level(value float64) int {
	level := 0
	for level < Levels && g.meets(value, g.limits()[level]) {
		level++
	}
	return level
}

// Grade is how fast an answer that is right is, given what its launch takes, by the names of Counts. Labels are in
// lang, "en" or "zh".
func Grade(goals []Goal, counts map[string]float64, lang string) *Ladder {
	l := &Ladder{Level: Levels, Rungs: []Rung{}}
	for _, g := range goals {
		value := counts[g.Count]
		r := Rung{g.Count, g.label(lang), value, len(g.Least) > 0, g.limits(), g.level(value)}
		l.Rungs = append(l.Rungs, r)
		l.Level = min(l.Level, r.Level)
	}
	return l
}
