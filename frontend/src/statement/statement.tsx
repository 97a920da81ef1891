import { contentFailed, courseOf, fetchContent, type Puzzle, puzzles } from "../content/content";
import { phraseIn } from "../content/course";
import { courseOfOwn } from "../content/own";
import { after, isWarmUp, labelOf } from "../content/path";
import { partFailed, t } from "../i18n/table";
import { lang, settings } from "../settings/settings";
import { marks } from "../run/marks";
import { result, stale } from "../run/runs";
import { markKey } from "../state/route";
import { puzzle, route } from "../document/workspace";
import { OwnWaiting } from "../own/waiting";
import { lazy } from "../ui/lazy";
import { Hints } from "./hints";
import { Learned } from "./learned";
import { PuzzleText } from "./prose";
import { SolutionPart } from "./solution";

const Question = lazy(() => import("../questions/question"), partFailed);

/** StatementPane is what to do: a puzzle's statement with its hints. */
export function StatementPane() {
  const current = puzzle.value;
  if (route.value.page === "own" && !current) return <div class="scroll"><OwnWaiting id={route.value.id} /></div>;
  if (!current && !(route.value.page === "puzzle" ? courseOf(route.value.puzzle) : puzzles.value).length) return <div class="scroll"><Waiting /></div>;
  if (!current) return <div class="scroll"><p class="empty">{t.value.noSuchPuzzle}</p></div>;
  return <div class="scroll" key={markKey(route.value)}><Statement puzzle={current} /></div>;
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
  // The verdict of a run that passed has it, too, where one looks then.
  const solved = marks.value[markKey(route.value)] === "solved";
  const passed = !stale.value && result.value?.verdict?.pass;
  return (
    <article class="statement-text">
      <p class="overline">{overlineOf(puzzle)}</p>
      <h1>{puzzle.title}</h1>
      {puzzle.own && <EditOwn own={puzzle.own} />}
      <Picture puzzle={puzzle} />
      <PuzzleText puzzle={puzzle} text={puzzle.html} />
      {solved && !passed && <Learned puzzle={puzzle} />}
      {!solved && settings.value.questions !== false && <><Question wanted kind="order" facts={puzzle} /><Question wanted kind="refused" facts={puzzle} /></>}
      <Hints puzzle={puzzle} />
      <SolutionPart puzzle={puzzle} />
    </article>
  );
}

function overlineOf({ number, own }: Puzzle): string {
  const words = t.value;
  const course = own && courseOfOwn(own.id);
  if (course) return `${phraseIn(course.title, lang.value)} · ${labelOf(number)}`;
  if (own) return words.ownPuzzleOverline(own.custom.folder);
  const { next } = after(courseOf(number), number);
  return isWarmUp(number) && next ? words.warmUp(labelOf(number), labelOf(next.number)) : words.puzzleN(labelOf(number));
}

/** EditOwn opens the files of somebody's own puzzle. */
function EditOwn({ own }: { own: NonNullable<Puzzle["own"]> }) {
  const start = () => void import("../own/draft").then(({ author }) => author({ custom: own.custom, replaces: own.id }));
  return <p><button type="button" class="link" id="edit-own" onClick={start}>{t.value.ownEditThis}</button></p>;
}

/** Picture is part of the page where it is newt's own; a stranger's is an image, which can do nothing. */
function Picture({ puzzle }: { puzzle: Puzzle }) {
  if (!puzzle.picture) return null;
  if (!puzzle.own) return <div class="picture" role="img" aria-label={puzzle.shows} dangerouslySetInnerHTML={{ __html: puzzle.picture }} />;
  return <div class="picture picture-image"><img alt={puzzle.shows} src={`data:image/svg+xml,${encodeURIComponent(puzzle.picture)}`} /></div>;
}
