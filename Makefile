# newt: `make play` serves the playground, `make test` runs every check. Both fetch what they need.

ADDR ?= 127.0.0.1:8080
GO ?= go
FUZZTIME ?= 10m
CUDA := $(CURDIR)/.build/cuda
CUDA_BUILD := CGO_ENABLED=1 CGO_CFLAGS="-I$(CURDIR)/runner/gpu/cuda/shim -I$(CUDA)/include" CGO_LDFLAGS="-L$(CUDA)/lib"
WASM_EXEC := $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec

.PHONY: play quick build release worker cuda gputest docker docker-cuda test bench fuzz generate golden need need-browser need-cuda format vet generated gotest wasmtest typecheck

# The page is left uncompressed, which loopback does not need. newt itself is compiled while the page is
# built; the serving program then links in a moment.
play: need
	@echo "newt: the first build takes one to two minutes"
	@$(GO) build -o .build/build ./frontend/build
	@$(GO) build -o /dev/null ./runner >/dev/null 2>&1 & .build/build -plain && wait
	$(GO) run ./runner serve --addr $(ADDR)

# The page, its WASM and its data, into frontend/dist.
build: need
	$(GO) run ./frontend/build

# Archives for every platform with checksums and a list of their parts, into .build/release.
# TARGETS=linux/amd64,darwin/arm64 makes only those.
release: build
	$(GO) run ./infra/release $(if $(TARGETS),-targets $(TARGETS))

# The Cloudflare Worker and its site, into .build/worker; `npx wrangler deploy` in infra/worker sends it.
worker: build
	$(GO) run ./infra/worker

docker:
	docker build -f infra/docker/Dockerfile -t newt .

# The same with newt-cuda beside newt, for hosts with the NVIDIA Container Toolkit.
docker-cuda: docker
	docker build -f infra/docker/Dockerfile.cuda -t newt-cuda .

# The worker that drives an NVIDIA GPU, into .build/newt-cuda, where newt finds it. It is built against
# the headers of CUDA 12 or 13; neither a GPU nor a driver is wanted here.
cuda: need-cuda
	$(CUDA_BUILD) $(GO) build -tags cuda -trimpath -o .build/newt-cuda ./runner/gpu/cuda

# The suite of devices and the fault drill on this machine's GPU; without one, what to carry to another.
gputest: cuda build
	@infra/ci/gpu.sh

test: need need-browser need-cuda format vet generated build typecheck gotest wasmtest

# For after an edit: the Go code without the browser and ptxas, with fewer random kernels.
quick:
	$(GO) test -short ./compiler/... ./interp/... ./puzzles/... ./runner/... ./wasm/...

# What is missing is installed where that is possible without asking, and named where it is not.
need:
	@infra/ci/need.sh go node npm

need-browser:
	@infra/ci/need.sh chromium

need-cuda:
	@infra/ci/need.sh go cuda

format:
	@off=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$off" || { echo "not formatted:"; echo "$$off"; exit 1; }

vet:
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./wasm ./wasm/documents ./wasm/ptx ./compiler/... ./interp/... ./infra/worker ./runner/share ./runner/share/link
	$(GO) tool staticcheck ./...

generate:
	$(GO) generate ./...

# Golden files are what tests called TestGolden… make, kept to be compared. This writes them anew, for a change of what
# newt makes: read the diff and commit it with its cause.
golden:
	$(GO) test -run '^TestGolden' $$(git grep -lE 'flag.Bool\("update"|internal/snapshot"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

# Generated files must be what the generators write today.
generated:
	@infra/ci/generated.sh

typecheck: build
	npm --prefix frontend run --silent typecheck

# The browser's tests come last and alone, so that no other package's tests slow the page down.
gotest: build
	$(GO) test -timeout 20m $$($(GO) list ./... | grep -v /frontend/e2e)
	$(GO) test -timeout 50m ./frontend/e2e

# What the browser's programs are made of, tested as the browser runs it. compiler/ptx runs whole kernels
# in the simulator, which takes many minutes there; the browser's own tests compile every puzzle to PTX.
wasmtest: export GOOS = js
wasmtest: export GOARCH = wasm
wasmtest:
	$(GO) test -timeout 20m -exec $(WASM_EXEC) $$($(GO) list -deps ./wasm/documents ./wasm/ptx | \
		grep -E '^github.com/newtlab/newt/(compiler|interp|runner)' | grep -v /compiler/ptx$$)

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./compiler/... ./interp/... ./puzzles/... ./runner/...

# Every fuzz target in turn, FUZZTIME each.
fuzz:
	@infra/ci/fuzz.sh $(FUZZTIME)
