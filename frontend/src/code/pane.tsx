import { useEffect, useMemo } from "preact/hooks";
import type { Line } from "../gen/code";
import { d } from "../i18n/device";
import { t } from "../i18n/table";
import { duration, size } from "../lib/format";
import { Phrase } from "../lib/phrase-view";
import { result } from "../state/runs";
import { code, compiler, watchCode } from "./compile";
import { CodeLines } from "./lines";
import { runLines } from "./run-lines";
import { type Target, codeView, target } from "./state";

/** CodePane shows the PTX or the layouts of the kernel, linked with the text. */
export default function CodePane() {
  useEffect(watchCode, []);
  const more = d.value;
  const run = result.value?.device;
  const ofRun = codeView.value === "ptx" && target.value === "run" && run?.compiled?.ptx;
  useEffect(() => {
    if (target.value === "run" && !ofRun) target.value = "sm_90a";
  }, [target.value, ofRun]);
  return (
    <div class="code" id={`view-${codeView.value}`} role="tabpanel" aria-labelledby={`tab-${codeView.value}`}>
      <div class="code-head">
        <label>
          {more.codeTarget}
          <select id="code-target" value={target.value} onChange={(e) => (target.value = e.currentTarget.value as Target)}>
            <option value="sm_90a">sm_90a</option>
            <option value="sm_80">sm_80</option>
            {codeView.value === "ptx" && run?.compiled?.ptx && <option value="run">{more.codeOfRun(run.device.name)}</option>}
          </select>
        </label>
        {!ofRun && <Summary />}
      </div>
      {ofRun ? <OfRun /> : <OfPage />}
    </div>
  );
}

function Summary() {
  const made = code.value;
  if (made === undefined || made === "none" || made.problem) return null;
  return <p>{d.value.codeSummary(made.ptx.length, made.threads, size(made.shared), duration(made.tookMs))}</p>;
}

/** OfRun is the code that the last run's device ran. */
function OfRun() {
  const of = result.value;
  const compiled = of?.device?.compiled;
  const lines = useMemo<Line[]>(() => (compiled ? runLines(compiled, of?.source ?? "") : []), [compiled, of?.source]);
  return (
    <>
      <p class="code-head">{d.value.codeRunSummary(lines.length)}</p>
      <CodeLines lines={lines} label={t.value.codePTX} />
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
  if (made === undefined) return <p class="empty" role="status">{more.codeWorking}</p>;
  if (made === "none") return <p class="empty" role="status">{more.codeNone}</p>;
  if (made.problem) return <p class="fault" role="alert"><Phrase text={made.problem} /></p>;
  const ptx = codeView.value === "ptx";
  return <CodeLines lines={ptx ? made.ptx : made.layouts} label={ptx ? words.codePTX : words.codeLayouts} />;
}
