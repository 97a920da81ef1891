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

static int nvml_handle(nvml *n, const char *address, void **device) { return n->handle(address, device); }
static int nvml_clock(nvml *n, void *device, int which, unsigned *mhz) { return n->clock(device, which, mhz); }
static int nvml_version(nvml *n, char *text, unsigned bytes) { return n->version(text, bytes); }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// What gorgonia.org/cu lacks.

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
