import { courseOf } from "../content/content";
import { after, labelOf } from "../content/path";
import { t } from "../i18n/table";
import { formatRoute } from "../state/route";

/** NextPuzzle leads on from a solved puzzle, or first to a warm-up; after the last puzzle there is nothing to lead to. */
export function NextPuzzle({ number }: { number: number }) {
  const words = t.value;
  const { next, warmUps } = after(courseOf(number), number);
  if (!next) return null;
  return (
    <>
      <p><a class="cta" href={formatRoute({ page: "puzzle", puzzle: next.number })}>{words.nextPuzzle}: {next.title}</a></p>
      {warmUps.map((p) => (
        <p class="fine" key={p.number}>{words.orFirst} <a class="warm-up" href={formatRoute({ page: "puzzle", puzzle: p.number })}>{labelOf(p.number)} {p.title}</a></p>
      ))}
    </>
  );
}
