ALIGN_BYTES = 64


def _align(nbytes):
    return (nbytes + ALIGN_BYTES - 1) & -ALIGN_BYTES
