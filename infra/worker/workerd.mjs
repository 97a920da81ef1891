// Runs the assembled Worker under workerd for the tests, as wrangler.json describes it, and with no
// network but a loopback port of its own.
// usage: node workerd.mjs FOLDER   FOLDER is what assemble wrote.
// It prints {"url"} once it serves; then each line {"id", "value"} on its standard input puts a value
// into KV and is answered by {}. It ends when its standard input does.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { Miniflare } from "miniflare";

const folder = process.argv[2];
const config = JSON.parse(readFileSync(new URL("wrangler.json", import.meta.url), "utf8"));
const kv = config.kv_namespaces[0].binding;
const code = (name, type) => ({ type, path: join(folder, "worker", name) });

const worker = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  cf: false,
  modulesRoot: join(folder, "worker"),
  modules: [code("worker.mjs", "ESModule"), code("wasm_exec.js", "ESModule"), code("runtime.mjs", "ESModule"), code("app.wasm", "CompiledWasm")],
  compatibilityDate: config.compatibility_date,
  kvNamespaces: [kv],
  ratelimits: Object.fromEntries(config.ratelimits.map((r) => [r.name, { simple: r.simple }])),
  bindings: config.vars,
  assets: {
    directory: join(folder, "site"),
    routerConfig: { has_user_worker: true, static_routing: { user_worker: config.assets.run_worker_first } },
  },
});

const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const url = await worker.ready;
say({ url: url.origin });
const namespace = await worker.getKVNamespace(kv);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, value } = JSON.parse(line);
  await namespace.put(id, value);
  say({});
}
await worker.dispose();
