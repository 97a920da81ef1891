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
