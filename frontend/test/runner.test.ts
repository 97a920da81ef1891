import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientMessage, ServerMessage } from "../src/gen/protocol";
import { runLines } from "../src/code/run-lines";
import { runnerAddress } from "../src/runner/address";
import { Connection } from "../src/runner/connection";
import { RunnerLoss } from "../src/runner/loss";
import { frame, headerBytes, kinds, readHeader } from "../src/runner/frames";

test("addresses of runners", () => {
  const page = (protocol: string) => ({ protocol });
  const cases: [string, string, string][] = [
    ["lab", "http:", "ws://lab/api/runner"],
    ["lab:8080", "http:", "ws://lab:8080/api/runner"],
    ["lab", "https:", "wss://lab/api/runner"],
    ["https://lab/", "http:", "wss://lab/api/runner"],
    ["ws://lab/x", "http:", "ws://lab/x"],
    ["ws://127.0.0.1:8080", "https:", "ws://127.0.0.1:8080/api/runner"],
    ["localhost:8080", "https:", "ws://localhost:8080/api/runner"],
    ["ws://lab", "https:", "mixed"],
    ["ws://localhost.example", "https:", "mixed"],
    ["", "http:", "empty"],
    ["ftp://lab", "http:", "scheme"],
    ["ws://a:b@lab", "http:", "scheme"],
    ["ws://lab?token=x", "http:", "scheme"],
    ["ws://", "http:", "scheme"],
    ["not an address", "http:", "scheme"],
    ["what!", "http:", "scheme"],
    ["lab (the new one)", "http:", "scheme"],
    ["[::1]:8080", "http:", "ws://[::1]:8080/api/runner"],
    ["münchen", "http:", "ws://xn--mnchen-3ya/api/runner"],
  ];
  for (const [text, protocol, want] of cases) {
    const got = runnerAddress(text, page(protocol));
    assert.equal("address" in got ? got.address : got.problem, want, text);
  }
});

test("frames are read as they are written", () => {
  const bytes = frame({ kind: kinds.result, tensor: 258, job: 4_000_000_000, offset: 2 ** 40 + 5 }, new Uint8Array([7, 8]));
  new DataView(bytes.buffer).setUint32(8, 3, true);
  assert.deepEqual(readHeader(bytes), { kind: 3, tensor: 258, job: 4_000_000_000, seq: 3, offset: 2 ** 40 + 5 });
  assert.deepEqual([...bytes.subarray(headerBytes)], [7, 8]);
  assert.equal(readHeader(new Uint8Array(headerBytes)), undefined, "no payload");
  assert.equal(readHeader(new Uint8Array(40)), undefined, "version 0");
});

test("places of PTX from byte offsets", () => {
  const lines = runLines({ ptx: "a\nb\nc\n", lines: [0, 0, 8, 9, 0, 7] }, "é😀\nxy");
  assert.deepEqual(lines, [
    { text: "a", from: 0, to: 0, line: 0 },
    { text: "b", from: 5, to: 6, line: 2 },
    { text: "c", from: 0, to: 4, line: 1 },
  ]);
});

/** FakeSocket records what it is sent; the test says what comes. */
class FakeSocket {
  static all: FakeSocket[] = [];
  binaryType = "";
  readyState = 0;
  bufferedAmount = 0;
  sent: (string | Uint8Array)[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null;
  constructor() { FakeSocket.all.push(this); }
  send(data: string | Uint8Array): void { this.sent.push(data); }
  close(): void { this.readyState = 3; }
  open(): void { this.readyState = 1; this.onopen?.(); }
  say(message: ServerMessage): void { this.onmessage?.({ data: JSON.stringify(message) }); }
  break(): void { this.readyState = 3; this.onclose?.(); }
  messages(): ClientMessage[] { return this.sent.filter((s) => typeof s === "string").map((s) => JSON.parse(s as string) as ClientMessage); }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function made(): { connection: Connection; clock: { now: number } } {
  FakeSocket.all = [];
  const clock = { now: 0 };
  const wait = (ms: number) => (ms >= 10_000 ? new Promise<void>(() => undefined) : (clock.now += ms, settled() as Promise<void>));
  return { clock, connection: new Connection("ws://lab", "secret", { socket: () => new FakeSocket() as unknown as WebSocket, now: () => clock.now, wait }) };
}

const hello = (jobs: number[] = [], session = "key"): ServerMessage =>
  ({ hello: { version: 1, newt: "x", session, jobs: jobs.map((job) => ({ job, state: "running" })), devices: [], limits: { chunkBytes: 2 } } }) as unknown as ServerMessage;

const spec = () => ({ submit: { grid: [1, 1, 1], args: [], tensors: [{ bytes: 3, return: true }] }, ir: new Uint8Array([1]), tensors: [new Uint8Array([1, 2, 3])] });

const last = () => FakeSocket.all.at(-1) as FakeSocket;

const words = { headline: "no" };
const refusal = (code: string): ServerMessage =>
  ({ error: { fatal: true, diagnostic: { code, severity: "error", start: 0, end: 0, args: [], related: [], en: words, zh: words } } });

async function ready() {
  const { connection, clock } = made();
  const greeted = connection.connect();
  last().open();
  last().say(hello());
  await greeted;
  return { connection, clock };
}

test("who is gone for good, refuses or talks nonsense is told apart", async () => {
  const reason = (want: string) => (why: unknown) => why instanceof RunnerLoss && why.reason === want;
  const refused = made();
  const greeting = refused.connection.connect();
  last().open();
  last().say(refusal("runner-token"));
  await assert.rejects(greeting, (why: unknown) => why instanceof RunnerLoss && why.diagnostic?.code === "runner-token");
  const odd = made();
  const nonsense = odd.connection.connect();
  last().open();
  last().onmessage?.({ data: "<html>" });
  await assert.rejects(nonsense, reason("protocol-error"));
  const { connection } = await ready();
  const over = connection.run(spec());
  let ended = false;
  void over.catch(() => (ended = true));
  last().break();
  while (!ended) {
    await settled();
    if (last().readyState < 3) last().break();
  }
  await assert.rejects(over, reason("lost"));
});
