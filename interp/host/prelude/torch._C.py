def _cuda_getCurrentRawStream(device):
    return 0
