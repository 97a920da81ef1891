import { effect, signal } from "@preact/signals";
import assets from "newt:assets";
import { Engine } from "../engine/engine";
import { helper } from "../engine/engines";
import { Program } from "../engine/program";
import { latest } from "../engine/latest";
import type { Line, Reply, Request, Tile } from "../gen/code";
import { checkOf } from "../run/request";
import { view } from "../state/view";
import { lang } from "../settings/settings";
import { text } from "../document/workspace";
import { target, unchecked } from "./state";

const compileDelayMs = 250;
const compileTimeoutMs = 20_000;

/** Code is what became of a text. */
export interface Code {
  source: string;
  ptx: Line[];
  layouts: Tile[];
  idle: boolean; // the kernel has no effect
  threads: number;
  shared: number;
  tookMs: number;
  problem?: string;
}

/** code is that of the current text; undefined while it is made, "none" where the kernel does not compile. */
export const code = signal<Code | "none" | undefined>(undefined);

/** compiler is the program that compiles to PTX; it is fetched when the pane is first opened. */
export const compiler = new Engine<Request, Reply>({ module: new Program(assets.ptx).module, worker: () => new Worker(assets.worker) });

const make = latest(async (of: { source: string; lang: string; target: string; unchecked: boolean; check: ReturnType<typeof checkOf> }): Promise<Code | "none"> => {
  const { ir } = await helper.call({ lang: of.lang, ir: { of: of.check } }, { timeoutMs: compileTimeoutMs });
  if (!ir?.ir) return "none";
  const reply = await compiler.call({ lang: of.lang, ir: ir.ir, source: of.source, target: of.target, unchecked: of.unchecked }, { timeoutMs: compileTimeoutMs });
  return { ...reply, source: of.source };
});

/** watchCode compiles the text whenever it rests, as long as somebody looks. */
export function watchCode(): () => void {
  compiler.start();
  let timer = 0;
  return effect(() => {
    const source = text.value ?? "";
    const to = target.value;
    const of = { source, lang: lang.value, target: to, unchecked: unchecked.value, check: checkOf(source) };
    if ((view.value !== "ptx" && view.value !== "layouts") || to === "run") return;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      void make(of).then((made) => {
        if (made !== undefined && text.peek() === of.source) code.value = made;
      });
    }, code.peek() === undefined ? 0 : compileDelayMs);
  });
}
