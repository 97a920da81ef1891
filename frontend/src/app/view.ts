import { signal } from "@preact/signals";
import type { Editor } from "../editor/editor";

export type Pane = "statement" | "editor" | "result";

/** editor is the one editor on the page, once it is mounted. */
export const editor = signal<Editor | undefined>(undefined);

/** pane is the one that a phone shows. */
export const pane = signal<Pane>("editor");

export const helpOpen = signal(false);

/** notice is a short message at the foot of the editor, with an undo where undone is possible. */
export const notice = signal<"resetDone" | undefined>(undefined);
