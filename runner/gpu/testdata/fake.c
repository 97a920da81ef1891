// A stand-in for the driver's library, for tests on machines without a GPU: memory is the host's,
// PTX is not executed, and a kernel does what its name says. Functions that the worker does not
// call are missing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int result;
typedef unsigned long long address;

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, BAD_PTX = 218, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, MISALIGNED = 716, LAUNCH_FAILED = 719 };

static result broken; // what the context answers from now on
static int hanging;
static int late; // how many synchronizations until an error is seen; 0: there is none
static size_t used;
// What the device has, and what other programs have left of it for one process.
static const size_t total = 80ull << 30, left = 512u << 20;

result cuInit(unsigned flags) { return getenv("NEWT_FAKE_NO_DEVICE") ? 100 : OK; }
result cuDriverGetVersion(int *v) { *v = 12040; return OK; }
result cuGetErrorString(result code, const char **text) {
	*text = code == BAD_PTX ? "a PTX JIT compilation failed" : code == NO_MEMORY ? "out of memory" : "the stand-in says so";
	return OK;
}

result cuDeviceGetCount(int *n) { *n = 1; return OK; }
result cuDeviceGetName(char *name, int n, int device) { snprintf(name, n, "Stand-in GPU"); return OK; }
result cuDeviceTotalMem_v2(size_t *n, int device) { *n = total; return OK; }
result cuDeviceGetAttribute(int *value, int attribute, int device) {
	switch (attribute) {
	case 13: *value = 1980000; return OK; // clock, kHz
	case 16: *value = 132; return OK;     // multiprocessors
	case 36: *value = 3201000; return OK; // memory clock, kHz
	case 37: *value = 6144; return OK;    // bus width
	case 75: *value = getenv("NEWT_FAKE_MAJOR") ? atoi(getenv("NEWT_FAKE_MAJOR")) : 9; return OK; // compute capability
	case 97: *value = 232448; return OK;  // shared memory of a block
	}
	*value = 0;
	return OK;
}
result cuCtxCreate_v2(void **context, unsigned flags, int device) { *context = &broken; return OK; }
result cuCtxSetCurrent(void *context) { return OK; }
result cuCtxSynchronize(void) {
	while (hanging) sleep(1);
	if (late && !--late) broken = LAUNCH_FAILED;
	return broken;
}

result cuEventCreate(void **event, unsigned flags) { *event = &used; return broken; }
result cuEventDestroy_v2(void *event) { return broken; }
result cuEventRecord(void *event, void *stream) { return broken; }
result cuEventElapsedTime(float *ms, void *from, void *to) { *ms = 0.5f; return broken; }

// Each piece of memory begins with its size, and is full of what an earlier user left.
result cuMemAlloc_v2(address *at, size_t n) {
	if (broken) return broken;
	if (n > left - used) return NO_MEMORY;
	size_t *piece = malloc(n + 256);
	if (!piece) return NO_MEMORY;
	*piece = n;
	used += n;
	memset((char *)piece + 256, 0xaa, n < 4096 ? n : 4096);
	*at = (address)piece + 256;
	return OK;
}
result cuMemFree_v2(address at) {
	size_t *piece = (size_t *)(at - 256);
	used -= *piece;
	free(piece);
	return broken;
}
result cuMemsetD8_v2(address at, unsigned char value, size_t n) { if (!broken) memset((void *)at, value, n); return broken; }
result cuMemsetD32Async(address at, unsigned value, size_t n, void *stream) { return broken; }
result cuMemcpyHtoD_v2(address to, const void *from, size_t n) { if (!broken) memcpy((void *)to, from, n); return broken; }
result cuMemcpyDtoH_v2(void *to, address from, size_t n) { if (!broken) memcpy(to, (void *)from, n); return broken; }

// Machine code is the PTX behind a mark.
static char *image, *said, *wrong;
static const char mark[] = "machine code of ";
static const char line_mark[] = "\n// with line numbers\n";
static int lines; // are to be kept in the image

result cuLinkCreate_v2(unsigned n, int *options, void **values, void **state) {
	for (unsigned i = 0; i < n; i++) {
		if (options[i] == 3) said = values[i];
		if (options[i] == 5) wrong = values[i];
		if (options[i] == 13) lines = values[i] != NULL;
	}
	*state = &image;
	return broken;
}
result cuLinkAddData_v2(void *state, int kind, void *data, size_t n, const char *name, unsigned count, int *options, void **values) {
	if (((char *)data)[n - 1] || !strstr(data, ".version")) {
		strcpy(wrong, "line 1: this is no PTX");
		return BAD_PTX;
	}
	image = malloc(n + sizeof mark + sizeof line_mark);
	strcpy(image, mark);
	strcat(image, data);
	if (lines) strcat(image, line_mark);
	strcpy(said, "ptxas info    : 0 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads");
	return OK;
}
result cuLinkComplete(void *state, void **code, size_t *n) { *code = image; *n = strlen(image); return OK; }
result cuLinkDestroy(void *state) { free(image); image = NULL; return OK; }

result cuModuleLoadData(void **module, const void *code) {
	if (broken) return broken;
	if (strncmp(code, mark, strlen(mark))) return 200;
	*module = strdup(code);
	return OK;
}
result cuModuleUnload(void *module) { free(module); return broken; }
result cuModuleGetFunction(char **f, void *module, const char *name) {
	char head[100];
	snprintf(head, sizeof head, ".entry %s(", name);
	if (!strstr(module, head)) return NOT_FOUND;
	*f = strdup(name);
	return OK;
}
result cuFuncGetAttribute(int *value, int attribute, void *f) { *value = attribute == 4 ? 24 : 0; return OK; }
result cuFuncSetAttribute(void *f, int attribute, int value) { return value > 232448 ? INVALID : OK; }

result cuLaunchKernel(char *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      void *stream, void **params, void **extra) {
	if (broken) return broken;
	if (bx > 1024 || !strcmp(f, "refused")) return INVALID;
	if (!strcmp(f, "add")) {
		float *x = *(float **)params[0], *y = *(float **)params[1], *z = *(float **)params[2];
		for (address i = 0; i < *(address *)params[3] && i < (address)gx * bx; i++) z[i] = x[i] + y[i];
	}
	if (!strcmp(f, "hang")) {
		hanging = 1;
		if (getenv("NEWT_FAKE_HANGS")) fclose(fopen(getenv("NEWT_FAKE_HANGS"), "w"));
	}
	if (!strcmp(f, "late")) late = 2;
	if (!strcmp(f, "trap")) broken = LAUNCH_FAILED;
	if (!strcmp(f, "stray")) broken = ILLEGAL_ADDRESS;
	if (!strcmp(f, "odd")) broken = MISALIGNED;
	if (!strcmp(f, "crash")) abort();
	return OK;
}
