import { batch, effect, signal } from "@preact/signals";
import { doc } from "../document/workspace";
import type { LinkLook } from "../gen/api";
import { beneath } from "./cells";
import { choose, chosen, launches } from "./launches";
import type { Listed } from "./listed";
import { running } from "./runs";

/** Pointed is what a link to a document points at. The reader's own run of the document makes it: a link runs nothing. */
interface Pointed {
  doc: string;
  look: LinkLook | undefined; // undefined: the last launch
  after: number; // the last run of a cell before the link was opened
}

/** pointed is what the link points at that the reader opened, until it is shown. */
export const pointed = signal<Pointed | undefined>(undefined);

/** pointAt has a launch be shown once the document has made it. */
export function pointAt(look: LinkLook | undefined): void {
  choose(undefined);
  pointed.value = { doc: doc.peek(), look, after: Math.max(0, ...launches.peek().map(({ run }) => run)) };
}

/** launchNumber is which launch is chosen, in the order of the text and counted from 1; 0 where that is left to the page. */
export function launchNumber(): number {
  return 1 + inText(launches.peek()).findIndex(({ number }) => number === chosen.peek()?.number);
}

/** made are the launches that the document has made since the link was opened, in the order of the text. */
export function made(of: Pointed): readonly Listed[] {
  return inText(launches.value.filter(({ run }) => run > of.after));
}

function inText(list: readonly Listed[]): readonly Listed[] {
  const place = ({ run }: Listed) => beneath.peek().find((of) => of.run === run)?.at ?? Infinity;
  return [...list].sort((a, b) => (place(a) === place(b) ? a.number - b.number : place(a) - place(b)));
}

/** watchPointed shows what the link points at as soon as a run that made it is over; what a person chooses comes first. */
export function watchPointed(): void {
  effect(() => {
    const of = pointed.value;
    if (!of || of.doc !== doc.value || running.value) return;
    const [list, wanted] = [made(of), of.look?.test];
    const found = wanted ? list[wanted - 1] : list.at(-1);
    if (!found && !chosen.value) return;
    batch(() => {
      pointed.value = undefined;
      if (found && wanted && !chosen.value) choose(found.number);
    });
  });
}
