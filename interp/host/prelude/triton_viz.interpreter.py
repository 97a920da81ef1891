from triton_viz import record_builder
