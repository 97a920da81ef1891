import { useEffect } from "preact/hooks";
import type { Line, Memory, Report, Traffic } from "../gen/lens";
import { l } from "../i18n/lens";
import { partFailed } from "../i18n/table";
import { size } from "../lib/format";
import { running } from "../run/runs";
import { cursorLine, editor } from "../state/view";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import { lens, simulating, watchLens } from "./lens";
import { measured, MeasuredSection } from "./measured";
import { pointedLine, pointNowhere, pointRow } from "./pointing";
import { boundOf } from "./words";

const RooflinePicture = lazy(() => import("./roofline"), partFailed);

/** LensView shows what a launch asks of a GPU: by line of the source, and as a whole. */
export function LensView() {
  useEffect(watchLens, []);
  const words = l.value;
  const made = lens.value;
  const busy = simulating.value;
  const nothing = !busy && !made?.report && !made?.problem && !made?.stopped;
  return (
    <div class="lens" aria-busy={busy !== undefined}>
      {busy && <p class="lens-busy" role="status">{words.working} <button type="button" class="link" onClick={() => busy.abort()}>{words.stop}</button></p>}
      {made?.stopped && !busy && <p class="fault" role="status">{made.report ? words.stoppedBefore : words.stopped}</p>}
      {made?.problem && <p class="fault" role="alert"><Phrase text={words.failed(made.problem)} /></p>}
      {nothing && (running.value ? <p class="empty" role="status">{words.waits}</p> : made && <p class="empty">{words.none}</p>)}
      {made?.report && <Shown report={made.report} />}
    </div>
  );
}

function Shown({ report }: { report: Report }) {
  const words = l.value;
  const timed = measured.value;
  const { kernel, programs, simulated, threads, target, lines, occupancy, sharedMemory, roofline } = report;
  return (
    <>
      <p>{words.head(kernel, programs, threads)} {simulated < programs && words.sample(simulated)}</p>
      <p class="fine">{words.model(target)} {timed ? words.restIsModel : words.nothingMeasured}</p>
      {timed && <MeasuredSection of={timed} report={report} />}
      <section>
        <h3>{words.lines}</h3>
        <p>{verdict(lines)}</p>
        <Lines lines={lines} />
        <p class="fine">{words.linesNote}</p>
      </section>
      <section aria-labelledby="lens-mix">
        <h3 id="lens-mix">{words.mix}</h3>
        <Mix counts={report.instructions} />
      </section>
      <section aria-labelledby="lens-occupancy">
        <h3 id="lens-occupancy">{words.occupancy}</h3>
        <Bar part={occupancy.warps} of={occupancy.mostWarps} />
        <p>{words.occupied(occupancy.programs, occupancy.warps, occupancy.mostWarps, words.limits[occupancy.limit] ?? occupancy.limit)}</p>
        <p class="fine">{words.registers(occupancy.maxRegisters, size(sharedMemory))}</p>
      </section>
      <section aria-labelledby="lens-roofline">
        <h3 id="lens-roofline">{words.roofline}</h3>
        <RooflinePicture wanted roofline={roofline} timed={timed} />
        <p>{words.moved(size(report.readBytes), size(report.writtenBytes))} {!roofline.length && words.noRoofline}</p>
        {report.simulated === report.programs && report.programs > report.wave && <p class="fine">{words.waves(report.wave, report.waveSectors)}</p>}
        {roofline.map((at) => <p key={at.gpu}>{boundOf(at)} {words.fill(at.busy, at.multiprocessors, at.waves)}</p>)}
      </section>
    </>
  );
}

type Sum = Record<"units" | "ideal" | "unique" | "updates" | "words", number>;

/** trafficOf sums up a line's traffic with a memory; undefined where it has none. */
function trafficOf({ memory = [] }: Line, of: Memory): Sum | undefined {
  const list = memory.filter((t) => t.memory === of);
  const sum = (get: (t: Traffic) => number | undefined) => list.reduce((all, t) => all + (get(t) ?? 0), 0);
  return list.length ? { units: sum((t) => t.units), ideal: sum((t) => t.ideal), unique: sum((t) => t.unique), updates: sum((t) => t.updates), words: sum((t) => t.words) } : undefined;
}

