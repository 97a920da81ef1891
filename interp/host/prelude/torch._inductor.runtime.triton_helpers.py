def set_driver_to_gpu():
    pass


set_driver_to_cpu = set_driver_to_gpu
