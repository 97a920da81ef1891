import { type Signal, signal } from "@preact/signals";
import { openLesson } from "../basics/open";
import { deviceOpen } from "../device/devices";
import { runOnDevice } from "../device/attempt";
import { go, route, startOver, text, starter } from "../document/workspace";
import { openMap } from "../map/open";
import { ownOpen } from "../own/open";
import { versionsOpen } from "../versions/open";
import { runAll, runCell, runHere } from "../run/cells";
import { problemsFor } from "../run/checks";
import { choice, pick, pickFirstProblem } from "../run/choice";
import { busy, stop } from "../run/runs";
import { openTour } from "../tour/open";
import { choose, lang, settings, type Theme } from "../settings/settings";
import { shareNow, shareOpen } from "../share/outgoing";
import { editor, fold, type Foldable, folded, memory, type MemoryControls, pane, showView } from "../state/view";
import { type Keyed, pressesOf } from "../ui/shortcuts";

/** Action is something that a person can do on the page. */
export interface Action {
  act: () => void;
  /** when tells whether there is something to do; absent: always. */
  when?: () => boolean;
  /** on tells whether its keys are meant by an event; absent: wherever the focus is. */
  on?: (event: KeyboardEvent) => boolean;
}

/** helpOpen shows the help, paletteOpen the list of all actions. */
export const helpOpen = signal(false);
export const paletteOpen = signal(false);

/** actions are the page's own, in the order of the palette and of the help; ui/shortcuts.ts has their keys, i18n/actions.ts their titles. */
export const actions = {
  palette: { act: opens(paletteOpen) },
  run: { act: runHere, when: () => text.peek() !== undefined },
  stop: { act: stop, when: () => busy.peek() },
  runNext: { act: () => void runCell(true), when: onDocument, on: inCells },
  runAll: { act: () => void runAll(), when: onDocument },
  runThere: { act: runOnDevice },
  rank: { act: () => choose({ rank: !settings.peek().rank }), when: onDocument },
  devices: { act: opens(deviceOpen) },
  share: { act: () => void shareNow() },
  shareMore: { act: opens(shareOpen) },
  nextProblem: { act: () => editor.peek()?.step(1), when: hasProblems },
  previousProblem: { act: () => editor.peek()?.step(-1), when: hasProblems },
  nextStep: { act: inMemory((of) => of.stepBy(1)) },
  previousStep: { act: inMemory((of) => of.stepBy(-1)) },
  nextLine: { act: inMemory((of) => of.lineBy(1)) },
  previousLine: { act: inMemory((of) => of.lineBy(-1)) },
  firstProblem: { act: inMemory(pickFirstProblem), when: hasSteps },
  allPrograms: { act: inMemory(() => pick({ all: !choice.peek().all })), when: hasSteps },
  breakpoint: { act: inMemory((of) => of.toggleBreakpoint()), when: hasSteps },
  breakpoints: { act: inMemory((of) => of.showBreakpoints()), when: hasSteps },
  lineValues: { act: () => choose({ lineValues: !settings.peek().lineValues }) },
  foldTask: folding("statement"),
  foldResult: folding("result"),
  complete: inEditor("complete"),
  signature: inEditor("signature"),
  comment: inEditor("comment"),
  find: inEditor("find"),
  reset: { act: startOver, when: () => starter.peek() !== undefined && text.peek() !== starter.peek() },
  openFile: { act: inFile((file) => file.chooseFiles()), when: onDocument },
  savePython: { act: inFile((file) => file.saveFile("python")), when: onDocument },
  saveNotebook: { act: inFile((file) => file.saveFile("notebook")), when: onDocument },
  free: { act: () => go({ page: "free" }), when: () => route.peek().page !== "free" },
  document: { act: () => go({ page: "document" }), when: () => !onDocument() },
  own: { act: opens(ownOpen) },
  versions: { act: opens(versionsOpen), when: () => text.peek() !== undefined },
  questions: { act: () => choose({ questions: settings.peek().questions === false }) },
  hint: pressing(".hints > button"),
  solution: pressing(".solution > button:first-of-type"),
  language: { act: () => choose({ lang: lang.peek() === "en" ? "zh" : "en" }) },
  themeLight: theme("light"),
  themeDark: theme("dark"),
  themeAuto: theme("auto"),
  allViews: { act: () => choose({ allViews: !settings.peek().allViews }) },
  strict: { act: () => choose({ strict: !settings.peek().strict }) },
  lesson: { act: openLesson },
  map: { act: openMap },
  tour: { act: openTour },
  help: { act: opens(helpOpen), on: (event) => !isTyping(event) },
} satisfies Record<Keyed, Action> & Record<string, Action>;

/** ActionID names an action of the page. */
export type ActionID = keyof typeof actions;

function opens(dialog: Signal<boolean>): () => void {
  return () => (dialog.value = true);
}

/** pressing presses a button of the task, where it is there. */
function pressing(selector: string): Action {
  const button = () => document.querySelector<HTMLElement>(`.pane.statement ${selector}`);
  const act = () => {
    pane.value = "statement";
    button()?.scrollIntoView({ block: "center" });
    button()?.click();
  };
  return { act, when: () => button() !== null };
}

function theme(to: Theme): Action {
  return { act: () => choose({ theme: to }), when: () => settings.peek().theme !== to };
}

/** folding is for windows that show several panes. */
function folding(part: Foldable): Action {
  return { act: () => fold(part, !folded.peek().includes(part)), when: () => matchMedia("(min-width: 721px)").matches };
}

/** inEditor is an action of the editor, which takes its keys itself. */
function inEditor(action: Keyed): Action {
  return { act: () => pressesOf(action).forEach((press) => editor.peek()?.press(press)), on: () => false };
}

/** inMemory does something in the memory view, or leads there from another view. */
function inMemory(act: (of: MemoryControls) => void): () => void {
  return () => {
    const of = memory.peek();
    if (of) act(of);
    else showView("memory");
  };
}

function inFile(act: (file: typeof import("../cells/file")) => unknown): () => void {
  return () => void import("../cells/file").then(act);
}

function onDocument(): boolean {
  return route.peek().page === "document";
}

function hasProblems(): boolean {
  return problemsFor.peek().list.length > 0;
}

function hasSteps(): boolean {
  return memory.peek()?.hasSteps() ?? false;
}

/** inCells is true where a key is typed into a document's text. */
function inCells(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return onDocument() && target instanceof HTMLElement && target.isContentEditable;
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
