import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, EngineFault } from "../src/client/engine";
import type { FromWorker } from "../src/client/messages";

(globalThis as { window?: unknown }).window = globalThis;

/** FakeWorker records what it is sent; the test says what it answers. */
class FakeWorker {
  static all: FakeWorker[] = [];
  sent: unknown[] = [];
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: (() => void) | null = null;
  terminated = false;
  constructor() { FakeWorker.all.push(this); }
  postMessage(message: unknown): void { this.sent.push(message); }
  terminate(): void { this.terminated = true; }
  say(data: FromWorker): void { this.onmessage?.({ data }); }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const check = { lang: "en", check: { source: "x" } };
const patient = { timeoutMs: 1 << 20 };

async function started(): Promise<{ engine: Engine; worker: FakeWorker }> {
  FakeWorker.all = [];
  const engine = new Engine({
    module: () => Promise.resolve({} as WebAssembly.Module),
    worker: () => new FakeWorker() as unknown as Worker,
  });
  engine.start();
  await settled();
  return { engine, worker: FakeWorker.all[0] as FakeWorker };
}

const rejectsWith = (reason: string) => (error: unknown) => error instanceof EngineFault && error.reason === reason;

test("calls wait until the program is ready, and replies find their calls", async () => {
  const { engine, worker } = await started();
  const [a, b] = [engine.call(check, patient), engine.call(check, patient)];
  assert.equal(worker.sent.length, 1, "only the module so far");
  worker.say({ ready: true });
  assert.deepEqual(worker.sent.slice(1).map((m) => JSON.parse(m as string).id), [1, 2]);
  worker.say('{"id":2,"done":true,"check":{"diagnostics":null}}');
  assert.deepEqual((await b).check, { diagnostics: [] }, "Go's null list is an empty one");
  worker.say('{"id":1,"done":true,"error":"what?"}');
  await assert.rejects(a, rejectsWith("refused"));
});

test("progress comes before the reply", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const seen: number[] = [];
  const call = engine.call(check, { ...patient, onProgress: (p) => seen.push(p.done) });
  worker.say('{"id":1,"done":false,"progress":{"stage":"strict","done":3,"total":9}}');
  worker.say('{"id":1,"done":true}');
  await call;
  assert.deepEqual(seen, [3]);
});

test("a stopped worker is replaced; its late words are not heard", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const call = engine.call(check, patient);
  engine.stop();
  await assert.rejects(call, rejectsWith("stopped"));
  assert.ok(worker.terminated);
  await settled();
  worker.say({ exit: 2 });
  assert.equal(FakeWorker.all.length, 2);
  assert.equal(engine.crashes.value, 0);
});

test("a program that dies of a call is started anew; one that dies by itself is given up", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const call = engine.call(check, patient);
  worker.say({ exit: 2 });
  await assert.rejects(call, rejectsWith("crashed"));
  for (let i = 0; i < 3; i++) {
    await settled();
    assert.equal(engine.state.value, "loading");
    FakeWorker.all.at(-1)?.say({ exit: 2 });
  }
  assert.equal(engine.state.value, "failed");
  await assert.rejects(engine.call(check, patient), rejectsWith("unavailable"));
  engine.start();
  await settled();
  FakeWorker.all.at(-1)?.say({ ready: true });
  assert.equal(engine.state.value, "ready");
});

test("a call that takes too long ends with its worker", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  await assert.rejects(engine.call(check, { timeoutMs: 1 }), rejectsWith("timeout"));
  assert.ok(worker.terminated);
});
