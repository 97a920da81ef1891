import { effect } from "@preact/signals";
import { t, type Table } from "../i18n/table";
import { adjust, choose, defaults, settings } from "../settings/settings";
import { fold, type Foldable, folded, pane } from "../state/view";
import { type Division, Splitter } from "../ui/splitter";

type Words = { [K in keyof Table]: Table[K] extends string ? K : never }[keyof Table];

interface Row extends Omit<Division, "initial"> {
  part: Foldable; // the pane that it gives a size
  label: Words;
}

/**
 * dividers are those of a wide window, of one with two columns and of a phone, where each is shown by the style sheets; their
 * sizes are in the settings, in this order.
 */
const dividers = {
  left: { part: "statement", label: "resizeStatement", axis: "x", sized: "before", min: 0.16, max: 0.5 },
  right: { part: "result", label: "resizeResult", axis: "x", sized: "after", min: 0.16, max: 0.5 },
  column: { part: "statement", label: "resizeStatement", axis: "x", sized: "before", min: 0.24, max: 0.6 },
  row: { part: "result", label: "heightOfResult", axis: "y", sized: "after", min: 0.2, max: 0.8 },
  sheet: { part: "result", label: "heightOfResult", axis: "y", sized: "after", min: 0.3, max: 0.88 },
} satisfies Record<string, Row>;

type DividerID = keyof typeof dividers;

const order = Object.keys(dividers) as DividerID[];

/** Divider sets, and keeps, the size of a pane. */
export function Divider({ id }: { id: DividerID }) {
  const row: Row = dividers[id];
  const at = order.indexOf(id);
  const initial = defaults.split[at] ?? row.min;
  const split = (size: number) => settings.peek().split.map((before, i) => (i === at ? size : before));
  return (
    <Splitter
      of={{ ...row, initial }} id={`--${id}`} class={`splitter-${id}`} label={t.value[row.label]} controls={`pane-${row.part}`}
      size={settings.value.split[at] ?? initial} onSize={(size) => adjust({ split: split(size) })} onEnd={() => choose({})} {...foldingOf(id, row.part)}
    />
  );
}

/** watchFolding keeps which panes are folded. */
export function watchFolding(): void {
  folded.value = settings.peek().folded;
  effect(() => {
    if (folded.value !== settings.peek().folded) choose({ folded: folded.value });
  });
}

/** foldingOf is how a pane folds: a phone shows the code alone instead. */
function foldingOf(id: DividerID, part: Row["part"]) {
  if (id === "sheet") return { folded: pane.value !== part, onFold: (to: boolean) => to && toCode() };
  return { folded: folded.value.includes(part), onFold: (to: boolean) => fold(part, to) };
}

/** toCode shows a phone's code; its tab takes the focus from the divider, which is gone then. */
function toCode(): void {
  pane.value = "editor";
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".tabs [aria-current]")?.focus());
}
