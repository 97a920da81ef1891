class _SymmetricMemory:
    @staticmethod
    def empty_strided_p2p(*args, **kwargs):
        raise NotImplementedError("newt has one process")
