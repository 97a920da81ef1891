package markdown

import "testing"

func TestStatement(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"inline formula", "so $z_i = 10 + x_i$.", "<p>so <code class=\"math\">z_i = 10 + x_i</code>.</p>\n"},
		{"display formula over lines", "$$\nz_{i} = \\sum_j\nx_{i,j}\n$$", "<p><code class=\"math display\">z_{i} = \\sum_j\nx_{i,j}</code></p>\n"},
		{"markup inside a formula stays", "$a*b*c < d$", "<p><code class=\"math\">a*b*c &lt; d</code></p>\n"},
		{"a lone dollar sign", "costs 5$ a `$` day", "<p>costs 5$ a <code>$</code> day</p>\n"},
		{"raw HTML is dropped", "a <b onclick=x>b</b>", "<p>a <!-- raw HTML omitted -->b<!-- raw HTML omitted --></p>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Statement(c.source)
			if err != nil || got != c.want {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
		})
	}
}

func TestProse(t *testing.T) {
	for source, want := range map[string]string{
		"a <b>b</b> ~~c~~":     "<p>a <b>b</b> <del>c</del></p>\n",
		"![x](picture:0123)":   "<p><img src=\"picture:0123\" alt=\"x\"></p>\n",
		"$x_1$":                "<p><code class=\"math\">x_1</code></p>\n",
		"_em_ and *a **b** c*": "<p><em>em</em> and <em>a <strong>b</strong> c</em></p>\n",
		"Title\n=====\ntext":   "<h1>Title</h1>\n<p>text</p>\n",
		"<https://a.example>":  "<p><a href=\"https://a.example\">https://a.example</a></p>\n",
		"so \\begin{align}\na &= b \\\\\n&= c_1*2*3\n\\end{align}": "<p>so <code class=\"math display\">\\begin{align}\n" +
			"a &amp;= b \\\\\n&amp;= c_1*2*3\n\\end{align}</code></p>\n",
		"\\begin{align} a":                    "<p>\\begin{align} a</p>\n",
		"\\begin{itemize} *a* \\end{itemize}": "<p>\\begin{itemize} <em>a</em> \\end{itemize}</p>\n",
		"`\\begin{align}`":                    "<p><code>\\begin{align}</code></p>\n",
		"see https://a.example":               "<p>see <a href=\"https://a.example\">https://a.example</a></p>\n",
	} {
		if got, err := Prose(source, true); err != nil || got != want {
			t.Errorf("%q: got %q (%v), want %q", source, got, err, want)
		}
	}
}

// TestPlain: where a stranger's HTML is not wanted, it is shown as it is written.
func TestPlain(t *testing.T) {
	for source, want := range map[string]string{
		"a <b onclick=x>b</b> *c*":           "<p>a &lt;b onclick=x&gt;b&lt;/b&gt; <em>c</em></p>\n",
		"<script>\nalert(1)\n</script>\n\nx": "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;\n</p>\n<p>x</p>\n",
		"<img src=x onerror=y>":              "<p>&lt;img src=x onerror=y&gt;</p>\n",
		"[click](javascript:alert(1))":       "<p><a href=\"\">click</a></p>\n",
		"$x_1$ _em_":                         "<p><code class=\"math\">x_1</code> <em>em</em></p>\n",
	} {
		if got, err := Prose(source, false); err != nil || got != want {
			t.Errorf("%q: got %q (%v), want %q", source, got, err, want)
		}
	}
}
