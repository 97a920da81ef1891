import torch


def attempt(code):
    try:
        print(code, "->", eval(code))
    except Exception as e:
        print(f"{code} -> {type(e).__name__}: {e}")


a = torch.ones(2, 3, device="cuda")
b = torch.ones(4, device="cuda")
c = torch.ones(2, 3)
i = torch.tensor([1, 2], device="cuda")
for code in [
    "a + b", "a @ b", "a @ a", "a.view(7)", "a.reshape(4, 2)", "torch.cat([a, b])", "torch.stack([a, b])",
    "a + c", "a @ c.T", "a.item()", "bool(a)", "a.sum(dim=2)", "a.transpose(0, 2)", "a[5]", "a.numpy()",
    "torch.zeros(-1)", "torch.tensor([[1], [2, 3]])", "torch.ones(2).expand(3)", "a.squeeze(5)",
    "torch.mm(a, b)", "torch.bmm(a, a)", "a.foo", "torch.foo", "i.mean()", "torch.arange(0, 3, -1)",
    "a.permute(0, 0)", "a.unsqueeze(4)", "a.max(dim=3)", "torch.tensor('x')", "a.to('tpu')", "torch.device('gpu')",
    "int(torch.ones(2))", "a.gather(1, i)", "torch.softmax(i, 0)", "i // 0.5", "a & a", "a.split(0)",
    "torch.einsum('ij,jk->ik', a, a)", "torch.full((2,))", "a.new_zeros('x')", "i << 0.5", "torch.eye(-2)",
]:
    attempt(code)
