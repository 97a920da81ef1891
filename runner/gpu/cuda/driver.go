//go:build cuda

package main

/*
#cgo LDFLAGS: -ldl
#include <cuda.h>
#include <dlfcn.h>
#include <stdlib.h>

// NVML, the library behind nvidia-smi, is loaded at run time: it may be missing where CUDA works.
typedef struct {
	int (*handle)(const char *address, void **device);
	int (*clock)(void *device, int which, unsigned *mhz);
	int (*version)(char *text, unsigned bytes);
} nvml;

static int nvml_open(nvml *n) {
	void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	if (!library) return 0;
	int (*init)(void) = dlsym(library, "nvmlInit_v2");
	n->handle = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
	n->clock = dlsym(library, "nvmlDeviceGetClockInfo");
	n->version = dlsym(library, "nvmlSystemGetDriverVersion");
	return init && n->handle && n->clock && n->version && init() == 0;
}

// The address is no pointer of this process.
static CUresult encode_tensor_map(CUtensorMap *map, CUtensorMapDataType type, unsigned long long address,
	const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box, CUtensorMapSwizzle swizzle) {
	const cuuint32_t ones[] = {1, 1, 1};
	return cuTensorMapEncodeTiled(map, type, 3, (void *)address, dims, strides, box, ones,
		CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Parameter i begins at offsets[i] of params. The packed form of cuLaunchKernel refuses tensor maps.
static CUresult launch(CUfunction f, const unsigned *grid, unsigned threads, unsigned shared, char *params,
	const unsigned *offsets, unsigned n) {
	void *list[4096 / 8]; // a kernel has 4 KB of parameters at most
	if (n > sizeof list / sizeof *list) return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < n; i++) list[i] = params + offsets[i];
	return cuLaunchKernel(f, grid[0], grid[1], grid[2], threads, 1, 1, shared, NULL, list, NULL);
}

static int nvml_handle(nvml *n, const char *address, void **device) { return n->handle(address, device); }
static int nvml_clock(nvml *n, void *device, int which, unsigned *mhz) { return n->clock(device, which, mhz); }
static int nvml_version(nvml *n, char *text, unsigned bytes) { return n->version(text, bytes); }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/newtlab/newt/runner/gpu/wire"
)

// What gorgonia.org/cu lacks: it launches with parameters of 8 bytes alone.

const sharedPerBlockOptin = cu.DeviceAttribute(C.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)

// allowShared lets f be launched with so many bytes of dynamic shared memory, more than the 48 KB
// that any function may have.
func allowShared(f cu.Function, bytes int) error {
	handle := *(*C.CUfunction)(unsafe.Pointer(&f))
	code := C.cuFuncSetAttribute(handle, C.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, C.int(bytes))
	if code != C.CUDA_SUCCESS {
		return fmt.Errorf("%d bytes of shared memory: %s", bytes, errorText(int(code)))
	}
	return nil
}

// encodeTensorMap makes a tensor map.
func encodeTensorMap(t *wire.TensorMap) ([]byte, error) {
	raw := make([]byte, tensorMapBytes+tensorMapAlign)
	raw = raw[-uintptr(unsafe.Pointer(&raw[0]))&(tensorMapAlign-1):][:tensorMapBytes]
	var box [3]C.cuuint32_t
	for i, n := range t.Box {
		box[i] = C.cuuint32_t(n)
	}
	code := C.encode_tensor_map((*C.CUtensorMap)(unsafe.Pointer(&raw[0])), tensorTypes[t.ElemBytes],
		C.ulonglong(t.Base), (*C.cuuint64_t)(unsafe.Pointer(&t.Dims[0])),
		(*C.cuuint64_t)(unsafe.Pointer(&t.Strides[0])), &box[0], tensorSwizzles[t.Box[0]*t.ElemBytes])
	if code != C.CUDA_SUCCESS {
		return nil, resultCode(code)
	}
	return raw, nil
}

// The size and the alignment of a tensor map.
const (
	tensorMapBytes = C.sizeof_CUtensorMap
	tensorMapAlign = 64
)

var (
	// By the size of an element: what it means is no matter.
	tensorTypes = map[uint64]C.CUtensorMapDataType{1: C.CU_TENSOR_MAP_DATA_TYPE_UINT8,
		2: C.CU_TENSOR_MAP_DATA_TYPE_UINT16, 4: C.CU_TENSOR_MAP_DATA_TYPE_UINT32, 8: C.CU_TENSOR_MAP_DATA_TYPE_UINT64}
	// By the width of a box in bytes.
	tensorSwizzles = map[uint64]C.CUtensorMapSwizzle{32: C.CU_TENSOR_MAP_SWIZZLE_32B, 64: C.CU_TENSOR_MAP_SWIZZLE_64B,
		128: C.CU_TENSOR_MAP_SWIZZLE_128B}
)

// launch launches f on the default stream; parameter i begins at offsets[i] of params.
func launch(f cu.Function, r *wire.Run, params []byte, offsets []uint32) error {
	handle := *(*C.CUfunction)(unsafe.Pointer(&f))
	grid := [3]C.uint{C.uint(r.Grid[0]), C.uint(r.Grid[1]), C.uint(r.Grid[2])}
	code := C.launch(handle, &grid[0], C.uint(r.Threads), C.uint(r.Shared),
		(*C.char)(unsafe.Pointer(unsafe.SliceData(params))), (*C.uint)(unsafe.SliceData(offsets)), C.uint(len(offsets)))
	if code != C.CUDA_SUCCESS {
		return resultCode(code)
	}
	return nil
}

// resultCode is the driver's code of an error, as those of package cu are.
type resultCode int

func (c resultCode) Error() string { return errorText(int(c)) }

// errorText is the driver's own message for a result code.
func errorText(code int) string {
	var text *C.char
	if C.cuGetErrorString(C.CUresult(code), &text) != C.CUDA_SUCCESS || text == nil {
		return fmt.Sprintf("CUDA error %d", code)
	}
	return fmt.Sprintf("%s (CUDA error %d)", C.GoString(text), code)
}

// meter reads clocks; nil where NVML is missing.
type meter struct {
	library C.nvml
	device  unsafe.Pointer
}

func newMeter(address string) *meter {
	m := &meter{}
	at := C.CString(address)
	defer C.free(unsafe.Pointer(at))
	if C.nvml_open(&m.library) == 0 || C.nvml_handle(&m.library, at, &m.device) != 0 {
		return nil
	}
	return m
}

// The clocks' numbers in NVML's nvmlClockType_t.
const (
	clockSM     = 1
	clockMemory = 2
)

// clocks are the current SM and memory clocks, in MHz.
func (m *meter) clocks() (sm, memory uint64) {
	return m.clock(clockSM), m.clock(clockMemory)
}

func (m *meter) clock(which C.int) uint64 {
	var mhz C.uint
	if m == nil || C.nvml_clock(&m.library, m.device, which, &mhz) != 0 {
		return 0
	}
	return uint64(mhz)
}

// version is that of the kernel's driver, "580.95.05".
func (m *meter) version() string {
	var text [96]C.char
	if m == nil || C.nvml_version(&m.library, &text[0], C.uint(len(text))) != 0 {
		return ""
	}
	return C.GoString(&text[0])
}
