package link

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens of the current version that are missing")

// examples are states that between them use every part of the format.
var examples = map[string]State{
	"empty":  {},
	"puzzle": {Source: "import triton\n# 加一\n", Puzzle: 12, Lang: "zh", Strict: true, View: "ir"},
	"free": {Source: "x = 1\n", View: "run", Free: &Free{
		Kernel: "add", Grid: "(triton.cdiv(n, 32),)", Seed: -1,
		Args: []FreeArg{{Name: "x", Kind: "tensor", DType: "float32", Shape: "4, 200", Fill: "randn"}, {Name: "n", Kind: "int", Value: "200"}},
	}},
	"results": {Source: "y\n", Results: &Results{
		Pass: true, Message: "Solved.", Made: 1790000000,
		Facts:   []Fact{{"device", "NVIDIA H200"}, {"median", "0.012 ms"}},
		Tensors: []Tensor{{"z", "float32", "2, 2", "tensor([[1., 2.],\n        [3., 4.]])"}},
		Prints:  []string{"pid (0, 0, 0)", ""},
	}},
	"custom": {Source: "z\n", Puzzle: 1, Custom: &Custom{Folder: "01_double", Files: []File{
		{"puzzle.json", "{}"}, {"spec.py", "def spec(x):\n    return 2 * x\n"}, {"statement.zh.md", "加倍。\n"},
	}}},
	"look":         {Source: "x = 1\n", Puzzle: 2, View: "memory", Look: &Look{Test: 4, Program: []int{6, 0, 0}, Step: 8}},
	"look-all":     {Look: &Look{All: true, Step: LastStep}},
	"look-problem": {View: "ptx", Look: &Look{Step: FirstProblem}},
	"code": {Source: "x = 1\n", View: "ptx", Code: &Code{
		Stage: "plan", Target: "sm_80", Unchecked: true,
		Base: &Base{Stage: "cse", Target: "sm_90a", NumWarps: 8, NumStages: 3, Source: "x = 0\n"},
	}},
	"code-look": {View: "lens", Look: &Look{Test: 1, Step: LastStep}, Code: &Code{Stage: "ptx", Target: "sm_80"}},
	"document": {Source: "from helper import relu\n", View: "document", Document: &Document{
		Name: "main.py", Format: "python",
		Files: []NamedData{{"data/x.bin", []byte{0, 0xff, 0xfe}}, {"helper.py", []byte("relu = abs\n")}},
	}},
	"document-look": {View: "document:ptx", Look: &Look{Test: 1, Step: LastStep}, Code: &Code{Stage: "ptx"},
		Document: &Document{Name: "softmax.ipynb", Format: "notebook"}},
	"extremes": {Source: "\x00\u2028\U0010ffff", Puzzle: maxPuzzle, Free: &Free{Seed: math.MinInt64}, Results: &Results{Made: math.MaxInt64}},
}

// TestGoldens keeps every link that was ever made readable: testdata/vN/NAME.link holds a text of
// version N, NAME.json its state. Existing files are never written again.
func TestGoldens(t *testing.T) {
	if *update {
		for name, s := range examples {
			writeGolden(t, filepath.Join("testdata", fmt.Sprintf("v%d", s.version()), name), s)
		}
	}
	texts, err := filepath.Glob("testdata/v*/*.link")
	if err != nil || len(texts) < len(examples) {
		t.Fatalf("%d goldens, %v", len(texts), err)
	}
	for _, name := range texts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := os.ReadFile(strings.TrimSuffix(name, ".link") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var want State
		if err := json.Unmarshal(recorded, &want); err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(strings.TrimSpace(string(text))); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v\nwant %+v", name, got, err, want)
		}
	}
}