/** verdict says which line wastes most, first of global memory, then of shared memory. */
function verdict(lines: readonly Line[]): string {
  const words = l.value;
  const [sectors, wavefronts] = (["global", "shared"] as const).map((of) => {
    const all = lines.flatMap((line) => ({ line: line.line ?? 0, ...(trafficOf(line, of) ?? { units: 0, ideal: 0 }) }));
    return all.filter((at) => at.line > 0 && at.units > at.ideal).sort((a, b) => b.units - b.ideal - (a.units - a.ideal))[0];
  });
  const said = sectors ? words.waste(sectors.line, sectors.units, sectors.ideal) : words.noWaste;
  return wavefronts ? `${said} ${words.conflicts(wavefronts.line, wavefronts.units, wavefronts.ideal)}` : said;
}

/** Lines is a table of what each line moves and executes. */
function Lines({ lines }: { lines: readonly Line[] }) {
  const words = l.value;
  const most = (of: Memory) => Math.max(1, ...lines.map((line) => trafficOf(line, of)?.units ?? 0));
  const [global, shared] = [most("global"), most("shared")];
  const executed = (line: Line) => Object.values(line.instructions).reduce((a, b) => a + b, 0);
  const all = Math.max(1, ...lines.map(executed));
  const hasShared = lines.some((line) => trafficOf(line, "shared"));
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={words.lines}>
      <table class="lens-table">
        <thead>
          <tr><th scope="col">{words.line}</th><th scope="col">{words.code}</th><th scope="col">{words.global}</th>{hasShared && <th scope="col">{words.shared}</th>}<th scope="col">{words.instructions}</th></tr>
        </thead>
        <tbody onPointerOver={pointRow} onPointerLeave={pointNowhere}>
          {lines.map((line) => (
            <tr key={`${line.file} ${line.line}`} data-line={line.line} class={line.line && [cursorLine.value, pointedLine()].includes(line.line) ? "linked" : undefined}>
              {line.line ? <th scope="row"><button type="button" class="link" aria-label={words.go(line.line)} onClick={() => editor.peek()?.goToLine(line.line ?? 1)}>{line.line}</button></th> : <td />}
              <td>{line.source ? <code title={line.source}>{line.source}</code> : words.elsewhere}</td>
              <td><Moved traffic={trafficOf(line, "global")} most={global} /></td>
              {hasShared && <td><Moved traffic={trafficOf(line, "shared")} most={shared} /></td>}
              <td><Bar part={executed(line)} of={all} />{executed(line).toLocaleString("en")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Moved is a line's traffic with a memory: what its bytes need at least, and what is moved beyond that. */
function Moved({ traffic, most }: { traffic: Sum | undefined; most: number }) {
  if (!traffic) return null;
  const { units, ideal, unique, updates, words } = traffic;
  return (
    <>
      <Bar part={Math.min(units, ideal)} beyond={Math.max(0, units - ideal)} of={most} />
      <span class={units > ideal ? "warn" : undefined}>{l.value.units(units, ideal)}</span>
      {unique > 0 && unique < units && <span class="fine">{l.value.unique(unique)}</span>}
      {updates > words && <span class="warn">{l.value.updates(updates, words)}</span>}
    </>
  );
}

/** Bar draws a part of a whole, and what is too much in another colour; the text next to it has the numbers. */
function Bar({ part, beyond = 0, of }: { part: number; beyond?: number; of: number }) {
  return (
    <svg class="lens-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="of" width="100" height="6" /><rect width={(100 * part) / of} height="6" /><rect class="beyond" x={(100 * part) / of} width={(100 * beyond) / of} height="6" />
    </svg>
  );
}

/** Mix is a table of the instructions by class, the most first. */
function Mix({ counts }: { counts: Readonly<Record<string, number>> }) {
  const words = l.value;
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const all = rows.reduce((sum, [, count]) => sum + count, 0);
  return (
    <table class="lens-table">
      <thead><tr><th scope="col">{words.mix}</th><th scope="col">{words.instructions}</th><th scope="col">{words.share}</th></tr></thead>
      <tbody>
        {rows.map(([of, count]) => <tr key={of}><th scope="row">{words.classes[of] ?? of}</th><td><Bar part={count} of={rows[0]?.[1] ?? 1} />{count.toLocaleString("en")}</td><td>{`${((100 * count) / all).toFixed(0)} %`}</td></tr>)}
      </tbody>
    </table>
  );
}
