# newt: `make play` serves the playground, `make test` runs every check. Both fetch what they need.

ADDR ?= 127.0.0.1:8080
GO ?= go
FUZZTIME ?= 10m
WASM_EXEC := $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec

.PHONY: play build release worker docker test bench fuzz generate need need-browser format vet generated gotest wasmtest typecheck

play: need build
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

test: need need-browser format vet generated build typecheck gotest wasmtest

# What is missing is installed where that is possible without asking, and named where it is not.
need:
	@infra/ci/need.sh go node npm

need-browser:
	@infra/ci/need.sh chromium

format:
	@off=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$off" || { echo "not formatted:"; echo "$$off"; exit 1; }

vet:
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./wasm ./compiler/... ./interp/... ./infra/worker ./runner/share ./runner/share/link
	$(GO) tool staticcheck ./...

generate:
	$(GO) generate ./...

# Generated files must be what the generators write today.
generated:
	@infra/ci/generated.sh

typecheck: build
	npm --prefix frontend run --silent typecheck

# The browser's tests come last and alone, so that no other package's tests slow the page down.
gotest: build
	$(GO) test -timeout 20m $$($(GO) list ./... | grep -v /frontend/e2e)
	$(GO) test -timeout 20m ./frontend/e2e

# The compiler and the interpreter again, as the browser runs them.
wasmtest:
	GOOS=js GOARCH=wasm $(GO) test -timeout 20m -exec $(WASM_EXEC) ./compiler/... ./interp/... ./runner/share/link

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./compiler/... ./interp/... ./puzzles/... ./runner/...

# Every fuzz target in turn, FUZZTIME each.
fuzz:
	@infra/ci/fuzz.sh $(FUZZTIME)
