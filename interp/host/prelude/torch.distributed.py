"""torch.distributed: one process, which is not part of a group."""


def is_available():
    return False


def is_initialized():
    return False


def get_rank(group=None):
    return 0


def get_world_size(group=None):
    return 1


def barrier(*args, **kwargs):
    pass


def init_process_group(*args, **kwargs):
    raise NotImplementedError("newt has no torch.distributed: a document runs in one process on one device")
