import { useEffect, useState } from "preact/hooks";
import { lessonAddress, openConcept } from "../basics/open";
import { fastPuzzles, fastWanted, type Puzzle, puzzles } from "../content/content";
import { isWarmUp, labelOf, standingOf } from "../content/path";
import { b } from "../i18n/basics";
import { m } from "../i18n/map";
import { t } from "../i18n/table";
import { addMarks, marks } from "../run/marks";
import { LinkField } from "../share/link-field";
import { type Marks, lessonKey, solvedIn } from "../state/progress";
import { formatRoute } from "../state/route";
import { PuzzleText } from "../statement/prose";
import { Dialog } from "../ui/dialog";
import { addressOf, closeMap, mapAddress, shownMap } from "./open";
import { byRegion, ideas } from "./regions";

/** ProgressMap shows the puzzles in their order, what somebody who has come so far knows, and what is next. */
export default function ProgressMap() {
  const open = shownMap.value;
  const words = m.value;
  return (
    <Dialog open={open !== undefined} title={open?.theirs ? words.theirTitle : words.title} close={t.value.close} class="map" onClose={closeMap}>
      {open && (open.theirs ? <Theirs key="theirs" of={open.theirs} /> : <Mine key="mine" />)}
    </Dialog>
  );
}

function Mine() {
  const words = m.value;
  return (
    <>
      <Solved of={marks.value} />
      <Ideas title={words.ideas} of={marks.value} />
      <details class="map-keep">
        <summary>{words.keep}</summary>
        <p class="fine">{words.keepWhy}</p>
        <LinkField label={words.link} url={new URL(addressOf(marks.value), location.href).href} />
      </details>
      <Regions of={marks.value} />
    </>
  );
}

function Theirs({ of }: { of: Marks }) {
  const words = m.value;
  const [added, setAdded] = useState(false);
  const add = () => {
    addMarks(of);
    setAdded(true);
  };
  return (
    <>
      <Solved of={of} />
      <p class="map-theirs" role="status">
        {added ? words.added : <button type="button" class="quiet" id="add-progress" onClick={add}>{words.add}</button>}{" "}
        <a id="own-map" href={mapAddress}>{words.mine}</a>
      </p>
      <Ideas title={words.theirIdeas} of={of} />
      <Regions of={of} />
    </>
  );
}

function Solved({ of }: { of: Marks }) {
  const twelve = standingOf(puzzles.value, solvedIn(of));
  return <p class="overline">{t.value.solvedOf(twelve.solved, twelve.of)}</p>;
}

/** Ideas are the concepts, of which each opens its card; those that are known are filled. */
function Ideas({ title, of }: { title: string; of: Marks }) {
  const words = m.value;
  return (
    <section class="map-ideas">
      <h3>{title}</h3>
      <ul>
        {ideas(of).map(({ id, known }) => (
          <li key={id}>
            <button type="button" class="chip" data-known={known} onClick={() => openConcept(id)}>
              {b.value.concepts[id].title}<span class="unseen">: {known ? words.known : words.notYet}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Regions({ of }: { of: Marks }) {
  const next = standingOf(puzzles.value, solvedIn(of)).next?.number;
  useEffect(() => void (fastWanted.value = true), []);
  return (
    <div class="map-regions">
      {byRegion([...puzzles.value, ...fastPuzzles.value]).map(({ id, puzzles: list }, i) => (
        <section key={id}>
          <h3>{m.value.regions[id]}</h3>
          <ol>
            {i === 0 && <Station href={lessonAddress} number={lessonKey} title={t.value.lessonTitle} mark={of[lessonKey]} />}
            {list.map((p) => (
              <Station
                key={p.number} href={formatRoute({ page: "puzzle", puzzle: p.number })} number={labelOf(p.number)} title={p.title}
                mark={of[p.number]} learned={p} next={p.number === next} warmUp={isWarmUp(p.number)}
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
  learned?: Puzzle; // whose text says what one knows who has solved it
  next?: boolean;
  warmUp?: boolean;
}

function Station({ href, number, title, mark, learned, next = false, warmUp = false }: StationProps) {
  return (
    <li class={warmUp ? "warm-up" : undefined} data-next={next || undefined}>
      <a href={href} aria-current={next ? "step" : undefined}>
        <span class={`mark mark-${mark ?? "none"}`} role="img" aria-label={t.value.mark[mark ?? "none"]} />
        <span class="number">{number}</span>
        <span>{title}</span>
        {next && <b>{m.value.next}</b>}
      </a>
      {mark === "solved" && learned?.learned && <PuzzleText puzzle={learned} text={learned.learned} />}
    </li>
  );
}
