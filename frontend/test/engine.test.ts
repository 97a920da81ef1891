import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, EngineFault } from "../src/engine/engine";
import type { FromWorker } from "../src/engine/messages";

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
  reply(reply: object): void { this.say({ text: JSON.stringify(reply), buffers: [] }); }
  /** asked are the numbers of the calls that it was sent. */
  asked(): number[] { return this.sent.slice(1).map((m) => (m as { call: number }).call); }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const check = { lang: "en", check: { source: "x" } };
const patient = { timeoutMs: 1 << 20 };

/** loading is an engine whose program still downloads; arrive ends a download, newest first. */
function loading(): { engine: Engine; arrive: () => Promise<FakeWorker> } {
  FakeWorker.all = [];
  const downloads: (() => void)[] = [];
  const engine = new Engine({
    module: () => new Promise((resolve) => downloads.push(() => resolve({} as WebAssembly.Module))),
    worker: () => new FakeWorker() as unknown as Worker,
  });
  engine.start();
  const arrive = async () => {
    downloads.pop()?.();
    await settled();
    return FakeWorker.all.at(-1) as FakeWorker;
  };
  return { engine, arrive };
}

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

test("calls wait until the program is ready, and are served one after another", async () => {
  const { engine, worker } = await started();
  const [a, b] = [engine.call(check, patient), engine.call(check, patient)];
  assert.equal(worker.sent.length, 1, "only the module so far");
  worker.say({ ready: true });
  assert.deepEqual(worker.asked(), [1]);
  worker.reply({ id: 1, done: true, error: "what?" });
  await assert.rejects(a, rejectsWith("refused"));
  assert.deepEqual(worker.asked(), [1, 2]);
  worker.reply({ id: 2, done: true, check: { diagnostics: [] } });
  assert.deepEqual((await b).check, { diagnostics: [] });
});

test("a call that is idle is ended, and not one that goes on slowly", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const call = engine.call(check, { timeoutMs: 60, idle: true });
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    worker.reply({ id: 1, done: false, progress: { stage: "steps", done: i, total: 0 } });
  }
  assert.equal(worker.terminated, false, "after 120 ms with progress");
  await assert.rejects(call, rejectsWith("timeout"));
  assert.equal(worker.terminated, true, "60 ms after the last progress");
});

test("a call's time does not run while the program loads its rest", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const call = engine.call(check, { timeoutMs: 5 });
  worker.say({ loading: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(FakeWorker.all.length, 1, "the worker has not been ended");
  worker.say({ loading: false });
  await assert.rejects(call, rejectsWith("timeout"));
});

test("a call's time does not run while the program downloads", async () => {
  const { engine, arrive } = loading();
  const call = engine.call(check, { timeoutMs: 5 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const worker = await arrive();
  assert.deepEqual([FakeWorker.all.length, worker.sent.length], [1, 1], "one worker, which has the module");
  worker.say({ ready: true });
  worker.reply({ id: 1, done: true });
  assert.equal((await call).done, true);
});

test("a call's time does not run while another is served, and it survives the other's end", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const [slow, next] = [engine.call(check, { timeoutMs: 30 }), engine.call(check, { timeoutMs: 20 })];
  await assert.rejects(slow, rejectsWith("timeout"));
  assert.ok(worker.terminated);
  await settled();
  const second = FakeWorker.all[1] as FakeWorker;
  second.say({ ready: true });
  assert.deepEqual(second.asked(), [2], "asked again");
  second.reply({ id: 2, done: true });
  await next;
});

test("a start that is repeated cancels the one under way", async () => {
  const { engine, arrive } = loading();
  engine.start();
  await arrive();
  await arrive();
  const [first, second] = FakeWorker.all;
  assert.ok(first?.terminated && !second?.terminated);
  assert.deepEqual([first?.sent.length, second?.sent.length, FakeWorker.all.length], [0, 1, 2]);
});

test("progress comes before the reply", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const seen: number[] = [];
  const call = engine.call(check, { ...patient, onProgress: (p) => seen.push(p.done) });
  worker.reply({ id: 1, done: false, progress: { stage: "strict", done: 3, total: 9 } });
  worker.reply({ id: 1, done: true });
  await call;
  assert.deepEqual(seen, [3]);
});

test("a call that needs the larger program replaces the first one, and the call that was served is served there", async () => {
  FakeWorker.all = [];
  const [small, large] = [{}, {}] as WebAssembly.Module[];
  const engine = new Engine({
    module: () => Promise.resolve(small as WebAssembly.Module),
    worker: () => new FakeWorker() as unknown as Worker,
    larger: { module: () => Promise.resolve(large as WebAssembly.Module), needs: (call) => call.open !== undefined },
  });
  engine.start();
  await settled();
  FakeWorker.all[0]?.say({ ready: true });
  const checked = engine.call(check, patient);
  const opened = engine.call({ lang: "en", open: { name: "a.py" } }, patient);
  await settled();
  const [first, second] = FakeWorker.all;
  assert.ok(first?.terminated && second);
  assert.equal((second.sent[0] as { module: unknown }).module, large);
  second.say({ ready: true });
  second.reply({ id: 1, done: true });
  await checked;
  assert.deepEqual(second.asked(), [1, 2]);
  second.reply({ id: 2, done: true });
  await opened;
});

test("a call that the program cannot serve without the larger one is served there", async () => {
  FakeWorker.all = [];
  const engine = new Engine({
    module: () => Promise.resolve({} as WebAssembly.Module),
    worker: () => new FakeWorker() as unknown as Worker,
    larger: { module: () => Promise.resolve({} as WebAssembly.Module), needs: () => false },
  });
  engine.start();
  await settled();
  FakeWorker.all[0]?.say({ ready: true });
  const checked = engine.call(check, patient);
  FakeWorker.all[0]?.reply({ id: 1, done: true, larger: true });
  await settled();
  const [first, second] = FakeWorker.all;
  assert.ok(first?.terminated && second);
  second.say({ ready: true });
  second.reply({ id: 1, done: true });
  assert.deepEqual([(await checked).larger, second.asked()], [undefined, [1]]);
});

test("a call that can be interrupted is asked to end, and ends with its worker only where it goes on", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const interrupt = { lang: "en", stop: {} };
  const [first, second] = [new AbortController(), new AbortController()];
  const ends = engine.call(check, { ...patient, interrupt, signal: first.signal });
  first.abort();
  assert.equal((worker.sent.at(-1) as { text: string }).text, JSON.stringify(interrupt));
  worker.reply({ id: 1, done: true });
  assert.equal((await ends).id, 1);
  const goesOn = engine.call(check, { ...patient, interrupt, signal: second.signal });
  second.abort();
  assert.ok(!worker.terminated);
  await assert.rejects(goesOn, rejectsWith("stopped"));
  assert.ok(worker.terminated);
});

