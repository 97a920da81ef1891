def run_intermediate_hooks(name, value):
    pass
