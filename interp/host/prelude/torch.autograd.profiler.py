"""torch.autograd.profiler: what torch.profiler has under its older name."""
from torch.profiler import profile, record_function
