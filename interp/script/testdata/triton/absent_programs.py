# subprocess where there is no other program.
import subprocess
try:
    subprocess.check_output(["git","x"], stderr=subprocess.DEVNULL)
except (OSError, subprocess.CalledProcessError) as e: print(type(e).__name__)
try: raise subprocess.CalledProcessError(2, ["a"])
except subprocess.SubprocessError as e: print(e, e.returncode)
print(subprocess.TimeoutExpired("a", 3))
