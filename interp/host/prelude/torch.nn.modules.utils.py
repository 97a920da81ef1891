"""torch.nn.modules.utils: a number for each dimension."""


def _ntuple(n):
    def parse(x):
        return tuple(x) if hasattr(x, "__iter__") else (x,) * n
    return parse


_single, _pair, _triple, _quadruple = _ntuple(1), _ntuple(2), _ntuple(3), _ntuple(4)
