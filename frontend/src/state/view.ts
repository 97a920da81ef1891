import { signal } from "@preact/signals";
import type { Facet } from "@codemirror/state";
import type { EditorView, Tooltip } from "@codemirror/view";
import type { Diagnostic, Fix } from "../gen/api";
import type { Press } from "../lib/shortcut";

/** CardSource gives the card of a place in the text, if it has something to tell of it. */
export type CardSource = (view: EditorView, pos: number, side: -1 | 1) => Promise<Tooltip | null>;

/** Pane is one of the page's three columns. */
export type Pane = "statement" | "editor" | "result";

/** pane is the one that a phone shows: of a puzzle first the task, of the free page what newt is. */
export const pane = signal<Pane>("statement");

/** Foldable is a pane that a wide window can go without. */
export type Foldable = Exclude<Pane, "editor">;

/** folded are the panes that a wide window does not show. */
export const folded = signal<readonly Foldable[]>([]);

/** fold folds a pane, or shows it again. */
export function fold(part: Foldable, to: boolean): void {
  if (folded.peek().includes(part) === to) return;
  folded.value = to ? [...folded.peek(), part] : folded.peek().filter((other) => other !== part);
}

/** showPane shows a pane, on a phone instead of another. */
export function showPane(part: Pane): void {
  if (part !== "editor") fold(part, false);
  pane.value = part;
}

/** viewIDs are what the result's pane can show; app/views.tsx has the views. */
export const viewIDs = ["memory", "result", "ptx", "layouts", "lens", "reference"] as const;

export type ViewID = (typeof viewIDs)[number];

/** isView tells whether a view has this id. */
export function isView(id: string): id is ViewID {
  return viewIDs.some((known) => known === id);
}

/** isOfCode tells whether a view is of the code that a launch's kernel is compiled to. */
export function isOfCode(id: string): boolean {
  return ["ptx", "layouts", "lens"].includes(id);
}

/** view is the id of what the result's pane shows. */
export const view = signal<ViewID>("memory");

/** showView shows a view, on a phone too. */
export function showView(id: ViewID): void {
  view.value = id;
  showPane("result");
}

/** Question asks the memory view why an element of a puzzle's output is what it is. */
export interface Question {
  test: number; // counted from 0
  element: number; // by its number row by row
}

/** question is one that the memory view has not answered yet. */
export const question = signal<Question | undefined>(undefined);

/** EditorControls are the operations of the editor that the page uses. */
export interface EditorControls {
  /** view is CodeMirror, for parts that add to it. */
  readonly view: EditorView;
  /** cardSource is the facet of what has something to tell of the text under the pointer. */
  readonly cardSource: Facet<CardSource>;
  focus(): void;
  /** step goes to the next (1) or the previous (-1) problem. */
  step(direction: 1 | -1): void;
  /** reveal goes to a diagnostic and opens its card. */
  reveal(diagnostic: Diagnostic): void;
  /** goToLine puts the cursor at the start of a line, counted from 1. */
  goToLine(line: number): void;
  /** showLine brings a line into view, counted from 1. */
  showLine(line: number): void;
  /** cursor is the offset at which the cursor stands. */
  cursor(): number;
  /** showCursor scrolls as little as it takes for the cursor to be in view. */
  showCursor(): void;
  /** goTo puts the cursor at an offset and brings it into view. */
  goTo(offset: number, y?: "start" | "nearest"): void;
  /** point marks a place without moving the cursor; undefined marks none. */
  point(place: { from: number; to: number } | undefined): void;
  /** press does what a key does in the editor. */
  press(key: Press): void;
  /** type inserts a text at the cursor as if it were typed. */
  type(text: string): void;
  /** apply makes the edits of a fix. */
  apply(fix: Fix): void;
  undo(): void;
}

/** editor is the one editor on the page, once it is mounted. */
export const editor = signal<EditorControls | undefined>(undefined);

/** MemoryControls are the operations of the memory view that the page uses. */
export interface MemoryControls {
  /** hasSteps tells whether there is a program to go through. */
  hasSteps(): boolean;
  /** stepBy goes some steps forwards, or back. */
  stepBy(steps: number): void;
  /** lineBy goes to where the next line (1), or the one before (-1), has run. */
  lineBy(by: 1 | -1): void;
  /** toggleBreakpoint sets a breakpoint at the line of the cursor, or takes it away. */
  toggleBreakpoint(): void;
  showBreakpoints(): void;
}

/** memory is the memory view while it is shown. */
export const memory = signal<MemoryControls | undefined>(undefined);

/** shown is the key of the document that the editor shows. */
export const shown = signal("");

/** cursorLine is the line of the source in which the cursor stands, counted from 1. */
export const cursorLine = signal(0);

/** notice is a short message at the foot of the editor; it stays until the text is edited or another one is shown. */
export const notice = signal<"replaced" | "kernelTaken" | "linkCopied" | "linkOpened" | undefined>(undefined);

/** leftOut names what a puzzle has not taken of a pasted cell. */
export const leftOut = signal<readonly string[]>([]);
