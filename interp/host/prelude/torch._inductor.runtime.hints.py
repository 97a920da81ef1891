import enum
import types


class ReductionHint(enum.Enum):
    INNER = 0
    OUTER = 1
    OUTER_TINY = 2
    DEFAULT = 3


class TileHint(enum.Enum):
    SQUARE = 0
    DEFAULT = 1


class HeuristicType(enum.Enum):
    PERSISTENT_REDUCTION = enum.auto()
    POINTWISE = enum.auto()
    REDUCTION = enum.auto()
    SPLIT_SCAN = enum.auto()
    TEMPLATE = enum.auto()
    USER_AUTOTUNE = enum.auto()
    FIXED = enum.auto()


class AutotuneHint(enum.Enum):
    ONE_ELEMENT_PER_THREAD = 0


DeviceProperties = AttrsDescriptorWrapper = types.SimpleNamespace
