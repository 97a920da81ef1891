import { courseOfOwn } from "../content/own";
import { waitsIn } from "../content/course";
import { after, labelOf } from "../content/path";
import { courseAt, stepsOf } from "../document/steps";
import { puzzle, route } from "../document/workspace";
import { t } from "../i18n/table";
import { marksOf } from "../run/marks";
import { solvedIn } from "../state/progress";
import { formatRoute } from "../state/route";

/** NextPuzzle leads on from a solved puzzle of a course, or first to a warm-up; after the last puzzle there is nothing to lead to. */
export function NextPuzzle() {
  const words = t.value;
  const here = route.value;
  const steps = stepsOf(courseAt(here));
  const waits = waitsIn(here.page === "own" ? courseOfOwn(here.id) : undefined, solvedIn(marksOf(steps)));
  const { next, warmUps } = after(steps, puzzle.value?.number ?? 0, waits);
  if (!next) return null;
  return (
    <>
      <p><a class="cta" href={formatRoute(next.route)}>{words.nextPuzzle}: {next.title}</a></p>
      {warmUps.map((p) => (
        <p class="fine" key={p.number}>{words.orFirst} <a class="warm-up" href={formatRoute(p.route)}>{labelOf(p.number)} {p.title}</a></p>
      ))}
    </>
  );
}
