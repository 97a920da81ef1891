import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { helper, interpreter } from "../engine/engines";
import type { Course, CoursesReply, InspectRequest } from "../gen/api";
import { c } from "../i18n/courses";
import { sentence } from "../lib/format";
import { pick } from "../run/choice";
import { lang, shownTheme } from "../settings/settings";
import { contextOf } from "../ui/canvas";
import { Phrase } from "../ui/phrase-view";
import { useWidth } from "../ui/use-width";
import { type Inspected, numberOf } from "./inspected";
import { current, lookedAt, stepTo } from "./stage";
import { programText } from "./words";

/** page is how many programs are shown at once. */
const page = 32;
const laneHeight = 12;

/** Courses has a lane for each of some programs, on one scale of steps: a click goes to a program's step. */
export default function Courses({ inspected, at }: { inspected: Inspected; at: number }) {
  const words = c.value;
  const { program, grid } = inspected;
  const from = Math.floor(numberOf(program, grid) / page) * page;
  const reply = useCourses(from);
  const [box, width] = useWidth();
  const courses = reply?.courses ?? [];
  const most = Math.max(1, ...courses.map(({ steps }) => steps));
  const step = inspected.from + Math.max(0, at);
  const texts = courses.map((course) => programText(course.program, grid));
  const said = courses.length ? saidOf(courses, texts) : reply ? sentence(reply.message ?? words.failed) : words.waiting;
  return (
    <section class="courses" aria-label={words.title}>
      <p role="status"><Phrase text={said} /></p>
      <div ref={box}>
        <ol>
          {courses.map((course, i) => {
            const here = course.program.join() === program.join();
            return (
              <li key={texts[i]}>
                <Lane course={course} name={texts[i] ?? ""} scale={width / most} at={here ? step : undefined} />
              </li>
            );
          })}
        </ol>
      </div>
      {courses.length > 0 && <CourseTable courses={courses} texts={texts} />}
    </section>
  );
}

/** useCourses asks for the courses of the launch that is shown, from a program on. */
function useCourses(from: number): CoursesReply | undefined {
  const [reply, setReply] = useState<CoursesReply | undefined>(undefined);
  const source = current.value?.source;
  const of = source === undefined ? undefined : lookedAt(source);
  const key = JSON.stringify([of, from, lang.value]);
  useEffect(() => {
    let wanted = true;
    if (of) void ask(of, from).then((answer) => wanted && setReply(answer));
    return () => {
      wanted = false;
    };
  }, [key]);
  return reply;
}

async function ask(of: InspectRequest, from: number): Promise<CoursesReply> {
  const engine = of.look ? interpreter : helper;
  const reply = await engine.call({ lang: lang.peek(), courses: { of, from, count: page } })
    .then(({ courses }) => courses, () => undefined);
  return reply ?? { courses: [] };
}

/** saidOf says how the programs' lengths compare, and which is the first with a problem. */
function saidOf(courses: readonly Course[], texts: readonly string[]): string {
  const words = c.value;
  const steps = courses.map((course) => course.steps);
  const [least, most] = [Math.min(...steps), Math.max(...steps)];
  const wrong = courses.findIndex(({ problem }) => problem >= 0);
  const lengths = least === most ? words.same(courses.length, most) : words.between(courses.length, least, most);
  return wrong < 0 ? lengths : `${lengths} ${words.firstProblem(texts[wrong] ?? "", (courses[wrong]?.problem ?? 0) + 1)}`;
}

interface LaneProps {
  course: Course;
  name: string;
  scale: number; // CSS pixels a step
  at: number | undefined; // the step that is shown, if it is this program's
}

/** Lane is a program: the kinds of its steps from left to right. By keyboard it is chosen at the step that is shown now. */
function Lane({ course, name, scale, at }: LaneProps) {
  const words = c.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = shownTheme.value;
  useLayoutEffect(() => {
    if (canvas.current && scale > 0) draw(canvas.current, course, scale);
  }, [course, scale, theme]);
  const go = ({ detail, clientX }: MouseEvent) => {
    const left = canvas.current?.getBoundingClientRect().left ?? 0;
    pick({ all: false, program: course.program, ...(detail > 0 && { step: Math.max(0, Math.min(course.steps - 1, Math.floor((clientX - left) / scale))) }) });
  };
  return (
    <button type="button" class="lane" aria-current={at !== undefined || undefined} aria-label={words.lane(name, course.steps, laneFacts(course))} onClick={go}>
      <span>{name}</span>
      <canvas ref={canvas} aria-hidden="true" />
      {at !== undefined && <i style={{ transform: `translateX(${Math.min(at, course.steps) * scale}px)` }} />}
    </button>
  );
}

/** laneFacts are what a program does to memory, and where it goes wrong. */
function laneFacts({ loads, stores, atomics, problem }: Course): string {
  const words = c.value;
  return [words.loads(loads), words.stores(stores), atomics > 0 && words.atomics(atomics), problem >= 0 && words.problem(problem + 1)]
    .filter(Boolean).join(", ");
}

/** kinds are the looks of marks by their bits, those that matter most first: wrong, atomic, store, load. */
const kinds = [[8, "--fail"], [4, "--picture-2"], [2, "--picture-2"], [1, "--picture-1"]] as const;

function draw(canvas: HTMLCanvasElement, { marks, stride, steps }: Course, scale: number): void {
  const context = contextOf(canvas, Math.ceil(steps * scale), laneHeight);
  if (!context) return;
  const style = getComputedStyle(canvas);
  const room = stride * scale >= 4 ? 1 : 0;
  marks.forEach((mark, i) => {
    const [, name] = kinds.find(([bit]) => mark & bit) ?? [0, "--line-strong"];
    context.fillStyle = style.getPropertyValue(name).trim();
    context.fillRect(i * stride * scale, 0, Math.min(stride, steps - i * stride) * scale - room, laneHeight);
  });
}

/** CourseTable is the lanes as text; a program's name goes to it. */
function CourseTable({ courses, texts }: { courses: readonly Course[]; texts: readonly string[] }) {
  const words = c.value;
  const [open, setOpen] = useState(false);
  const go = (course: Course) => {
    pick({ all: false, program: course.program });
    if (course.problem >= 0) stepTo(course.problem);
  };
  const columns = useMemo(() => [words.program, words.steps, words.colLoads, words.colStores, words.colAtomics, words.colProblem], [words]);
  return (
    <details class="inputs" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{words.table}</summary>
      {open && (
        <div class="table-box" tabIndex={0} role="region" aria-label={words.table}>
          <table class="elements">
            <thead><tr>{columns.map((title) => <th key={title} scope="col">{title}</th>)}</tr></thead>
            <tbody>
              {courses.map((course, i) => (
                <tr key={texts[i]}>
                  <th scope="row"><button type="button" class="link" onClick={() => go(course)}>{texts[i]}</button></th>
                  <td>{course.steps}</td><td>{course.loads}</td><td>{course.stores}</td><td>{course.atomics}</td>
                  <td>{course.problem >= 0 ? course.problem + 1 : ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
