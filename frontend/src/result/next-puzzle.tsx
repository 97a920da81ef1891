import { puzzles } from "../content/content";
import { t } from "../i18n/table";
import { formatRoute } from "../state/route";

/** NextPuzzle leads on from a solved puzzle; after the last one there is nothing to lead to. */
export function NextPuzzle({ number }: { number: number }) {
  const next = puzzles.value.find((p) => p.number === number);
  if (!next) return null;
  return <p><a class="cta" href={formatRoute({ page: "puzzle", puzzle: number })}>{t.value.nextPuzzle}: {next.title}</a></p>;
}
