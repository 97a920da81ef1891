import { puzzle, route } from "../document/workspace";
import { targets } from "../gen/targets";
import { lang } from "../settings/settings";
import { levelMarks } from "../state/progress";
import { markKey } from "../state/route";
import { late } from "./late";
import { raiseMark } from "./marks";
import { simulate } from "./simulate";

/** topLevel is the highest level there is: gold. */
export const topLevel = levelMarks.length - 1;

/** ladder asks how fast an answer is that is right, and keeps the level as the puzzle's mark. */
export const ladder = late(async (answer, stopped) => {
  const key = markKey(route.peek());
  // Graded on one GPU, whatever target a person looks at the code of.
  const wanted = { source: answer.source, lang: lang.peek(), target: targets[0], of: { puzzle: answer, case: 0 }, goals: puzzle.peek()?.goals ?? [] };
  const made = await simulate(wanted, stopped);
  const mark = made.ladder && levelMarks[made.ladder.level];
  if (mark) raiseMark(key, mark);
  return made;
});