test("a patient call that is stopped, or takes long, is waited for: the program may hold a session", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const stopper = new AbortController();
  const call = engine.call(check, { timeoutMs: 1, patient: true, interrupt: { stop: {} }, signal: stopper.signal });
  stopper.abort();
  await new Promise((resolve) => setTimeout(resolve, 2100)); // longer than an interrupted call is given
  assert.ok(!worker.terminated);
  worker.reply({ id: 1, done: true });
  assert.equal((await call).id, 1);
});

test("a launch elsewhere takes its buffers there and back", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const tensor = new Float32Array([1, 2]).buffer;
  const call = engine.call(check, {
    ...patient,
    onLaunch: (launch, buffers) => Promise.resolve({ launched: { messages: [launch.submit] }, tensors: buffers }),
  });
  worker.say({ text: JSON.stringify({ id: 1, done: false, launch: { number: 0, submit: "{}" } }), buffers: [tensor] });
  await settled();
  const { call: to, text, buffers } = worker.sent.at(-1) as { call: number; text: string; buffers: ArrayBuffer[] };
  assert.deepEqual([to, JSON.parse(text).launched, buffers[0]], [1, { messages: ["{}"] }, tensor]);
  worker.reply({ id: 1, done: true });
  await call;
});

test("a launch that is to be estimated has an answer, whatever becomes of the model", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const job = { kernel: { ir: "", kernel: "k", signature: "" }, launch: "{}" };
  const answered = { launched: { messages: [], expected: { ms: 1, bound: "memory" } }, tensors: [] };
  const onEstimates = [() => Promise.resolve(answered), () => Promise.reject(new EngineFault("crashed")), undefined];
  for (const [i, onEstimate] of onEstimates.entries()) {
    const call = engine.call(check, { ...patient, ...(onEstimate && { onEstimate }) });
    worker.reply({ id: i + 1, done: false, estimate: job });
    await settled();
    const { launched } = JSON.parse((worker.sent.at(-1) as { text: string }).text);
    assert.deepEqual(launched, i === 0 ? answered.launched : { lost: "runner-lost", messages: [] });
    worker.reply({ id: i + 1, done: true });
    await call;
  }
});

test("a program that runs is not woken again", async () => {
  const { engine, worker } = await started();
  engine.wake();
  assert.deepEqual([FakeWorker.all.length, worker.terminated], [1, false]);
});

test("a call that is stopped ends with its worker, whose late words are not heard; one that waits just ends", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const served = engine.call(check, { ...patient, signal: first.signal });
  const waiting = engine.call(check, { ...patient, signal: second.signal });
  second.abort();
  await assert.rejects(waiting, rejectsWith("stopped"));
  assert.ok(!worker.terminated);
  first.abort();
  await assert.rejects(served, rejectsWith("stopped"));
  assert.ok(worker.terminated);
  await settled();
  worker.say({ exit: 2 });
  assert.equal(FakeWorker.all.length, 2);
  assert.equal(engine.crashes.value, 0);
  third.abort();
  await assert.rejects(engine.call(check, { ...patient, signal: third.signal }), rejectsWith("stopped"));
});

test("a program that dies of a call is started anew; one that dies by itself is given up", async () => {
  const { engine, worker } = await started();
  worker.say({ ready: true });
  const [call, waiting] = [engine.call(check, patient), engine.call(check, patient)];
  worker.say({ exit: 2, outOfMemory: true });
  await assert.rejects(call, rejectsWith("memory"));
  for (let i = 0; i < 3; i++) {
    await settled();
    assert.equal(engine.state.value, "loading");
    FakeWorker.all.at(-1)?.say({ exit: 2, outOfMemory: false });
  }
  assert.equal(engine.state.value, "failed");
  await assert.rejects(waiting, rejectsWith("unavailable"));
  await assert.rejects(engine.call(check, patient), rejectsWith("unavailable"));
  engine.start();
  await settled();
  FakeWorker.all.at(-1)?.say({ ready: true });
  assert.equal(engine.state.value, "ready");
});
