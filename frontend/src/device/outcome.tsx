import type { Compared } from "../gen/api";
import type { Compiled, Timings } from "../gen/protocol";
import { d } from "../i18n/device";
import { duration, short, size, time } from "../lib/format";
import type { DeviceRun } from "../run/result";
import { Spread } from "./spread";

/** DeviceOutcome is what a run on a device told beside its results: how they compare, code and times. */
export default function DeviceOutcome({ run, compared }: { run: DeviceRun; compared: Compared | undefined }) {
  const more = d.value;
  const { device, compiled, timings, launches } = run;
  return (
    <section class="on-device-outcome" aria-label={more.ranOn(device.name, launches)}>
      <h3>{more.ranOn(device.name, launches)}</h3>
      {compared && compared.elements > 0 && <Comparison compared={compared} />}
      {compared && compared.unfinished > 0 && <p id="uncompared">{more.comparedUnfinished}</p>}
      {compiled && <Code compiled={compiled} />}
      {timings && timings.n > 0 && <Timing timings={timings} run={run} compared={compared} />}
    </section>
  );
}

/** Comparison sets the device's values beside those of the page's own run. */
function Comparison({ compared: { elements, different, maxDifference, first, launches } }: { compared: Compared }) {
  const more = d.value;
  if (different === 0) return <p id="compared" data-different={0}>{more.comparedSame(elements, launches)}</p>;
  return (
    <div id="compared" data-different={different}>
      <p>{more.comparedDifferent(different, elements, short(maxDifference))}</p>
      {first && <p class="fine">{more.comparedFirst(first.tensor, first.index, first.page, first.device)}</p>}
    </div>
  );
}

function Code({ compiled: c }: { compiled: Compiled }) {
  const more = d.value;
  return (
    <>
      <p class="fine">{more.compiledCode(c.registers, size(c.sharedBytes), duration(c.toPtxMs), duration(c.toSassMs), c.cacheHit)}</p>
      {c.spillBytes > 0 && <p class="warn">{more.compiledSpills(c.spillBytes)}</p>}
      {c.log.trim() && <details class="inputs"><summary>{more.compiledLog}</summary><pre tabIndex={0}>{c.log}</pre></details>}
    </>
  );
}

/** Timing is the spread of the measured launches: a sentence, a picture and a table. */
function Timing({ timings, run: { device }, compared }: { timings: Timings; run: DeviceRun; compared: Compared | undefined }) {
  const more = d.value;
  const bytes = compared ? compared.readBytes + compared.writtenBytes : 0;
  const perSecond = bytes / (timings.median / 1e9);
  const share = device.bytesPerSecond ? perSecond / device.bytesPerSecond : undefined;
  const rows: [string, string][] = [
    [more.timeMedian, time(timings.median)],
    [more.timeQuartiles, `${time(timings.lowerQuartile)} – ${time(timings.upperQuartile)}`],
    [more.timeMin, time(timings.min)],
    [more.timeCount, String(timings.n)],
  ];
  if (bytes > 0) rows.push([more.timeBandwidth, `${short(perSecond / 1e9)} GB/s${share === undefined ? "" : more.timeShareOf(short(share * 100), `${short((device.bytesPerSecond ?? 0) / 1e9)} GB/s`)}`]);
  for (const [arithmetic, operations] of Object.entries(compared?.products ?? {})) {
    const rate = operations / (timings.median / 1e9);
    const most = device.flops?.[arithmetic];
    rows.push([more.timeProducts(arithmetic), `${short(rate / 1e12)} TFLOP/s${most ? more.timeShareOf(short((rate / most) * 100), `${short(most / 1e12)} TFLOP/s`) : ""}`]);
  }
  if (timings.smClock) rows.push([more.timeClocks, `${timings.smClock} MHz, ${timings.memClock ?? "?"} MHz`]);
  if (timings.driver) rows.push([more.timeDriver, timings.driver]);
  const sentence = more.timeSentence(time(timings.median), timings.n, time(timings.lowerQuartile), time(timings.upperQuartile));
  return (
    <figure class="timing-panel" id="timings">
      <figcaption>{sentence}</figcaption>
      <Spread timings={timings} label={sentence} />
      <div class="table-box" tabIndex={0} role="region" aria-label={more.timeTable}>
        <table class="elements">
          <caption class="unseen">{more.timeTable}</caption>
          <tbody>{rows.map(([name, value]) => <tr key={name}><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody>
        </table>
      </div>
      <p class="fine">{more.timeHow(timings.clock, timings.flushedKb ?? 0)}{bytes > 0 && ` ${more.timeBytes(size(compared?.readBytes ?? 0), size(compared?.writtenBytes ?? 0))}`}</p>
    </figure>
  );
}
