"The lower half of threading."
from threading import TIMEOUT_MAX, Lock as LockType, RLock, get_ident, get_native_id, local as _local

allocate_lock = LockType
error = RuntimeError
