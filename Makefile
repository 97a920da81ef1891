# newt: `make play` serves the playground, `make test` runs every check. Both fetch what they need.

ADDR ?= 127.0.0.1:8080
GO ?= go
FUZZTIME ?= 10m
TIMEOUT ?= 50m
PAGE ?= page
CUDA := $(CURDIR)/.build/cuda
CUDA_BUILD := CGO_ENABLED=1 CGO_CFLAGS="-I$(CURDIR)/runner/gpu/cuda/shim -I$(CUDA)/include" CGO_LDFLAGS="-L$(CUDA)/lib"
WASM_EXEC := $(CURDIR)/.build/build -exec

.PHONY: play quick test soak build page release worker vscode cuda gputest docker docker-cuda bench fuzz generate golden need \
	need-browser need-cuda need-race need-arm format vet wasmvet typecheck lint gotest wasmtest armtest e2etest again

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

# The extension of VS Code, into .build/newt.vsix: `code --install-extension .build/newt.vsix`.
vscode: need
	$(GO) run ./infra/vscode

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

# The three tiers. What leaves `make test` to keep it within ten minutes on two cores is in `make soak`: whole steps by
# these lists, tests and cases by package infra/soak, which reads NEWT_SOAK.
#
#	quick  after an edit, a minute: the Go code without the browser and ptxas, with fewer random kernels
#	test   what CI runs for each push: everything that a change can break, each thing once
#	soak   what CI runs each night, in hours: the rest, and each fuzz target for FUZZTIME
quick:
	$(GO) test -short ./compiler/... ./interp/... ./puzzles/... ./runner/... ./wasm/...

# What Go compiled for one checkout serves every other one.
test soak vet wasmvet page gotest again e2etest wasmtest: export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath

# Tests make much and keep little: a heap that grows by 400 % between collections, as it does in the page (wasm/rpc),
# takes a quarter off their time.
quick gotest wasmtest: export GOGC = 400

# What is checked without the page goes beside its build, of which a part keeps one processor busy, each with its output
# whole; then, since package frontend embeds the page, everything else. Two steps at a time leave no processor idle at the
# end of one; each writes a package's output at once.
test: need need-browser need-cuda format
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),-Otarget) page wasmvet typecheck lint
	@$(MAKE) --no-print-directory -j2 PAGE= gotest vet wasmtest
	@$(MAKE) --no-print-directory PAGE= e2etest

soak: export NEWT_SOAK = 1
soak: WASM_TESTED = $(WASM_ALL)
soak: FUZZTIME = 30s
soak: TIMEOUT = 180m
soak: need need-browser need-cuda need-race need-arm build gotest wasmtest armtest e2etest again fuzz

# What is missing is installed where that is possible without asking, and named where it is not.
need:
	@infra/ci/need.sh go node npm

need-browser:
	@infra/ci/need.sh chromium

need-cuda:
	@infra/ci/need.sh go cuda

need-race:
	@infra/ci/need.sh go cc

need-arm:
	@infra/ci/need.sh go arm

format:
	@off=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$off" || { echo "not formatted:"; echo "$$off"; exit 1; }

vet:
	$(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./compiler/num ./interp/gemm
	$(GO) tool staticcheck ./...

wasmvet:
	GOOS=js GOARCH=wasm $(GO) vet ./wasm ./wasm/documents ./wasm/ptx ./compiler/... ./interp/... ./infra/worker ./runner/share ./runner/share/link

# Tests hold what the generators write to what is there.
generate:
	$(GO) generate ./...

# Golden files are what tests called TestGolden… make, kept to be compared. This writes them anew, for a change of what
# newt makes: read the diff and commit it with its cause.
golden:
	$(GO) test -run '^TestGolden' $$(git grep -lE 'flag.Bool\("update"|internal/snapshot"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

# The page for the tests: TestFirstLoad weighs what a first visit fetches, and only that is compressed.
page: need
	@$(GO) build -o .build/build ./frontend/build
	.build/build -weigh

typecheck: page
	npm --prefix frontend run --silent typecheck

lint: page
	npm --prefix frontend run --silent lint

# One package more than there are processors at once: some wait for processes and clocks. Those that take longest begin
# first, so that none is left alone at the end. `make vet` has vetted all.
LONGEST = $(addprefix ./,compiler/ptx infra/worker infra/release interp/tile runner/cli frontend/build interp/inspect \
	compiler/ptx/bounds interp/host compiler/ir wasm/api runner/gpu runner/fleet)
gotest: $(PAGE)
	$(GO) test -vet=off -p $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) -timeout $(TIMEOUT) \
		$(LONGEST) $$($(GO) list ./... | grep -v /frontend/e2e)

# Twenty times what has goroutines, processes and connections of its own, and twice with the race detector, under which
# goroutines also run in other orders and much more slowly.
CONCURRENT = ./runner/... ./interp/tile ./interp/tensor ./interp/device/... ./wasm/rpc ./infra/worker
again: export NEWT_SOAK =
again: need-race
	$(GO) test -vet=off -count 20 -timeout $(TIMEOUT) $(CONCURRENT)
	CGO_ENABLED=1 $(GO) test -vet=off -race -count 2 -timeout $(TIMEOUT) $(CONCURRENT)

# The browser's tests come last and alone, so that no other package's tests slow the page down.
e2etest: $(PAGE)
	$(GO) test -vet=off -timeout $(TIMEOUT) ./frontend/e2e

# What the browser's programs are made of, tested as the browser runs it, where that can make a difference: arithmetic
# and NaNs (num), how deep a program may nest and call on the engine's stack (syntax, lower, host), goroutines and memory
# without threads (host, tensor, tile, cpu), calls from JavaScript (rpc). The rest runs natively, and here in the soak,
# except compiler/ptx, which runs whole kernels in the simulator. The tests have the page's functions on vectors.
WASM_TESTED = $(addprefix ./,interp/host compiler/lower interp/tile compiler/num interp/tensor interp/device/cpu \
	compiler/syntax wasm/rpc)
WASM_ALL = ./wasm/rpc $$($(GO) list -deps ./wasm/documents ./wasm/ptx | \
	grep -E '^github.com/newtlab/newt/(compiler|interp|runner)' | grep -v /compiler/ptx$$)
wasmtest: export GOOS = js
wasmtest: export GOARCH = wasm
wasmtest:
	GOOS= GOARCH= $(GO) build -o .build/build ./frontend/build
	$(GO) test -vet=off -timeout $(TIMEOUT) -exec "$(WASM_EXEC)" $(WASM_TESTED)

# What has assembly for arm64, where this is another processor.
armtest: need-arm
	GOARCH=arm64 $(GO) test -vet=off -timeout $(TIMEOUT) -exec qemu-aarch64 ./compiler/num ./interp/gemm

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./compiler/... ./interp/... ./puzzles/... ./runner/...

# Every fuzz target in turn, FUZZTIME each.
fuzz:
	@infra/ci/fuzz.sh $(FUZZTIME)
