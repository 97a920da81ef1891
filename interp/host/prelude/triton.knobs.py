"""triton.knobs: the settings that scripts read or set, at Triton's defaults."""


def _group(name, **settings):
    group = type(name + "_knobs", (), {"__module__": __name__})()
    vars(group).update(settings)
    return group


autotuning = _group("autotuning", print=False, cache=False, listener=None)
build = _group("build")
cache = _group("cache", dir=None)
compilation = _group("compilation", dump_ir=False, always_compile=False, override=False)
language = _group("language", fp32_default=None, default_fp_fusion=True)
nvidia = _group("nvidia")
runtime = _group("runtime", interpret=False, debug=False, launch_enter_hook=None, launch_exit_hook=None, override_arch=None)
