import assert from "node:assert/strict";
import { test } from "node:test";
import text from "../../runner/protocol/testdata/conformance.txt";
import { Connection } from "../src/runner/connection";
import type { JobOutcome, JobSpec } from "../src/runner/job";
import { RunnerLoss } from "../src/runner/loss";

/** Socket takes the runner's part of one connection; taken counts the frames that the conversation has looked at. */
class Socket {
  binaryType = "";
  readyState = 1;
  bufferedAmount = 0;
  sent: string[] = [];
  taken = 0;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null;
  send(data: string | Uint8Array): void {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    this.sent.push(typeof data === "string" ? data : `binary ${hex(data.subarray(0, 24))}|${hex(data.subarray(24))}`);
  }
  close(): void { this.readyState = 3; }
}

/** conversation plays the lines of one, and returns what the client made of it. */
async function conversation(lines: readonly string[]): Promise<string> {
  const sockets: Socket[] = [];
  const timers: (() => void)[] = []; // of what a runner has a second or more for
  let accepted = 0;
  let outcome: string | undefined;
  const end = (end: string) => (outcome = end);
  const connection = new Connection("ws://lab", "", {
    socket: () => {
      const socket = new Socket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    now: () => 0,
    wait: (ms) => (ms < 1000 ? settled() : ms > 5000 ? new Promise(() => undefined) : new Promise((resolve) => timers.push(resolve))),
  });
  void connection.connect().catch((why: unknown) => end(codeOf(why)));
  const socket = () => sockets[accepted - 1] as Socket;
  for (const line of lines) {
    const rest = line.slice(2);
    if (line.startsWith("→")) {
      if (rest.startsWith('{"hello"')) {
        await until(() => sockets.length > accepted);
        accepted++;
        socket().onopen?.();
      }
      const next = () => {
        while (socket().taken < socket().sent.length && !names(lines, socket().sent[socket().taken] as string)) socket().taken++;
        return socket().sent[socket().taken];
      };
      await until(() => next() !== undefined);
      const got = next() ?? "nothing";
      socket().taken++;
      assert.ok(holds(got, rest), `the client says ${got}, want ${rest}`);
    } else if (line.startsWith("←")) {
      const digits = rest.startsWith("binary") ? rest.slice(6).replaceAll(/[ |]/g, "") : undefined;
      socket().onmessage?.({ data: digits === undefined ? rest : new Uint8Array(Buffer.from(digits, "hex")).buffer });
      await settled();
    } else if (rest === "lost") {
      socket().readyState = 3;
      socket().onclose?.();
    } else if (rest === "cancel") {
      connection.cancel();
    } else if (line.startsWith("!")) {
      await settled();
      void connection.run(specOf(rest.split(" "))).then((o) => end(wordsOf(o)), (why: unknown) => end(codeOf(why)));
    }
  }
  for (let i = 0; i < 3 && outcome === undefined; i++) await settled();
  for (const timer of timers) timer();
  await until(() => outcome !== undefined);
  return outcome ?? "nothing";
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function until(so: () => boolean): Promise<void> {
  for (let i = 0; i < 50 && !so(); i++) await settled();
}

const kindOf = (frame: string) => /[a-z]+/i.exec(frame)?.[0];

const names = (lines: readonly string[], frame: string) => lines.some((line) => line.startsWith("→") && kindOf(line) === kindOf(frame));

function holds(got: string, want: string): boolean {
  if (want.startsWith("binary")) return got.replaceAll(" ", "") === want.replaceAll(" ", "");
  return !got.startsWith("binary") && includes(JSON.parse(got), JSON.parse(want));
}

function includes(got: unknown, want: unknown): boolean {
  if (want === null) return got === undefined;
  if (typeof want !== "object") return got === want;
  if (typeof got !== "object" || got === null) return false;
  const sameLength = !Array.isArray(want) || (got as unknown[]).length === want.length;
  return sameLength && Object.entries(want).every(([key, value]) => includes((got as Record<string, unknown>)[key], value));
}

function specOf([kind, ...sizes]: readonly string[]): JobSpec {
  const held = kind === "held";
  const tensors = sizes.map((size) => ({ bytes: Number(size), return: true, ...(held && { buffer: 7, held }) }));
  return { submit: { grid: [1, 1, 1], args: [], tensors }, ir: new Uint8Array([1]), tensors: tensors.map(({ bytes }) => Uint8Array.from({ length: held ? 0 : bytes }, (_, i) => 0x10 + i)) };
}

const losses: Partial<Record<RunnerLoss["reason"], string>> = { lost: "runner-lost", buffers: "runner-buffer-unknown", closed: "launch-cancelled" };

function codeOf(why: unknown): string {
  return why instanceof RunnerLoss ? why.diagnostic?.code ?? losses[why.reason] ?? why.reason : String(why);
}

function wordsOf({ refused, done, results }: JobOutcome): string {
  const why = refused ?? done?.reason ?? done?.fault;
  return why?.code ?? [done?.state, ...results.map((r) => Buffer.from(r).toString("hex"))].join(" ");
}

for (const part of text.trimEnd().split("\n\n").slice(1)) {
  const [name = "", ...lines] = part.split("\n");
  test(`runner: ${name}`, async () => assert.equal(`= ${await conversation(lines.slice(0, -1))}`, lines.at(-1)));
}

test("an upload waits for the browser to have sent what it holds, and a cancel overtakes it", async () => {
  const sockets: Socket[] = [];
  const connection = new Connection("ws://lab", "", {
    socket: () => {
      const socket = new Socket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    now: () => 0, wait: (ms) => (ms < 1000 ? settled() : new Promise(() => undefined)),
  });
  void connection.connect();
  const [socket] = sockets as [Socket];
  socket.onopen?.();
  socket.onmessage?.({ data: '{"hello":{"version":1,"session":"s","limits":{"chunkBytes":1}}}' });
  await settled();
  const binary = () => socket.sent.filter((s) => s.startsWith("binary")).length;
  socket.bufferedAmount = 8 << 20;
  const over = connection.run(specOf(["run", "3"]));
  await settled();
  assert.equal(binary(), 0);
  socket.bufferedAmount = 1000;
  await until(() => binary() === 4);
  assert.equal(binary(), 4, "the IR and three bytes");
  socket.onmessage?.({ data: '{"job":1,"seq":1,"done":{"state":"fault"}}' });
  await over;
  socket.bufferedAmount = 8 << 20;
  void connection.run(specOf(["run", "3"])).catch(() => undefined);
  await settled();
  connection.cancel();
  assert.equal(socket.sent.at(-1), '{"cancel":{"job":2}}');
  socket.bufferedAmount = 0;
  await settled();
  await settled();
  assert.equal(binary(), 4, "nobody wants the rest");
});
