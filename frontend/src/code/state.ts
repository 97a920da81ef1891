import { signal } from "@preact/signals";
import { pane } from "../state/view";

/** CodeView is what the result's pane shows: of the kernel, or of the language. */
export type CodeView = "result" | "ptx" | "layouts" | "reference";

export const codeView = signal<CodeView>("result");

/** showView shows one of them, on a phone too. */
export function showView(view: CodeView): void {
  codeView.value = view;
  pane.value = "result";
}

/** Target is what the page compiles for, or the code of the last run on a device. */
export type Target = "sm_90a" | "sm_80" | "run";

export const target = signal<Target>("sm_90a");

/** unchecked leaves the checks of bounds and of loops out of the PTX. */
export const unchecked = signal(false);

/** cursorLine is the line of the source in which the cursor stands, counted from 1. */
export const cursorLine = signal(0);
