import { useEffect, useRef } from "preact/hooks";
import { lessonAddress, shownConcept } from "../basics/open";
import { contentFailed, puzzles } from "../content/content";
import { mapOf } from "../map/address";
import { shownMap } from "../map/open";
import { isWarmUp, labelOf, standingOf } from "../content/path";
import { t } from "../i18n/table";
import { phraseIn } from "../content/course";
import { fetchOffered, ownPuzzles, siteCourse, titleOf } from "../content/own";
import { formatRoute, markKey, type Route } from "../state/route";
import { marks } from "../run/marks";
import { lessonKey, solvedIn } from "../state/progress";
import { lang } from "../settings/settings";
import { puzzle, route } from "../document/workspace";
import { Icon } from "../ui/icons";
import { closeOutside } from "../ui/popup";
import { ownOpen } from "../own/open";

/** PuzzleMenu names the current puzzle and opens the list with everyone's marks. */
export function PuzzleMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  const words = t.value;
  const current = puzzle.value;

  useEffect(() => closeOutside(details.current), []);

  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [route.value, ownOpen.value, shownConcept.value, shownMap.value]);

  return (
    <details class="menu" ref={details} onToggle={() => void fetchOffered()}>
      <summary class="way" aria-current={current ? "page" : undefined}>
        {current ? <><b>{current.own ? <Icon name="own" /> : labelOf(current.number)}</b> <span>{current.title}</span></> : <span>{words.puzzlesNav}</span>}
        <Icon name="down" />
      </summary>
      <div class="menu-list">
        <Solved />
        <a class="menu-map" href={mapOf("newt")}>{t.value.mapLink}</a>
        <a class="menu-free" href="#/free" aria-current={route.value.page === "free" ? "page" : undefined}>{words.freePage}</a>
        <a class="menu-free" href="#/document" aria-current={route.value.page === "document" ? "page" : undefined}>{words.documentPage}</a>
        <ol>
          <Entry href={lessonAddress} mark={lessonKey} label={lessonKey} title={words.lessonTitle} />
          {puzzles.value.map((p) => <PuzzleEntry key={p.number} to={{ page: "puzzle", puzzle: p.number }} number={p.number} title={p.title} />)}
        </ol>
        <a class="menu-map" id="menu-fast" href={mapOf("fast")}>{words.fastCourse}</a>
        {(puzzles.value.length > 0 || contentFailed.value) && <Own />}
      </div>
    </details>
  );
}

function Solved() {
  const { solved, of } = standingOf(puzzles.value, solvedIn(marks.value));
  return <p class="menu-note">{t.value.solvedOf(solved, of)}</p>;
}

/** Own leads to loading a puzzle of one's own and lists those of this site and of this browser: last, for the site's arrive late. */
function Own() {
  const words = t.value;
  const list = [...ownPuzzles.value];
  const course = siteCourse.value;
  return (
    <>
      <button type="button" class="menu-own" onClick={() => (ownOpen.value = true)}><Icon name="own" />{words.ownOpen}</button>
      {list.length > 0 && <p class="menu-note menu-rule">{words.ownPuzzles}</p>}
      {course && <a class="menu-map" id="menu-course" href={mapOf(course.id)}>{words.courseMap(phraseIn(course.title, lang.value))}</a>}
      <ol>{list.map(([id, custom]) => <PuzzleEntry key={id} to={{ page: "own", id }} number={parseInt(custom.folder, 10)} title={titleOf(custom, lang.value)} />)}</ol>
    </>
  );
}

function PuzzleEntry({ to, number, title }: { to: Route; number: number; title: string }) {
  return <Entry href={formatRoute(to)} mark={markKey(to)} label={labelOf(number)} title={title} warmUp={isWarmUp(number)} />;
}

interface EntryProps {
  href: string;
  mark: string; // the markKey of how far one has come with it
  label: string;
  title: string;
  warmUp?: boolean;
}

function Entry({ href, mark, label, title, warmUp = false }: EntryProps) {
  const reached = marks.value[mark] ?? "none";
  const current = formatRoute(route.value) === href;
  return (
    <li class={warmUp ? "warm-up" : undefined}>
      <a href={href} aria-current={current ? "page" : undefined}>
        <span class="number">{label}</span>
        <span>{title}</span>
        <span class={`mark mark-${reached}`} role="img" aria-label={t.value.mark[reached]} />
      </a>
    </li>
  );
}
