# @title Setup
def test(kernel, spec, nelem={}, B={"B0": 32}, viz=True):
    torch.manual_seed(0)
    signature = inspect.signature(spec)
    inputs = []
    for name, parameter in signature.parameters.items():
        print(parameter)
        shape = [d.size for d in parameter.annotation.dims]
        if parameter.annotation.dtypes[0] == "int32":
            inputs.append(torch.randint(-100000, 100000, shape))
        else:
            inputs.append(torch.rand(*shape) - 0.5)
    z = torch.zeros(*[d.size for d in signature.return_annotation.dims])
    grid = lambda meta: [triton.cdiv(nelem.get("N%d" % a, 1), meta.get("B%d" % a, 1)) for a in range(3)]
    triton_viz.trace(kernel)[grid](*inputs, z, **nelem, **B)
    match = torch.allclose(z, spec(*inputs), rtol=1e-3, atol=1e-3)
    print("Results match:", match)
    failures = triton_viz.launch() if viz else False
    if match and not failures:
        from IPython.display import HTML
        return HTML("<b>Correct!</b>")
