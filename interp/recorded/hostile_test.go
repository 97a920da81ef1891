package recorded

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// manifestOf is the manifest of added as JSON, with pieces of its text replaced.
func manifestOf(t testing.TB, oldNew ...string) string {
	t.Helper()
	m, _ := added()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("%q is not in %s", oldNew[i], text)
		}
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return text
}

// TestHostile: what is wrong with a file is said in words.
func TestHostile(t *testing.T) {
	_, members := added()
	without := func(name string) map[string]string {
		_, out := added()
		delete(out, name)
		return out
	}
	const most = 4 << 20 // unpacked
	deep := strings.Repeat(`{"tuple":[`, maxDepth+2) + `{"none":true}` + strings.Repeat("]}", maxDepth+2)
	const n = `{"int":6}`
	for _, c := range []struct {
		name string
		data []byte
		code string
		says string
	}{
		{"text", []byte("import torch"), "recorded-archive", ""},
		{"half of one", archive(t, manifestOf(t), members)[:500], "recorded-archive", ""},
		{"another archive", archive(t, "", nil), "recorded-json", ""},
		{"no source", archive(t, manifestOf(t), without("sources/add.py")), "recorded-member", "`sources/add.py`"},
		{"no storage", archive(t, manifestOf(t), without("storages/z")), "recorded-member", "`storages/z`"},
		{"no JSON", archive(t, manifestOf(t)+"}", members), "recorded-json", ""},
		{"deep JSON", archive(t, strings.Repeat("[", 20000), members), "recorded-json", ""},
		{"another format", archive(t, manifestOf(t, Format, "zip"), members), "recorded-field", "`format`"},
		{"a later version", archive(t, manifestOf(t, `"version":1`, `"version":2`), members), "recorded-version", "version 2"},
		{"an unknown field", archive(t, manifestOf(t, `"at":`, `"streams":1,"at":`), members), "recorded-unknown", "`streams`"},
		{"a list for a name", archive(t, manifestOf(t, `"kernel":"add"`, `"kernel":["add"]`), members), "recorded-field", "kernel"},
		{"a kernel that is code", archive(t, manifestOf(t, `"kernel":"add"`, `"kernel":"add(); x"`), members), "recorded-field", "`launches[0].kernel`"},
		{"an argument that is code", archive(t, manifestOf(t, `"name":"n"`, `"name":"n=1,m"`), members), "recorded-field", "`launches[0].args[2].name`"},
		{"a keyword for a kernel", archive(t, manifestOf(t, `"kernel":"add"`, `"kernel":"None"`), members), "recorded-field", "`launches[0].kernel`"},
		{"an argument twice", archive(t, manifestOf(t, `"name":"n"`, `"name":"x_ptr"`), members), "recorded-field", "`launches[0].args[2].name`"},
		{"an argument named as an option", archive(t, manifestOf(t, `"num_warps":4`, `"n":4`), members), "recorded-field", "`launches[0].args[2].name`"},
		{"an option that is code", archive(t, manifestOf(t, `"num_warps":4`, `"num_warps":{"a":1}`), members), "recorded-field", "`launches[0].options.num_warps`"},
		{"a negative grid", archive(t, manifestOf(t, `"grid":[2,`, `"grid":[-2,`), members), "recorded-field", "grid"},
		{"a value of no kind", archive(t, manifestOf(t, n, `{}`), members), "recorded-field", "`launches[0].args[2].value`"},
		{"a value of two kinds", archive(t, manifestOf(t, n, `{"int":6,"none":true}`), members), "recorded-field", "one value"},
		{"a float for an int", archive(t, manifestOf(t, n, `{"int":1.5}`), members), "recorded-field", "an integer"},
		{"a float that is code", archive(t, manifestOf(t, n, `{"float":"1+1"}`), members), "recorded-field", "a float"},
		{"a dtype that is code", archive(t, manifestOf(t, n, `{"dtype":"x.y"}`), members), "recorded-field", "a dtype"},
		{"deep tuples", archive(t, manifestOf(t, n, deep), members), "recorded-field", "less deeply"},
		{"a long tuple", archive(t, manifestOf(t, n, `{"tuple":[`+strings.Repeat(n+",", 2000)+n+`]}`), members), "recorded-many", "at most 1024"},
		{"a dtype that torch lacks", archive(t, manifestOf(t, `"float32"`, `"float31"`), members), "recorded-field", "a dtype of torch"},
		{"no such storage", archive(t, manifestOf(t, `"storage":1`, `"storage":2`), members), "recorded-field", "storage"},
		{"a negative storage", archive(t, manifestOf(t, `"storage":1`, `"storage":-1`), members), "recorded-field", "storage"},
		{"a shape beyond its storage", archive(t, manifestOf(t, `"shape":[2,3]`, `"shape":[3,3]`), members), "recorded-field", "within"},
		{"a shape whose size overflows", archive(t, manifestOf(t, `"shape":[2,3],"strides":[3,1]`, `"shape":[4294967296,4294967296],"strides":[4294967296,4294967296]`), members), "recorded-field", "shape"},
		{"a stride of 0 over too many", archive(t, manifestOf(t, `"shape":[2,3],"strides":[3,1]`, `"shape":[200000000,200000000],"strides":[0,0]`), members), "recorded-field", "shape"},
		{"a stride too few", archive(t, manifestOf(t, `"strides":[3,1]`, `"strides":[3]`), members), "recorded-field", "strides"},
		{"a negative stride", archive(t, manifestOf(t, `"strides":[3,1]`, `"strides":[-3,1]`), members), "recorded-field", "not negative"},
		{"an offset beyond the storage", archive(t, manifestOf(t, `"offset":0`, `"offset":1`), members), "recorded-field", "within"},
		{"a storage of another size", archive(t, manifestOf(t, `"bytes":24`, `"bytes":28`), members), "recorded-field", "the size of"},
		{"a bomb", archive(t, manifestOf(t), func() map[string]string {
			out := without("")
			out["storages/x"] = strings.Repeat("\x00", most)
			return out
		}()), "recorded-size", "`storages/x`"},
		{"a source too large", archive(t, manifestOf(t), func() map[string]string {
			out := without("")
			out["sources/add.py"] = strings.Repeat("#", maxSource+1)
			return out
		}()), "recorded-size", "`sources/add.py`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, wrong := Read("run.launch", c.data, most)
			if f != nil || wrong == nil {
				t.Fatal("the file was read")
			}
			for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
				if said := wrong.In(lang); said.Headline == "" || strings.Contains(said.Headline+said.Why+said.Help, "recorded.") {
					t.Errorf("%s", said.Headline)
				}
			}
			if headline := wrong.In(diag.English).Headline; wrong.Code != c.code || !strings.Contains(headline, c.says) {
				t.Errorf("%s: %s, want %s: …%s…", wrong.Code, headline, c.code, c.says)
			}
		})
	}
}