func writeGolden(t *testing.T, stem string, s State) {
	t.Helper()
	if _, err := os.Stat(stem + ".link"); err == nil {
		return
	}
	text, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string]string{stem + ".link": text, stem + ".json": string(recorded)} {
		if err := os.WriteFile(file, []byte(data+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for name, s := range examples {
		text, err := Encode(s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := Decode(text); err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%s: got %+v, %v\nwant %+v", name, got, err, s)
		}
	}
}

// frame makes a text around a body, as a writer of any version would.
func frame(version byte, body []byte) string {
	var out bytes.Buffer
	out.WriteByte(version)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
	w, _ := flate.NewWriter(&out, flate.BestCompression)
	w.Write(body)
	w.Close()
	return encoding.EncodeToString(out.Bytes())
}

func code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if err != nil {
		return "another kind of error: " + err.Error()
	}
	return ""
}

func TestDecodeRefuses(t *testing.T) {
	good, err := Encode(examples["free"])
	if err != nil {
		t.Fatal(err)
	}
	body, err := marshal(examples["puzzle"])
	if err != nil {
		t.Fatal(err)
	}
	looking, err := marshal(examples["look"])
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := marshal(examples["code"])
	if err != nil {
		t.Fatal(err)
	}
	flipped := []byte(good)
	flipped[2] ^= 3 // inside the checksum
	noise := make([]byte, 180<<10)
	rng := rand.NewChaCha8([32]byte{1})
	rng.Read(noise)
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "link-truncated"},
		{"three letters", "AQA", "link-truncated"},
		{"half of it", good[:len(good)/2], "link-truncated"},
		{"one letter less", good[:len(good)-1], "link-truncated"},
		{"a changed letter", string(flipped), "link-corrupt"},
		{"a sentence", "Have a look at my kernel!", "link-corrupt"},
		{"percent signs", good + "%20", "link-corrupt"},
		{"padding", good + "==", "link-corrupt"},
		{"wrapped by mail", good[:20] + "\n" + good[20:], "link-corrupt"},
		{"noise", encoding.EncodeToString(append([]byte{1, 0, 0, 0, 0}, noise...)), "link-corrupt"},
		{"version 0", frame(0, body), "link-corrupt"},
		{"a newer version", frame(Version+1, []byte("whatever it may hold")), "link-newer"},
		{"version 1 with a look", frame(1, looking), "link-corrupt"},
		{"version 2 without a look", frame(2, body), "link-corrupt"},
		{"version 2 with code", frame(2, compiled), "link-corrupt"},
		{"version 3 without code", frame(3, append(bytes.Clone(body), 0)), "link-corrupt"},
		{"a base's warps beyond any", frame(3, append(bytes.Clone(body), 0, 0, 0, 0, 1, 0, 0, 0xff, 0x7f, 0, 0)), "link-corrupt"},
		{"four axes", frame(2, append(bytes.Clone(body), 0, 0, 4, 0, 0, 0, 0, 0)), "link-corrupt"},
		{"a step before the first problem", frame(2, append(bytes.Clone(body), 0, 0, 0, 5)), "link-corrupt"},
		{"version 255", frame(255, nil), "link-newer"},
		{"an unknown field", frame(1, append(bytes.Clone(body), 7)), "link-corrupt"},
		{"a body cut short", frame(1, body[:len(body)-1]), "link-corrupt"},
		{"no body", frame(1, nil), "link-corrupt"},
		{"not UTF-8", frame(1, []byte("\x02\xff\xfe\x00\x00\x00\x00\x00\x00\x00")), "link-corrupt"},
		{"a surrogate", frame(1, []byte("\x03\xed\xa0\x80\x00\x00\x00\x00\x00\x00\x00")), "link-corrupt"},
		{"a padded varint", frame(1, []byte("\x80\x00\x00\x00\x00\x00\x00\x00\x00")), "link-corrupt"},
		{"a length beyond the end", frame(1, []byte("\xff\xff\x03")), "link-corrupt"},
		{"a length beyond 64 bits", frame(1, bytes.Repeat([]byte{0xff}, 11)), "link-corrupt"},
		{"a flag of 2", frame(1, []byte{0, 0, 0, 2, 0, 0, 0, 0}), "link-corrupt"},
		{"many arguments", frame(1, []byte{0, 0, 0, 0, 0, 1, 0, 0xff, 0xff, 0x7f}), "link-corrupt"},
		{"something after the end", encoding.EncodeToString(append(mustDecode(frame(1, body)), 0)), "link-corrupt"},
		{"long", strings.Repeat("A", MaxEncoded+1), "link-too-large"},
		{"a bomb", bomb(), "link-too-large"},
		{"a folder outside", customText("../01_x", "spec.py"), "link-corrupt"},
		{"a file outside", customText("01_x", "../spec.py"), "link-corrupt"},
		{"a hidden file", customText("01_x", ".spec.py"), "link-corrupt"},
		{"two files of one name", customText("01_x", "spec.py", "spec.py"), "link-corrupt"},
		{"files out of order", customText("01_x", "spec.py", "puzzle.json"), "link-corrupt"},
		{"version 4 without a document", frame(4, append(bytes.Clone(body), 0, 0)), "link-corrupt"},
		{"a document outside", documentText("../x.py"), "link-corrupt"},
		{"a document's file outside", documentText("x.py", "data/../../a"), "link-corrupt"},
		{"an absolute file", documentText("x.py", "/etc/passwd"), "link-corrupt"},
		{"a file that has no name", documentText("x.py", ""), "link-corrupt"},
		{"a file with a backslash", documentText("x.py", `..\a`), "link-corrupt"},
		{"a file with a line feed", documentText("x.py", "a\nb"), "link-corrupt"},
	} {
		if s, err := Decode(c.text); code(err) != c.want || !reflect.DeepEqual(s, State{}) {
			t.Errorf("%s: got %v %q, want %q", c.name, s, code(err), c.want)
		}
	}
}

