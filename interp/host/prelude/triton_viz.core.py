from triton_viz import config
