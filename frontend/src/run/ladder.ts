import { computed, signal } from "@preact/signals";
import type { Puzzle } from "../content/content";
import { route } from "../document/workspace";
import { lang } from "../settings/settings";
import { markKey } from "../state/route";
import { raiseMark } from "./marks";
import { runOf } from "./request";
import type { Result } from "./result";
import { result } from "./runs";
import { simulate, type Simulated } from "./simulate";

/** target is the GPU that answers are graded on, whatever a person looks at the code of. */
const target = "sm_90a";

/** topLevel is the highest level there is: gold. */
export const topLevel = 3;

interface Graded {
  of: Result;
  lang: string;
  made?: Simulated | undefined; // undefined while it is simulated, and where the simulator did not answer
  done: boolean;
}

const last = signal<Graded | undefined>(undefined);

/** graded is how fast the current result's answer is. */
export const graded = computed(() => (last.value?.of === result.value && last.value?.lang === lang.value ? last.value : undefined));

/** gradeAnswer grades the answer of a result that is right. It returns what ends that. */
export function gradeAnswer(of: Result, goals: NonNullable<Puzzle["goals"]>): () => void {
  const stopper = new AbortController();
  void grade(of, goals, stopper.signal);
  return () => stopper.abort();
}

async function grade(of: Result, goals: NonNullable<Puzzle["goals"]>, stopped: AbortSignal): Promise<void> {
  const { puzzle } = runOf(of.source) ?? {};
  if (!puzzle || graded.peek()?.done) return;
  const key = markKey(route.peek());
  const begun: Graded = { of, lang: lang.peek(), done: false };
  last.value = begun;
  const wanted = { source: of.source, lang: lang.peek(), target, of: { puzzle, case: 0 }, goals };
  const made = await simulate(wanted, stopped).catch(() => undefined);
  if (made?.ladder?.level === topLevel) raiseMark(key, "solved");
  if (last.peek() === begun) last.value = stopped.aborted ? undefined : { ...begun, made, done: true };
}
