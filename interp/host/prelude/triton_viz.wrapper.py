from triton_viz import Profiler, RaceDetector, Sanitizer, Tracer, config
