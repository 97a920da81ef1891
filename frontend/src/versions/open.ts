import { signal } from "@preact/signals";

/** versionsOpen shows what each version of Triton makes of the current text. */
export const versionsOpen = signal(false);
