import torch, triton, triton.language as tl, pytest
def test_exceed_threads():
    N = 1024
    x, y, out = (torch.empty(N, device="cuda").fill_(i) for i in (1, 2, 0))
    configs = [triton.Config({}, num_warps=128), triton.Config({}, num_warps=4)]
    got = []
    def hook(*args, exception):
        if exception is not None: got.append(exception)
    @triton.autotune(configs=configs, key=["BLOCK"], post_hook=hook)
    @triton.jit
    def add(x, y, o, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        tl.store(o + i, tl.load(x + i) + tl.load(y + i))
    add[(1,)](x, y, out, BLOCK=N)
    assert out[0] == 3
    assert str(got[0]) == "out of resource: threads, Required: 4096, Hardware limit: 1024. Reducing block sizes or `num_stages` may help."
def test_direct():
    @triton.jit
    def k(x, BLOCK: tl.constexpr):
        tl.store(x + tl.arange(0, BLOCK), 1.0)
    with pytest.raises(triton.runtime.errors.OutOfResources):
        k[(1,)](torch.empty(128, device="cuda"), 128, num_warps=64)
