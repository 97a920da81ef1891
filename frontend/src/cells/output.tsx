import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { CellOutput } from "../gen/api";
import { d } from "../i18n/document";
import { partFailed, t } from "../i18n/table";
import { terminal, wholeBlocks } from "../lib/cells";
import { duration } from "../lib/format";
import { type CellRun, cellRun, skipSweep } from "../run/cells";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import Rendered, { SafeHTML } from "../statement/safe-html";
import { useLater } from "../ui/use-later";

/** Runs shorter than this show no progress. */
const progressAfterMs = 300;

const Figure = lazy(() => import("../figure/figure"), partFailed);
const Sweeps = lazy(() => import("./sweep"), partFailed);
const Rankings = lazy(() => import("./ranking"), partFailed);

/** Outputs is what a run of a cell has printed and shown. */
export function Outputs({ run }: { run: number }) {
  const now = cellRun(run).value;
  return (
    <>
      {now.outputs.map((o, i) => <Output key={i} output={o} />)}
      {now.rankings && <Rankings wanted rankings={now.rankings} />}
      {now.state === "running" && now.sweeping && (
        // Above the table, which grows: the button does not move.
        <p class="foot">
          {d.value.sweeping(now.sweeping)} <button type="button" class="link" onClick={() => skipSweep(run)}>{d.value.sweepSkip}</button>
        </p>
      )}
      {now.sweep && <Sweeps wanted points={now.sweep} />}
      <Foot run={now} />
    </>
  );
}

function Output({ output: { kind, text, html, markdown, mime, image, figure } }: { output: CellOutput }) {
  if (figure) return <Figure wanted plot={figure} />;
  if (html) return <SafeHTML html={html} otherwise={text} />;
  if (image && mime && /^image\/(png|jpeg|gif|svg\+xml)$/.test(mime)) return <img class="picture" alt={text} src={`data:${mime};base64,${image}`} />;
  if (markdown) return <Rendered source={markdown} />;
  return <Text kind={kind} text={text} />;
}

/** Text is a text that may go on. Its blocks of lines are made once: what is printed later lays out none of them again. */
function Text({ kind, text }: { kind: string; text: string }) {
  const { current: made } = useRef<{ blocks: VNode[]; end: number }>({ blocks: [], end: 0 });
  for (const block of wholeBlocks(text, made.end)) {
    made.blocks.push(<div key={made.end}>{terminal(block)}</div>);
    made.end += block.length + 1;
  }
  const kinds = d.value.outputKinds;
  return <pre class={kind} tabIndex={0} aria-label={kinds[kind as keyof typeof kinds] ?? kinds.display}>{made.blocks}{terminal(text.slice(made.end))}</pre>;
}

/** Foot says how a run goes, or how it ended. */
function Foot({ run: { state, since, end } }: { run: CellRun }) {
  const long = useLater(state === "running" ? since : undefined, progressAfterMs);
  if (state === "kept") return <p class="foot">{end ? d.value.keptRun : d.value.keptOutput}</p>;
  if (state === "skipped") return <p class="foot bad">{d.value.cellSkipped}</p>;
  if (state === "stopped") return <p class="foot bad">{d.value.cellStopped}</p>;
  if (state === "memory") return <p class="foot bad"><Phrase text={d.value.cellOutOfMemory} /></p>;
  if (state === "crashed") return <p class="foot bad"><Phrase text={d.value.cellCrashed} /></p>;
  if (state === "running") return <p class="foot">{long ? t.value.runningNow : "\u00a0"}</p>;
  if (!end) return <p class="foot">{d.value.cellWaiting}</p>;
  return (
    <p class={end.ok ? "foot" : "foot bad"}>
      [{end.count}] {end.ok ? "" : `${d.value.cellFailed} · `}{duration(end.ms)}
      {end.launches > 0 && ` · ${d.value.launchesCount(end.launches)}`}
    </p>
  );
}