// FuzzRead: any bytes are read or refused, and what is read can be written as a script.
func FuzzRead(f *testing.F) {
	m, members := added()
	f.Add(archive(f, m, members))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) { accepted(t, data) })
}

// FuzzManifest is FuzzRead within the archive: its members are those of a recording.
func FuzzManifest(f *testing.F) {
	_, members := added()
	f.Add(manifestOf(f))
	f.Add(manifestOf(f, `{"int":6}`, `{"tuple":[{"constexpr":{"dtype":"float32"}},{"float":"nan"},{"str":"a'\n"}]}`))
	f.Add(manifestOf(f, `"notes":null`, `"addresses":[{"storage":0,"at":1,"of":1,"offset":4}],"notes":null`))
	f.Add(manifestOf(f, `"offset":0`, `"as":"int32","offset":0`))
	f.Fuzz(func(t *testing.T, manifest string) { accepted(t, archive(t, manifest, members)) })
}

// accepted reads a file, and checks what follows from its being read.
func accepted(t *testing.T, data []byte) {
	file, wrong := Read("a.launch", data, 4<<20)
	if wrong != nil {
		if wrong.In(diag.Chinese).Headline == "" {
			t.Error(wrong.Code)
		}
		return
	}
	text := file.Document().Text()
	for i := range file.Launches {
		l := &file.Launches[i]
		if _, list := syntax.Parse(source.NewFile("", file.script(l).launch)); list.HasErrors() {
			t.Errorf("%s\n%s", list[0].In(diag.English).Headline, text)
		}
		for _, v := range l.tensors() {
			last := v.Offset
			for i, n := range v.Shape {
				if last += (n - 1) * v.Strides[i]; n == 0 {
					last = 0
					break
				}
			}
			if last < 0 || last*dtypes(v.DType) > l.Storages[v.Storage].Bytes {
				t.Errorf("%+v is not within %d bytes\n%s", v.Tensor, l.Storages[v.Storage].Bytes, text)
			}
		}
	}
}
