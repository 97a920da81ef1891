package host

import "testing"

// TestGroupedQueries: with enable_gqa a head of keys and values serves as many heads of queries as there are to each, as
// if it were repeated, which is how torch documents it.
func TestGroupedQueries(t *testing.T) {
	const text = `
import torch, torch.nn.functional as F
q, k, v = torch.randn(2, 6, 8, 4), torch.randn(2, 2, 8, 4), torch.randn(2, 3, 8, 5)
got = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
print(torch.equal(got, F.scaled_dot_product_attention(q, k.repeat_interleave(3, 1), v.repeat_interleave(2, 1), is_causal=True)))
for heads in (4, 0):
    try:
        print(F.scaled_dot_product_attention(q, k[:, :1].expand(2, heads, 8, 4), v, enable_gqa=True).shape)
    except RuntimeError as e:
        print(e)
`
	const uneven = "Number of heads in key and value must divide the number of heads in query\n"
	const want = "True\n" + uneven + uneven
	if got, diags := run(text, withLibraries(Options{})); got != want || diags.HasErrors() {
		t.Errorf("prints\n%s%s\nwant\n%s", got, words(diags), want)
	}
}

// TestAttentionDropout: dropout_p drops weights and scales the others, so that sums over a row of ones differ from 1 and
// are 1 on average.
func TestAttentionDropout(t *testing.T) {
	out, err := run(`import torch
import torch.nn.functional as F
torch.manual_seed(0)
q, k = torch.randn(2, 64, 16), torch.randn(2, 64, 16)
for p in 0.0, 0.5, 1.0:
    sums = F.scaled_dot_product_attention(q, k, torch.ones(2, 64, 16), dropout_p=p)
    print(p, abs(float(sums.mean()) - 1) < 0.1, bool((abs(sums - 1) > 0.01).any()))
print(F.dropout(q, 1.0).abs().sum().item())
try:
    F.scaled_dot_product_attention(q, k, k, dropout_p=1.5)
except ValueError as e:
    print(e)
`, withLibraries(Options{}))
	const want = "0.0 True False\n0.5 True True\n1.0 False True\n0.0\ndropout probability has to be between 0 and 1, but got 1.5\n"
	if err != nil || out != want {
		t.Errorf("%v: %s", err, out)
	}
}
