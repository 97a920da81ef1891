import { referenceOpen } from "../app/view";
import { content, contentFailed, fetchContent, type Puzzle } from "../content/content";
import { FreeForm } from "../free/form";
import { Reference } from "../reference/reference";
import { t } from "../i18n/table";
import { lang } from "../state/settings";
import { marks } from "../state/runs";
import { puzzle, route } from "../state/workspace";
import { Hints } from "./hints";
import { Intro } from "./intro";
import { Prose } from "./prose";
import { SolutionPart } from "./solution";

/** StatementPane is what to do: a puzzle's statement with its hints, the free page's form, or the reference in their place. */
export function StatementPane() {
  if (referenceOpen.value) return <Reference />;
  if (route.value.page === "free") return <div class="scroll"><Intro /><FreeForm /></div>;
  if (!content.value) return <div class="scroll"><Waiting /></div>;
  const current = puzzle.value;
  if (!current) return <div class="scroll"><p class="empty">{t.value.noSuchPuzzle}</p></div>;
  return <div class="scroll" key={current.number}><Statement puzzle={current} /></div>;
}

function Waiting() {
  if (!contentFailed.value) return <p class="empty">{t.value.loading}</p>;
  return (
    <p class="empty" role="alert">
      {t.value.contentFailed} <button type="button" class="link" onClick={() => void fetchContent(lang.peek())}>{t.value.retry}</button>
    </p>
  );
}

function Statement({ puzzle }: { puzzle: Puzzle }) {
  const solved = marks.value[puzzle.number] === "solved";
  return (
    <article class="statement-text">
      <p class="overline">{t.value.puzzleN(puzzle.number)}</p>
      <h1>{puzzle.title}</h1>
      <div class="picture" dangerouslySetInnerHTML={{ __html: puzzle.picture }} />
      <Prose html={puzzle.html} />
      {solved && puzzle.learned && (
        <aside class="learned"><h2>{t.value.learned}</h2><Prose html={puzzle.learned} /></aside>
      )}
      <Hints puzzle={puzzle} />
      <SolutionPart puzzle={puzzle} />
    </article>
  );
}
