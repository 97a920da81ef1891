import { signal } from "@preact/signals";

/** Target is what the page compiles for, or the code of the last run on a device. */
export type Target = "sm_90a" | "sm_80" | "run";

export const target = signal<Target>("sm_90a");

/** unchecked leaves the checks of bounds and of loops out of the PTX. */
export const unchecked = signal(false);
