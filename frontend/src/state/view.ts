import { effect, signal } from "@preact/signals";
import type { Editor } from "../editor/editor";
import { replaceText, route } from "../document/workspace";

export type Pane = "statement" | "editor" | "result";

/** editor is the one editor on the page, once it is mounted. */
export const editor = signal<Editor | undefined>(undefined);

/** pane is the one that a phone shows: of a puzzle first the task, of the free page first its result. */
export const pane = signal<Pane>("statement");

/** replaceAll puts another text into the editor and offers to undo it. */
export function replaceAll(text: string): void {
  replaceText(text);
  notice.value = "replaced";
}

/** watchPane chooses the pane whenever another page is shown. */
export function watchPane(): void {
  effect(() => {
    pane.value = route.value.page === "puzzle" ? "statement" : "result";
  });
}

export const helpOpen = signal(false);

/** ownOpen shows the way to load a puzzle of one's own. */
export const ownOpen = signal(false);

/** notice is a short message at the foot of the editor; it goes by itself. */
export const notice = signal<"replaced" | "linkCopied" | "linkOpened" | undefined>(undefined);
