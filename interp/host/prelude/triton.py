from triton.runtime.autotuner import Config, autotune, heuristics
from triton.compiler import compile
