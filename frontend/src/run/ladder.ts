import { puzzle, route } from "../document/workspace";
import { lang } from "../settings/settings";
import { levelMarks } from "../state/progress";
import { markKey } from "../state/route";
import { late } from "./late";
import { raiseMark } from "./marks";
import { simulate } from "./simulate";

/** target is the GPU that answers are graded on, whatever a person looks at the code of. */
const target = "sm_90a";

/** topLevel is the highest level there is: gold. */
export const topLevel = levelMarks.length - 1;

/** ladder asks how fast an answer is that is right, and keeps the level as the puzzle's mark. */
export const ladder = late(async (answer, stopped) => {
  const key = markKey(route.peek());
  const wanted = { source: answer.source, lang: lang.peek(), target, of: { puzzle: answer, case: 0 }, goals: puzzle.peek()?.goals ?? [] };
  const made = await simulate(wanted, stopped);
  const mark = made.ladder && levelMarks[made.ladder.level];
  if (mark) raiseMark(key, mark);
  return made;
});
