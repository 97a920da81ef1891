// How long the page takes.
import { observe } from "./changes";
import { all, editor, one, type Of } from "./elements";

const pause = (ms: number) => new Promise((then) => setTimeout(then, ms));
const sorted = (list: number[]) => list.sort((a, b) => a - b);

/** pictured tells whether the memory view shows a launch. */
export const pictured = () => one<HTMLCanvasElement>("#view-memory canvas")?.width > 100;

/** first is when the page first showed some parts, in milliseconds: looking from outside comes late. */
export const first: { [part: string]: number } = {};

export function watchFirst() {
  const parts = {
    picture: pictured,
    code: () => one("#editor")?.shadowRoot && one(".cm-content", editor())?.textContent,
    live: () => one(".memory-launch[aria-busy=false]"),
  };
  setInterval(() => {
    for (const [name, there] of Object.entries(parts)) if (!first[name] && there()) first[name] = performance.now();
  }, 5);
}

/** longTasks is how long the page's longest tasks take from watchLongTasks on. */
export const longTasks: number[] = [];

export const watchLongTasks = () =>
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((e) => Math.round(e.duration)))).observe({ type: "longtask" });

/** took is how many milliseconds it was from what time did until its condition held; 0 until then. */
export let took = 0;

export function time(act: Of<unknown>, condition: Of<unknown>) {
  took = 0;
  const began = performance.now();
  act();
  const timer = setInterval(() => {
    if (!condition()) return;
    clearInterval(timer);
    took = performance.now() - began;
  }, 4);
}

/** stopTime stops a document's run and gives how long that takes. */
export async function stopTime(): Promise<number> {
  const began = performance.now();
  one(".bar .run.stop").click();
  while (!all('.outline [data-state="failed"], .outline [data-state="stopped"]').length) await pause(1);
  return performance.now() - began;
}

/** transferred is what the page has fetched, in bytes by the name of the file. */
export const transferred = () => Object.fromEntries(["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .map((e) => [e.name.split("/").at(-1)!, (e as PerformanceResourceTiming).transferSize]));

/** stepTimes are how long sixty steps take. */
export async function stepTimes(): Promise<number[]> {
  const strip = one(".timeline-strip"), times = [];
  for (let i = 0; i < 60; i++) {
    const before = strip.ariaValueNow, start = performance.now();
    strip.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    while (strip.ariaValueNow === before) {
      if (performance.now() - start > 10_000) throw new Error("the step does not move");
      await Promise.resolve();
    }
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
    await pause(20);
  }
  return sorted(times);
}

/** editTimes are how long n edits take until the memory view is of the edited text. */
export async function editTimes(n: number): Promise<number[]> {
  const becomes = (busy: boolean) => new Promise<void>((then) => {
    const reached = () => one(`.memory-launch[data-outdated=false][aria-busy=${busy}]`);
    if (reached()) return then();
    observe(one("#app"), () => {
      if (reached()) then();
      return !!reached();
    });
  });
  const times = [];
  for (let i = 0; i < n; i++) {
    const start = performance.now();
    document.execCommand(i & 1 ? "delete" : "insertText", false, " ");
    await becomes(true);
    await becomes(false);
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
    await pause(60);
  }
  return sorted(times);
}

let measured: Worker | undefined;

/** checkTimes runs a puzzle's answer in a worker of its own: when its stages began, and the engine's own figures, in ms. */
export async function checkTimes(puzzle: number, source: string) {
  const asset = (part: string) => performance.getEntriesByType("resource").map((e) => e.name).find((n) => n.includes(part))!;
  if (!measured) {
    const module = await WebAssembly.compileStreaming(fetch(asset("/app-"))), worker = (measured = new Worker(asset("/worker-")));
    await new Promise((ready) => {
      worker.onmessage = ready;
      worker.postMessage({ module });
    });
  }
  const worker = measured;
  return new Promise((done) => {
    const began = performance.now(), at: { [stage: string]: number } = {};
    worker.onmessage = ({ data }) => {
      const now = performance.now() - began, reply = JSON.parse(data.text);
      if (reply.progress) at[reply.progress.stage] ??= now;
      if (!reply.done) return;
      const { compileMs, runMs, pass } = reply.verdict, { classic, strict } = at;
      done({ pass, compile: compileMs, run: runMs, toClassic: classic, classic: strict! - classic!, verdict: strict, all: now });
    };
    worker.postMessage({ call: 1, text: JSON.stringify({ lang: "en", puzzle: { puzzle, source } }), buffers: [] });
  });
}

/** openNotebook opens a notebook of so many cells, each of so many lines; every fourth is text. */
export function openNotebook(cells: number, lines: number) {
  const line = (cell: number, n: number) => `x${n} = ${cell} + len("a line of a cell that is as long as most lines of a notebook are")\n`;
  const list = Array.from({ length: cells }, (_, cell) => ({
    metadata: {}, source: Array.from({ length: lines }, (__, n) => line(cell, n)),
    ...cell % 4 ? { cell_type: "code", execution_count: cell, outputs: [{ output_type: "stream", name: "stdout", text: [`cell ${cell}\n`] }] } : { cell_type: "markdown" },
  }));
  const input = one<HTMLInputElement>("#open-file input"), data = new DataTransfer();
  data.items.add(new File([JSON.stringify({ cells: list, metadata: {}, nbformat: 4, nbformat_minor: 4 })], "large.ipynb"));
  input.files = data.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
