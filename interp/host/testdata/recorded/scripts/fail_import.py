import math

print(math.sqrt(16))
import no_such_module_here

print("never")
