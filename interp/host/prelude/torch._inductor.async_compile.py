class AsyncCompile:
    "The kernels of a file that torch.compile wrote, each of a text."

    def triton(self, kernel_name, source_code, device_str="cuda"):
        space = {"__name__": kernel_name, "__file__": kernel_name + ".py"}
        exec(compile(source_code, kernel_name + ".py", "exec"), space)
        return space[kernel_name]

    def wait(self, scope):
        pass

    def __getattr__(self, name):
        raise NotImplementedError(f"newt runs the Triton kernels of torch.compile, not those of async_compile.{name}")
