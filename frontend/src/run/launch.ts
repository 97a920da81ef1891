import { computed, signal } from "@preact/signals";
import { doc, route } from "../document/workspace";
import type { InspectRequest } from "../gen/api";
import { sessionName } from "./cells";
import { choice } from "./choice";
import { chosen, launches } from "./launches";
import { launchOfTest } from "./other-sizes";
import { calling, runOf } from "./request";

/** Opened is a launch of the text at other sizes than the document's own, such as a counterexample. */
interface Opened {
  doc: string;
  calling: string; // what the document was called with
  test: number; // of a puzzle, that was chosen
  launch: InspectRequest;
  sizes: string;
}

const opened = signal<Opened | undefined>(undefined);

/** elsewhere is the launch at other sizes that is shown, if one is. */
export const elsewhere = computed(() => {
  const of = opened.value;
  const same = of?.doc === doc.value && of.calling === calling.value && of.test === choice.value.test;
  return same ? of : undefined;
});

/** openLaunch shows a launch at other sizes, until closeLaunch. */
export function openLaunch(launch: InspectRequest, sizes: string): void {
  opened.value = { doc: doc.peek(), calling: calling.peek(), test: choice.peek().test, launch, sizes };
}

/** closeLaunch goes back to the document's own launch. */
export function closeLaunch(): void {
  opened.value = undefined;
}

/** withSource is a launch of another text. */
function withSource({ puzzle, free, ...at }: InspectRequest, source: string): InspectRequest {
  return { ...at, ...(puzzle && { puzzle: { ...puzzle, source } }), ...(free && { free: { ...free, source } }) };
}

/** launchOf says which launch of the page's document is shown; undefined while there is none. */
export function launchOf(source: string): InspectRequest | undefined {
  if (route.value.page === "document") {
    const number = (chosen.value ?? launches.value.at(-1))?.number;
    return number === undefined ? undefined : { look: { session: sessionName(), number, text: source } };
  }
  void calling.value;
  if (elsewhere.value) return withSource(elsewhere.value.launch, source);
  const { puzzle, free } = runOf(source) ?? {};
  if (puzzle) return { puzzle, ...launchOfTest(choice.value.test) };
  return free?.kernel ? { free } : undefined;
}
