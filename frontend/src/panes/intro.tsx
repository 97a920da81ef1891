import { puzzles } from "../content/content";
import { t } from "../i18n/table";
import { formatRoute } from "../state/route";
import { marks } from "../state/runs";

/** Intro greets on the free page, and offers the one next step. */
export function Intro() {
  const words = t.value;
  return (
    <article class="intro">
      <h1>{words.introTitle}</h1>
      <p class="lead">{words.introLead}</p>
      <p>{words.introTry}</p>
      <p class="next"><NextStep /></p>
      <p class="fine">{words.introPuzzles}</p>
    </article>
  );
}

/** NextStep leads to the first puzzle that is not solved yet. */
export function NextStep() {
  const words = t.value;
  const started = Object.keys(marks.value).length > 0;
  const next = puzzles.value.find((p) => marks.value[p.number] !== "solved")?.number ?? 1;
  const puzzle = started ? next : 1;
  return <a class="cta" href={formatRoute({ page: "puzzle", puzzle })}>{started ? words.introResume(next) : words.introStart}</a>;
}
