import { puzzles } from "../content/content";
import { standingOf } from "../content/path";
import { t } from "../i18n/table";
import { marks } from "../run/marks";
import { solvedIn } from "../state/progress";
import { formatRoute } from "../state/route";

/** NextStep leads to the first of the twelve puzzles that is not solved yet. */
export function NextStep() {
  const words = t.value;
  const started = Object.keys(marks.value).length > 0;
  const next = standingOf(puzzles.value, solvedIn(marks.value)).next?.number ?? 1;
  const puzzle = started ? next : 1;
  return <a class="cta" href={formatRoute({ page: "puzzle", puzzle })}>{started ? words.introResume(next) : words.introStart}</a>;
}
