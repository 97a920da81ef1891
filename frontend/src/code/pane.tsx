import { useEffect, useMemo } from "preact/hooks";
import type { Line } from "../gen/code";
import { d } from "../i18n/device";
import { t } from "../i18n/table";
import { duration, size } from "../lib/format";
import { ptxWords } from "../lib/ptx-words";
import { Phrase } from "../ui/phrase-view";
import { result } from "../run/runs";
import { view } from "../state/view";
import { code, compiler, watchCode } from "./compile";
import { Layouts } from "./layouts";
import { LensView } from "./lens-view";
import { CodeLines } from "./lines";
import { runLines } from "./run-lines";
import { type Target, target, unchecked } from "./state";

/** CodePane shows the PTX, the layouts or the costs of the kernel, linked with the text. */
export default function CodePane() {
  useEffect(watchCode, []);
  const more = d.value;
  const run = result.value?.device;
  const ofRun = view.value === "ptx" && target.value === "run" && run?.compiled?.ptx;
  useEffect(() => {
    if (target.value === "run" && !ofRun) target.value = "sm_90a";
  }, [target.value, ofRun]);
  return (
    <div class="code" id={`view-${view.value}`} role="tabpanel" aria-labelledby={`tab-${view.value}`}>
      <div class="code-head">
        <label>
          {more.codeTarget}
          <select id="code-target" value={target.value} onChange={(e) => (target.value = e.currentTarget.value as Target)}>
            <option value="sm_90a">sm_90a</option>
            <option value="sm_80">sm_80</option>
            {view.value === "ptx" && run?.compiled?.ptx && <option value="run">{more.codeOfRun(run.device.name)}</option>}
          </select>
        </label>
        {!ofRun && view.value === "ptx" && (
          <label class="switch"><input type="checkbox" id="unchecked" checked={unchecked.value} onChange={(e) => (unchecked.value = e.currentTarget.checked)} />{more.codeUnchecked}</label>
        )}
        {!ofRun && view.value !== "lens" && <Summary />}
      </div>
      {ofRun ? <OfRun /> : <OfPage />}
    </div>
  );
}

function Summary() {
  const made = code.value;
  if (made === undefined || made === "none" || made === "launch" || made.problem) return null;
  const { launch } = made;
  return <p>{launch && <>{d.value.codeOfLaunch(launch.number, launch.kernel)} · </>}{d.value.codeSummary(made.ptx.length, made.threads, size(made.shared), duration(made.tookMs), unchecked.value)}</p>;
}

/** OfRun is the code that the last run's device ran. */
function OfRun() {
  const of = result.value;
  const compiled = of?.device?.compiled;
  const lines = useMemo<Line[]>(() => (compiled ? runLines(compiled, of?.source ?? "") : []), [compiled, of?.source]);
  return (
    <>
      <p class="code-head">{d.value.codeRunSummary(lines.length)}</p>
      <CodeLines lines={lines} label={"PTX"} view={ptxLine} />
    </>
  );
}

/** OfPage is the code that the page compiles by itself. */
function OfPage() {
  const words = t.value;
  const more = d.value;
  const made = code.value;
  if (compiler.state.value === "failed") {
    return <p class="fault" role="alert">{more.codeFailed} <button type="button" class="link" onClick={() => compiler.start()}>{words.retry}</button></p>;
  }
  if (view.value === "lens") return <LensView />;
  if (made === undefined) return <p class="empty" role="status">{more.codeWorking}</p>;
  if (made === "none") return <p class="empty" role="status">{more.codeNone}</p>;
  if (made === "launch") return <p class="empty" role="status">{more.codeNoLaunch}</p>;
  if (made.problem) return <p class="fault" role="alert"><Phrase text={made.problem} /></p>;
  const ptx = view.value === "ptx";
  return (
    <>
      {made.idle && <p class="code-head" role="status">{more.codeIdle}</p>}
      {!ptx && !made.layouts.length && <p class="code-head" role="status">{more.codeNoTiles}</p>}
      {ptx ? <CodeLines lines={made.ptx} label={"PTX"} view={ptxLine} /> : <Layouts key={made.source} tiles={made.layouts} />}
    </>
  );
}

/** ptxLine is a line of PTX in colours. */
function ptxLine(text: string) {
  return ptxWords(text).map((word, i) => (word.kind ? <span key={i} class={`ptx-${word.kind}`}>{word.text}</span> : word.text));
}
