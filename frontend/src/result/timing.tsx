import { signal } from "@preact/signals";
import type { Puzzle } from "../content/content";
import { type Beside, NotTimed, order, placeOf, type Which } from "../device/beside";
import type { Choice } from "../device/devices";
import { Spread } from "../device/spread";
import { NoGPU, timeOn } from "../device/timing";
import { diagnosticWords, lossWords } from "../device/words";
import { d } from "../i18n/device";
import { e } from "../i18n/timing";
import { short, time } from "../lib/format";
import { runOf } from "../run/request";
import type { Result } from "../run/result";
import { pack, type Packed } from "../run/simulate";
import { RunnerLoss } from "../runner/loss";
import { lang } from "../settings/settings";
import { Phrase } from "../ui/phrase-view";

/** Timed is what is known of an answer's times on a device. */
interface Timed {
  of: Pick<Result, "doc" | "source" | "call">;
  name: string; // of the device
  run?: number; // the number of the measurement in progress
  beside?: Beside;
  failure?: unknown; // why there are no times
}

const last = signal<Timed | undefined>(undefined);

const kernels: readonly Which[] = ["answer", "reference"];

/** Timing offers to time an answer that is right on a device, beside the first of our own. */
export default function Timing({ of, puzzle, on }: { of: Result; puzzle: Puzzle; on: Choice }) {
  const words = e.value;
  const known = last.value?.of;
  const same = known?.doc === of.doc && known.source === of.source && known.call === of.call;
  const { name = on.name, run, beside, failure } = (same && last.value) || {};
  const measuring = run !== undefined;
  return (
    <section id="timing" class="timing-panel" aria-labelledby="timing-title">
      <h3 id="timing-title">{words.title}</h3>
      <div role="status">
        {measuring && <p>{words.measuring(name, run + 1, order.length)}</p>}
        {failure !== undefined && <p class="fault"><Phrase text={failureWords(failure, name)} /></p>}
        {beside && <p><b>{placeWords(beside)}</b></p>}
      </div>
      {beside && <Times beside={beside} name={name} sizes={sizesOf(puzzle)} />}
      <p>
        <button type="button" class="quiet" id="time-it" aria-disabled={measuring} onClick={() => measuring || void start(of, puzzle, on)}>
          {beside && name === on.name ? words.again : words.time(on.name)}
        </button>
      </p>
    </section>
  );
}

function placeWords(beside: Beside): string {
  const words = e.value;
  if (!beside.agree) return words.differ;
  const place = placeOf(beside);
  if (place === 1) return words.same;
  return place > 1 ? words.place(short(place)) : words.faster(short(1 / place));
}

function sizesOf({ timing }: Puzzle): string {
  return Object.entries(timing ?? {}).map(([name, size]) => `${name} = ${size.toLocaleString("en")}`).join(", ");
}

/** Times are those of both, as pictures on one axis and as a table. */
function Times({ beside, name, sizes }: { beside: Beside; name: string; sizes: string }) {
  const words = e.value;
  const both = kernels.map((which) => beside[which]);
  const { clock, flushedKb = 0 } = beside.answer;
  return (
    <>
      <div class="table-box" tabIndex={0} role="region" aria-labelledby="timing-title">
        <table class="lens-table">
          <thead><tr>{[words.kernel, words.median, words.quartiles, words.fastest, words.launches].map((text) => <th scope="col" key={text}>{text}</th>)}</tr></thead>
          <tbody>
            {kernels.map((which) => {
              const { median, lowerQuartile, upperQuartile, min, n } = beside[which];
              return (
                <tr key={which}>
                  <th scope="row">{words.kernels[which]}</th>
                  <td><b>{time(median)}</b></td><td>{time(lowerQuartile)} – {time(upperQuartile)}</td><td>{time(min)}</td><td>{n}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {kernels.map((which) => (
        <figure key={which}>
          <figcaption class="fine">{words.kernels[which]}</figcaption>
          <Spread timings={beside[which]} label={`${words.kernels[which]}: ${time(beside[which].median)}`} beside={both} />
        </figure>
      ))}
      <p class="fine"><Phrase text={words.how(name, sizes)} /> {d.value.timeHow(clock, flushedKb)}</p>
    </>
  );
}

/** start times an answer. */
async function start({ doc, source, call }: Result, puzzle: Puzzle, on: Choice): Promise<void> {
  const begun: Timed = { of: { doc, source, call }, name: on.name };
  const show = (change: Partial<Timed>) => (last.value = { ...begun, ...change });
  show({ run: 0 });
  try {
    const launches = { reference: await packed(puzzle.solutions[0]?.source ?? "", puzzle), answer: await packed(source, puzzle) };
    show({ beside: await timeOn(on, launches, (run) => show({ run })) });
  } catch (failure) {
    show({ failure });
  }
}

/** packed is the launch of a text that is timed. */
function packed(source: string, { timing }: Puzzle): Promise<Packed> {
  const { puzzle } = runOf(source) ?? {};
  return pack({ ...(puzzle && { puzzle }), ...(timing && { sizes: timing }) }, lang.peek());
}

function failureWords(failure: unknown, name: string): string {
  const words = e.value;
  if (failure instanceof NoGPU) return words.notGPU(name);
  if (failure instanceof RunnerLoss) return lossWords(failure, lang.value);
  const { which, why } = failure instanceof NotTimed ? failure : new NotTimed("answer", undefined);
  return words.failed(which, typeof why === "object" ? diagnosticWords(why, lang.value) : (why ?? ""));
}