func mustDecode(text string) []byte {
	data, err := encoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// customText writes a puzzle folder that Encode would refuse.
func customText(folder string, files ...string) string {
	body := []byte{0, 0, 0, 0, 0, 0, 0, 1, byte(len(folder))}
	body = append(append(body, folder...), byte(len(files)))
	for _, name := range files {
		body = append(append(append(body, byte(len(name))), name...), 0)
	}
	return frame(1, body)
}

// documentText writes a document that Encode would refuse.
func documentText(name string, files ...string) string {
	body := []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(len(name))}
	body = append(append(body, name...), 0, byte(len(files)))
	for _, name := range files {
		body = append(append(append(body, byte(len(name))), name...), 0)
	}
	return frame(4, body)
}

// bomb is a text within the limit that would grow to more than 100 MB.
var bomb = sync.OnceValue(func() string {
	const packed = MaxEncoded * 3 / 4
	out := bytes.NewBuffer([]byte{Version, 0, 0, 0, 0})
	w, _ := flate.NewWriter(out, flate.DefaultCompression)
	zeros := make([]byte, 1<<20)
	for out.Len() < packed-4<<10 {
		w.Write(zeros)
		w.Flush()
	}
	w.Close()
	return encoding.EncodeToString(out.Bytes())
})

func TestEncodeRefuses(t *testing.T) {
	noise := make([]byte, 700<<10)
	rng := rand.NewChaCha8([32]byte{2})
	rng.Read(noise)
	for i := range noise {
		noise[i] &= 0x7f
	}
	for _, c := range []struct {
		name, want string
		state      State
	}{
		{"a long source", "link-too-large", State{Source: strings.Repeat("x", MaxDecoded+1)}},
		{"a source that fills it", "link-too-large", State{Source: strings.Repeat("x", MaxDecoded)}},
		{"a source that does not compress", "link-too-large", State{Source: string(noise)}},
		{"many arguments", "link-too-large", State{Free: &Free{Args: make([]FreeArg, maxArgs+1)}}},
		{"a long view", "link-too-large", State{View: strings.Repeat("x", maxWord+1)}},
		{"not UTF-8", "link-unfit", State{Source: "\xff"}},
		{"a negative puzzle", "link-unfit", State{Puzzle: -1}},
		{"a great puzzle", "link-unfit", State{Puzzle: maxPuzzle + 1}},
		{"a negative program", "link-unfit", State{Look: &Look{Program: []int{-1}}}},
		{"a great step", "link-unfit", State{Look: &Look{Step: maxStep + 1}}},
		{"negative warps", "link-unfit", State{Code: &Code{Base: &Base{NumWarps: -1}}}},
		{"no folder", "link-unfit", State{Custom: &Custom{}}},
		{"a folder outside", "link-unfit", State{Custom: &Custom{Folder: "../01_x"}}},
		{"two files of one name", "link-unfit", State{Custom: &Custom{Folder: "01_x", Files: []File{{"a", "1"}, {"b", ""}, {"a", "2"}}}}},
		{"two files of a document of one name", "link-unfit", State{Document: &Document{Name: "x.py", Files: []NamedData{{Name: "a"}, {Name: "a"}}}}},
		{"a document without a name", "link-unfit", State{Document: &Document{}}},
		{"a file of a document that is too large", "link-too-large", State{Document: &Document{Name: "x.py", Files: []NamedData{{"a", make([]byte, MaxDecoded+1)}}}}},
		{"a file with a slash", "link-unfit", State{Custom: &Custom{Folder: "01_x", Files: []File{{"a/b", ""}}}}},
	} {
		if text, err := Encode(c.state); code(err) != c.want || text != "" {
			t.Errorf("%s: got %q, want %q", c.name, code(err), c.want)
		}
	}
}

