import { signal } from "@preact/signals";
import type { StageName } from "../i18n/stages";

/** Architecture is what the page compiles for. */
export type Architecture = "sm_90a" | "sm_80";

/** Target is what the page compiles for, or the code of the last run on a device. */
export type Target = Architecture | "run";

export const target = signal<Target>("sm_90a");

/** unchecked leaves the checks of bounds and of loops out of the PTX. */
export const unchecked = signal(false);

/** stage is the step of compilation that is shown. */
export const stage = signal<StageName>("ptx");

/** Base is what a stage is compared with: one of the same kernel, with options of its own. */
export interface Base {
  stage: StageName;
  target: Architecture;
  numWarps: number; // 0: as the launch has them
  numStages: number;
}

/** base is what the shown stage is compared with; undefined: nothing. */
export const base = signal<Base | undefined>(undefined);
