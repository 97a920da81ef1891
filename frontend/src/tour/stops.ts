import { go, replaceText, route, starter, startOver, text } from "../document/workspace";
import { s } from "../i18n/tour";
import { pick } from "../run/choice";
import { busy, result, runAndLook, stale } from "../run/runs";
import { memory, pane, showView } from "../state/view";

/** Stop is a place of the page that the tour tells of. */
export interface Stop {
  id: keyof typeof s.value.stops;
  /** about are selectors of what it tells of: of those that the page shows, the first. */
  about: readonly string[];
  /** enter shows it. */
  enter: () => void;
  /** offer is something to try, while when holds. */
  offer?: { label: () => string; when: () => boolean; act: () => void };
}

/** stops are those of the tour, on the first puzzle, in their order. */
export const stops: readonly [Stop, ...Stop[]] = [
  {
    id: "task", about: [".pane.statement"],
    enter: () => {
      go({ page: "puzzle", puzzle: 1 });
      pane.value = "statement";
    },
  },
  {
    id: "code", about: [".pane.editing > .editor"], enter: () => (pane.value = "editor"),
    offer: { label: () => s.value.type, when: untouched, act: typeAnswer },
  },
  { id: "programs", about: [".memory-tensors", ".pane.result"], enter: () => showView("memory") },
  {
    id: "steps", about: [".timeline", ".pane.result"],
    enter: () => {
      showView("memory");
      pick({ all: false, step: 0 });
    },
    offer: { label: () => s.value.step, when: () => memory.value !== undefined, act: () => memory.peek()?.stepBy(1) },
  },
  {
    // Its text tells of what a run shows, so there is one.
    id: "run", about: ["#view-result .table-box", "#verdict", ".run"],
    enter: () => {
      showView("result");
      if (!busy.peek() && (!result.peek() || stale.peek())) runAndLook();
    },
  },
  { id: "gpu", about: [".pane.result"], enter: () => showView("ptx") },
  { id: "share", about: ["#share"], enter: () => showView("memory") },
];

/** typed is the answer that the tour has typed; empty while it has typed none. */
let typed = "";

/** untouched tells whether the first puzzle's text is its starter, so that nobody's text is in the way of an answer. */
function untouched(): boolean {
  const r = route.value;
  return r.page === "puzzle" && r.puzzle === 1 && text.value !== undefined && text.value === starter.value;
}

function typeAnswer(): void {
  typed = `${starter.peek()?.trimEnd()}\n    tl.store(z_ptr + i, x + 9)\n`;
  replaceText(typed);
}

/** takeBack removes the answer that the tour has typed, where it is as the tour left it. */
export function takeBack(): void {
  const r = route.peek();
  if (typed !== "" && text.peek() === typed && r.page === "puzzle" && r.puzzle === 1) startOver();
  typed = "";
}
