from triton_viz import clear, launch, trace
