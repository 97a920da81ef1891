import ctypes

print(ctypes.c_int8(300), ctypes.c_uint8(-1).value, ctypes.c_float(0.1).value, ctypes.c_bool(3), ctypes.c_size_t(-1).value)
print(ctypes.sizeof(ctypes.c_int), ctypes.sizeof(ctypes.c_double), ctypes.sizeof(ctypes.POINTER(ctypes.c_float)), ctypes.c_void_p())
print(ctypes.POINTER(ctypes.c_float) is ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_int).__name__)
print(ctypes.c_int32 is ctypes.c_int, ctypes.c_uint64 is ctypes.c_size_t, ctypes.c_longlong is ctypes.c_long)
x = ctypes.c_int(5)
x.value = 2**31
print(x, x.value)
x.value = True
print(x)
for wrong in ("3", 2.5, None):
    try:
        ctypes.c_int(wrong)
    except TypeError as e:
        print(e)
try:
    ctypes.c_float("a")
except TypeError as e:
    print(e)
signature = {"input": (ctypes.POINTER(ctypes.c_float), "in"), "n": (ctypes.c_size_t, "in")}
print({k: v[0].__name__ for k, v in signature.items()})
