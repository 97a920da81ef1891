import { signal } from "@preact/signals";

/** CodeView is what the result's pane shows of the kernel. */
export type CodeView = "result" | "ptx" | "layouts";

export const codeView = signal<CodeView>("result");

/** Target is what the page compiles for, or the code of the last run on a device. */
export type Target = "sm_90a" | "sm_80" | "run";

export const target = signal<Target>("sm_90a");

/** cursorLine is the line of the source in which the cursor stands, counted from 1. */
export const cursorLine = signal(0);
