import { signal } from "@preact/signals";

/** ownOpen shows the dialog for puzzles of one's own. */
export const ownOpen = signal(false);
