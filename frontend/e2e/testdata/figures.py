# %% [markdown]
# # Figures
# What `matplotlib` draws, with a table:
#
# | block | time |
# |------:|-----:|
# | 32 | 1.5 ms |
#
# - one
# - two: $x_i + 10$
#
# > quoted, and a [link](https://example.com)

# %%
import matplotlib.pyplot as plt
import numpy as np
x = np.linspace(0, 6.3, 50)
plt.plot(x, np.sin(x), label="sin")
plt.plot(x, np.cos(x), "--", label="cos")
plt.title("Waves")
plt.xlabel("angle")
plt.ylabel("value")
plt.legend()
plt.grid(True)
plt.show()

# %%
n = [2**i for i in range(4, 14)]
plt.loglog(n, [v * 1.0 for v in n], "o-", label="copy")
plt.loglog(n, [v**1.5 for v in n], "s-", label="product")
plt.xlabel("N")
plt.ylabel("GB/s")
plt.legend()
plt.show()

# %%
plt.imshow(np.arange(48).reshape(6, 8))
plt.title("A tile")
plt.colorbar()
plt.show()

# %%
plt.bar(["Triton", "torch", "naive"], [320.5, 300.0, 41.25], color=["C0", "C1", "C2"])
plt.ylabel("TFLOP/s")
plt.show()

# %%
plt.scatter([1, 2, 3, 4], [4, 1, 3, 2], s=[20, 80, 180, 320], alpha=0.6)
plt.axhline(2.5, linestyle=":")
plt.text(1.2, 2.6, "mean")
plt.show()

# %%
fig, axes = plt.subplots(2, 2, figsize=(8, 6))
axes[0, 0].plot([1, 2, 3], [1, 4, 9])
axes[0, 0].set_title("squares")
axes[0, 1].imshow(np.random.default_rng(0).random((16, 16)))
axes[0, 1].set_title("noise")
axes[1, 0].barh(["a", "b"], [3, 5])
axes[1, 1].fill_between([0, 1, 2], [0, 1, 0], [1, 2, 1], alpha=0.3)
fig.suptitle("Four plots")
plt.tight_layout()
plt.show()

# %%
from IPython.display import HTML, Markdown, display
display(HTML("<table><tr><th>kernel</th><th>time</th></tr><tr><td>add</td><td>1.2 ms</td></tr></table><script>document.title = 'x'</script>"))
display(Markdown("**bold** and `code`\n\n1. first\n2. second"))

# %%
import torch, triton
import triton.language as tl
@triton.jit
def add_kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z_ptr + i, tl.load(x_ptr + i, i < n) + tl.load(y_ptr + i, i < n), i < n)
x = torch.rand(1000, device="cuda"); y = torch.rand(1000, device="cuda"); z = torch.empty_like(x)
for block in (64, 128, 256):
    add_kernel[(triton.cdiv(1000, block),)](x, y, z, 1000, BLOCK=block)
print(z, "a very long line " * 12)

# %%
def outer(v):
    return inner(v, 0)
def inner(a, b):
    return a / b
import sys
print("to stderr", file=sys.stderr)
outer(torch.ones(3).sum().item())