// allocated is how many bytes f allocates, over its whole run.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestBombIsCheap bounds what hostile texts cost in memory, all allocations counted.
func TestBombIsCheap(t *testing.T) {
	full := frame(1, append(binary.AppendUvarint(nil, MaxDecoded-4), strings.Repeat("x", MaxDecoded-4)...))
	for name, text := range map[string]string{"bomb": bomb(), "full": full} {
		if n := allocated(func() { Decode(text) }); n > 12*MaxDecoded {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

func BenchmarkBomb(b *testing.B) {
	text := bomb()
	b.ReportAllocs()
	for b.Loop() {
		Decode(text)
	}
}

func BenchmarkDecode(b *testing.B) {
	text, _ := Encode(examples["free"])
	b.ReportAllocs()
	for b.Loop() {
		Decode(text)
	}
}

func BenchmarkEncode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Encode(examples["free"])
	}
}

// FuzzDecode: no text brings Decode down, and what it accepts has one canonical text.
func FuzzDecode(f *testing.F) {
	for _, s := range examples {
		text, err := Encode(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, []byte{})
		body, _ := marshal(s)
		f.Add("", body)
	}
	f.Add(customText("01_x", "a", "b"), []byte{0xff})
	// The checksum would stop nearly every mutation of a text, so bodies are tried as well.
	f.Fuzz(func(t *testing.T, text string, body []byte) {
		canonical(t, text)
		if len(body) < MaxDecoded {
			for version := byte(1); version <= Version; version++ {
				canonical(t, frame(version, body))
			}
		}
	})
}

func canonical(t *testing.T, text string) {
	s, err := Decode(text)
	if err != nil {
		if code(err) == "" || !strings.HasPrefix(code(err), "link-") {
			t.Fatalf("%v", err)
		}
		return
	}
	again, err := Encode(s)
	if code(err) == "link-too-large" {
		return // another compressor may have packed it tighter than ours
	}
	if err != nil {
		t.Fatalf("%+v decodes and does not encode: %v", s, err)
	}
	back, err := Decode(again)
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Fatalf("%+v came back as %+v, %v", s, back, err)
	}
	if third, err := Encode(back); err != nil || third != again {
		t.Fatalf("%q and %q are both canonical, %v", again, third, err)
	}
}
