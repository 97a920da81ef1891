import { batch, computed, signal } from "@preact/signals";
import type { LinkCode } from "../gen/api";
import { stageNames } from "../gen/stages";
import { targets } from "../gen/targets";

export type StageName = (typeof stageNames)[number];

/** Architecture is what the page can compile for, the first if nothing else is chosen. */
export type Architecture = (typeof targets)[number];

/** Target is what the page compiles for, or the code of the last run on a device. */
export type Target = Architecture | "run";

export const target = signal<Target>(targets[0]);

/** architecture is what the page compiles for, also while the code of a run is shown. */
export const architecture = computed<Architecture>(() => (target.value === "run" ? targets[0] : target.value));

/** unchecked leaves the checks of bounds and of loops out of the PTX. */
export const unchecked = signal(false);

/** stage is the step of compilation that is shown. */
export const stage = signal<StageName>("ptx");

/** disassembler is the name of the chosen device, if its runner prints machine code. */
export const disassembler = signal<string | undefined>(undefined);

/** Base is what a stage is compared with: one of the same kernel with options of its own, or of another text. */
export interface Base {
  stage: StageName;
  target: Architecture;
  numWarps: number; // 0: as the launch has them
  numStages: number;
  source: string; // "": the text in the editor
}

/** base is what the shown stage is compared with; undefined: nothing. */
export const base = signal<Base | undefined>(undefined);

/** linkCode is what is chosen of the code as a link carries it; undefined where nothing is. */
export function linkCode(): LinkCode | undefined {
  const other = base.peek();
  const chosen = { stage: stage.peek(), target: architecture.peek(), unchecked: unchecked.peek() };
  if (chosen.stage === "ptx" && chosen.target === targets[0] && !chosen.unchecked && !other) return undefined;
  return { ...chosen, ...(other && { base: other }) };
}

/** showLinked chooses what a link does; in place of a stage or a target that the page does not have, its first choice. */
export function showLinked(code: LinkCode | undefined): void {
  const stageOf = (name?: string) => stageNames.find((known) => known === name) ?? "ptx";
  const targetOf = (name?: string) => targets.find((known) => known === name) ?? targets[0];
  batch(() => {
    stage.value = stageOf(code?.stage);
    target.value = targetOf(code?.target);
    unchecked.value = code?.unchecked ?? false;
    base.value = code?.base && { ...code.base, stage: stageOf(code.base.stage), target: targetOf(code.base.target) };
  });
}
