import { useEffect, useState } from "preact/hooks";
import type { ConceptID } from "../basics/concepts";
import { lessonAddress, openIdea } from "../basics/open";
import { fastWanted, puzzleOf } from "../content/content";
import { type Course, type Idea, phraseIn, waitsIn } from "../content/course";
import { fetchOffered, ownPuzzles, phraseOf, siteCourse } from "../content/own";
import { isWarmUp, labelOf, standingOf } from "../content/path";
import { type Step, stepsOf } from "../document/steps";
import { b } from "../i18n/basics";
import { m } from "../i18n/map";
import { t } from "../i18n/table";
import { addMarks, marks, marksOf } from "../run/marks";
import { lang } from "../settings/settings";
import { LinkField } from "../share/link-field";
import { type Marks, lessonKey, solvedIn } from "../state/progress";
import { formatRoute, markKey } from "../state/route";
import { PuzzleText } from "../statement/prose";
import { Dialog } from "../ui/dialog";
import { mapOf } from "./address";
import { closeMap, shownMap } from "./open";
import { byRegion, ideasOf, isNewts, newts } from "./regions";

/** ProgressMap shows the puzzles of a course in their order, what somebody who has come so far knows, and what is next. */
export default function ProgressMap() {
  const open = shownMap.value;
  const [asked, setAsked] = useState(false);
  useEffect(() => void fetchOffered().then(() => setAsked(true)), []);
  const words = m.value;
  const course = open && courses().find(({ id }) => id === open.course);
  return (
    <Dialog open={open !== undefined} title={open?.theirs ? words.theirTitle : words.title} close={t.value.close} class="map" onClose={closeMap}>
      {open && <Courses current={open.course} />}
      {open && !course && <p class="empty" role="status">{asked ? words.noCourse : t.value.loading}</p>}
      {course && (open.theirs ? <Theirs key="theirs" course={course} of={open.theirs} /> : <Mine key="mine" course={course} />)}
    </Dialog>
  );
}

/** courses are all, that of the site first. */
function courses(): readonly Course[] {
  return siteCourse.value ? [siteCourse.value, ...newts] : newts;
}

/** Courses lead to the map of each. */
function Courses({ current }: { current: string }) {
  return (
    <nav class="map-courses" aria-label={m.value.courses}>
      {courses().map(({ id, title }) => <a key={id} class="chip" href={mapOf(id)} aria-current={id === current ? "page" : undefined}>{phraseIn(title, lang.value)}</a>)}
    </nav>
  );
}

interface OfCourse {
  course: Course;
  of: Marks; // by the puzzles' numbers
}

function Mine({ course }: { course: Course }) {
  const words = m.value;
  const of = isNewts(course) ? marks.value : marksOf(stepsOf(course.id));
  return (
    <>
      <Solved course={course} of={of} />
      <Ideas title={words.ideas} course={course} of={of} />
      <details class="map-keep">
        <summary>{words.keep}</summary>
        <p class="fine">{words.keepWhy}</p>
        <LinkField label={words.link} url={new URL(mapOf(course.id, of), location.href).href} />
      </details>
      <Regions course={course} of={of} />
    </>
  );
}

function Theirs({ course, of }: OfCourse) {
  const words = m.value;
  const [added, setAdded] = useState(false);
  const add = () => {
    const keys = stepsOf(course.id).flatMap(({ number, route }) => (of[number] ? [[markKey(route), of[number]] as const] : []));
    addMarks(isNewts(course) ? of : Object.fromEntries(keys));
    setAdded(true);
  };
  return (
    <>
      <Solved course={course} of={of} />
      <p class="map-theirs" role="status">
        {added ? words.added : <button type="button" class="quiet" id="add-progress" onClick={add}>{words.add}</button>}{" "}
        <a id="own-map" href={mapOf(course.id)}>{words.mine}</a>
      </p>
      <Ideas title={words.theirIdeas} course={course} of={of} />
      <Regions course={course} of={of} />
    </>
  );
}

function Solved({ course, of }: OfCourse) {
  const standing = standingOf(stepsOf(course.id), solvedIn(of));
  return <p class="overline">{t.value.solvedOf(standing.solved, standing.of)}</p>;
}

/** Ideas are those of a course, of which each opens its card; those that are known are filled. */
function Ideas({ title, course, of }: OfCourse & { title: string }) {
  const words = m.value;
  const ideas = ideasOf(course, of);
  if (ideas.length === 0) return null;
  return (
    <section class="map-ideas">
      <h3>{title}</h3>
      <ul>
        {ideas.map(({ idea, known }) => (
          <li key={idea.id}>
            <button type="button" class="chip" data-known={known} onClick={() => openIdea(idea)}>
              {titleOf(idea)}<span class="unseen">: {known ? words.known : words.notYet}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function titleOf({ id, title }: Idea): string {
  return title ? phraseIn(title, lang.value) : b.value.concepts[id as ConceptID].title;
}

function Regions({ course, of }: OfCourse) {
  const steps = stepsOf(course.id);
  const isSolved = solvedIn(of);
  const next = standingOf(steps, isSolved).next?.number;
  const waits = waitsIn(course, isSolved);
  useEffect(() => void (fastWanted.value ||= course.id === "fast"), [course]);
  return (
    <div class="map-regions">
      {byRegion(course, steps).map(({ title, puzzles }, i) => (
        <section key={i}>
          <h3>{phraseIn(title, lang.value)}</h3>
          <ol>
            {i === 0 && course.id === "newt" && <Station href={lessonAddress} number={lessonKey} title={t.value.lessonTitle} mark={of[lessonKey]} />}
            {puzzles.map((step) => (
              <Station
                key={step.number} href={formatRoute(step.route)} number={labelOf(step.number)} title={step.title} mark={of[step.number]}
                step={step} next={step.number === next} warmUp={isWarmUp(step.number)} waits={waits(step.number)}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface StationProps {
  href: string;
  number: string;
  title: string;
  mark: Marks[string] | undefined;
  step?: Step;
  next?: boolean;
  warmUp?: boolean;
  waits?: readonly number[];
}

function Station({ href, number, title, mark, step, next = false, warmUp = false, waits = [] }: StationProps) {
  return (
    <li class={warmUp ? "warm-up" : undefined} data-next={next || undefined}>
      <a href={href} aria-current={next ? "step" : undefined}>
        <span class={`mark mark-${mark ?? "none"}`} role="img" aria-label={t.value.mark[mark ?? "none"]} />
        <span class="number">{number}</span>
        <span>{title}</span>
        {next ? <b>{m.value.next}</b> : waits.length > 0 && <span class="fine">{m.value.after(waits.map(labelOf))}</span>}
      </a>
      {mark === "solved" && step && <LearnedIn step={step} />}
    </li>
  );
}

/** LearnedIn is what one knows who has solved a puzzle. */
function LearnedIn({ step: { number, route } }: { step: Step }) {
  if (route.page !== "own") {
    const puzzle = puzzleOf(number);
    return puzzle?.learned ? <PuzzleText puzzle={puzzle} text={puzzle.learned} /> : null;
  }
  const custom = ownPuzzles.value.get(route.id);
  const learned = custom && phraseOf(custom, "text.json", "learned", lang.value);
  return learned ? <PuzzleText puzzle={{ own: { id: route.id, custom } }} text={learned} /> : null;
}
