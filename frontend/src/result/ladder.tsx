import { useEffect } from "preact/hooks";
import { choice, deviceOpen } from "../device/devices";
import { puzzle } from "../document/workspace";
import type { Ladder, Rung } from "../gen/goal";
import { d } from "../i18n/ladder";
import { partFailed } from "../i18n/table";
import { pick } from "../run/choice";
import { ladder as question, topLevel } from "../run/ladder";
import { result, stale } from "../run/runs";
import { Learned } from "../statement/learned";
import { showView } from "../state/view";
import { lang } from "../settings/settings";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import Beside from "./beside";
import { NextPuzzle } from "./next-puzzle";

const Timing = lazy(() => import("./timing"), partFailed);

/** LadderView says how fast an answer is that is right: its level, and what the next one takes. It comes late. */
export default function LadderView() {
  const of = result.value;
  const right = of?.verdict?.pass && !stale.value;
  useEffect(() => (of && right ? question.start(of) : undefined), [of, right, lang.value]);
  const words = d.value;
  const { answer: made, done } = question.asked.value ?? {};
  const ladder = made?.ladder;
  return (
    <>
      <section id="ladder" class="ladder" aria-labelledby="ladder-title">
        <h3 id="ladder-title">{words.title}</h3>
        <div role="status">
          {!done && <p>{words.counting}</p>}
          {done && !ladder && <p><Phrase text={made?.report ? words.long : words.failed(made?.problem ?? "")} /></p>}
          {ladder && <Reached ladder={ladder} />}
        </div>
        {ladder && <Rungs rungs={ladder.rungs} />}
        {ladder && <p><button type="button" class="link" onClick={look}>{words.look}</button></p>}
        <p class="fine">{words.model}</p>
        {!choice.value && <p><button type="button" class="link" id="timing-device" onClick={() => (deviceOpen.value = true)}>{words.choose}</button></p>}
      </section>
      {of && right && puzzle.value && choice.value && <Timing wanted of={of} puzzle={puzzle.value} on={choice.value} />}
      {ladder && ladder.level > 0 && <NextPuzzle />}
      {ladder?.level === topLevel && puzzle.value && <><Learned puzzle={puzzle.value} /><Beside /></>}
    </>
  );
}

/** look shows what each line of the graded launch takes. */
function look(): void {
  pick({ test: 0 });
  showView("lens");
}

function Reached({ ladder: { level, rungs } }: { ladder: Ladder }) {
  const words = d.value;
  return (
    <>
      <p class={`level level-${level}`}><b>{words.reached(words.levels[level] ?? "")}</b> {level === topLevel && words.all}</p>
      {rungs.filter((r) => r.level === level && level < topLevel).map((r) => <p key={r.count}>{words.next(r, words.levels[level + 1] ?? "")}</p>)}
    </>
  );
}

/** Rungs is a table of the goals: what was counted, and what each level takes. */
function Rungs({ rungs }: { rungs: readonly Rung[] }) {
  const words = d.value;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-labelledby="ladder-title">
      <table class="lens-table">
        <thead><tr><th scope="col">{words.count}</th><th scope="col">{words.here}</th>{words.levels.slice(1).map((name) => <th scope="col" key={name}>{name}</th>)}</tr></thead>
        <tbody>
          {rungs.map(({ count, label, value, least, limits, level }) => (
            <tr key={count}>
              <th scope="row">{label}</th><td><b>{value.toLocaleString("en", { maximumFractionDigits: 1 })}</b></td>
              {limits.map((limit, i) => <td key={i}>{words.limit(least, limit)} {i < level && !(least && limit === 0) && <span class="met" role="img" aria-label={words.met}>✓</span>}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
