"""torch.utils.checkpoint: memory is not short here, so that nothing is computed twice."""


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None, determinism_check="default", debug=False, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for f in functions:
        input = f(input)
    return input
