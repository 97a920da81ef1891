package rpc

import (
	"strings"
	"testing"
)

type inner struct {
	List []string `json:"list"`
}

type outer struct {
	Numbers []int    `json:"numbers"`
	Nested  []inner  `json:"nested"`
	Lists   [][]int  `json:"lists"`
	One     inner    `json:"one"`
	Some    *inner   `json:"some,omitempty"`
	Left    []string `json:"left,omitempty"`
	None    *inner   `json:"none,omitempty"`
}

// TestEncode: lists that Go never made are empty, at every depth.
func TestEncode(t *testing.T) {
	for _, c := range []struct {
		reply outer
		want  string
	}{
		{outer{}, `{"numbers":[],"nested":[],"lists":[],"one":{"list":[]}}`},
		{outer{Nested: make([]inner, 1), Lists: make([][]int, 1), Some: &inner{}},
			`{"numbers":[],"nested":[{"list":[]}],"lists":[[]],"one":{"list":[]},"some":{"list":[]}}`},
		{outer{Numbers: []int{1}, Left: []string{"x"}}, `{"numbers":[1],"nested":[],"lists":[],"one":{"list":[]},"left":["x"]}`},
	} {
		if got, err := Encode(&c.reply); err != nil || string(got) != c.want {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
}

// TestDecode: a request is one value, of known fields, within its limit.
func TestDecode(t *testing.T) {
	for text, wrong := range map[string]string{
		`{"list": ["x"]}`: "", `{"list": ["x"]} `: "", "": "cannot be read", `{"list": 1}`: "cannot be read",
		`{"shell": "ls"}`: "unknown field", `{} {}`: "something follows", `{"list": ["` + strings.Repeat("x", 40) + `"]}`: "are allowed",
	} {
		var r inner
		err := Decode([]byte(text), 32, &r)
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v, not %q", text, err, wrong)
		}
	}
}
